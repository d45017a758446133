/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_functions.h - the C_ functions, as methods of `Module`.
 */
#ifndef CSIDE_CEXT_PKCS11_FUNCTIONS_H
#define CSIDE_CEXT_PKCS11_FUNCTIONS_H

#include "interpreter.h"

/** All methods, including those of pkcs11_sessions.c, pkcs11_attributes.c and pkcs11_interfaces.c. */
extern PyMethodDef pkcs11_methods[];

#endif
