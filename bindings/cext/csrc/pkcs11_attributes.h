/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_attributes.h - the method C_GetAttributeValue.
 */
#ifndef CSIDE_CEXT_PKCS11_ATTRIBUTES_H
#define CSIDE_CEXT_PKCS11_ATTRIBUTES_H

#include "interpreter.h"

PyObject *pkcs11_C_GetAttributeValue(PyObject *object, PyObject *const *args, Py_ssize_t nargs);

#endif
