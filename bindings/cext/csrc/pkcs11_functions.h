/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_functions.h - the methods of `Module`.
 */
#ifndef CSIDE_CEXT_PKCS11_FUNCTIONS_H
#define CSIDE_CEXT_PKCS11_FUNCTIONS_H

#include "interpreter.h"

extern PyMethodDef pkcs11_methods[];

#endif
