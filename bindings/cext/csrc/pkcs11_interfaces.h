/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_interfaces.h - the methods whose results contain pointers: function lists, interfaces, asynchronous results.
 */
#ifndef CSIDE_CEXT_PKCS11_INTERFACES_H
#define CSIDE_CEXT_PKCS11_INTERFACES_H

#include "interpreter.h"

PyObject *pkcs11_C_GetFunctionList(PyObject *object, PyObject *none);
PyObject *pkcs11_C_GetInterfaceList(PyObject *object, PyObject *none);
PyObject *pkcs11_C_GetInterface(PyObject *object, PyObject *const *args, Py_ssize_t nargs);
PyObject *pkcs11_C_AsyncComplete(PyObject *object, PyObject *const *args, Py_ssize_t nargs);

#endif
