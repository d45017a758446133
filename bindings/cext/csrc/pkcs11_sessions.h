/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_sessions.h - the methods that initialise and finalise a module and open and close sessions.
 */
#ifndef CSIDE_CEXT_PKCS11_SESSIONS_H
#define CSIDE_CEXT_PKCS11_SESSIONS_H

#include "interpreter.h"

PyObject *pkcs11_C_Initialize(PyObject *object, PyObject *const *args, Py_ssize_t nargs);
PyObject *pkcs11_C_Finalize(PyObject *object, PyObject *none);
PyObject *pkcs11_C_OpenSession(PyObject *object, PyObject *const *args, Py_ssize_t nargs);
PyObject *pkcs11_C_CloseSession(PyObject *object, PyObject *argument);
PyObject *pkcs11_C_CloseAllSessions(PyObject *object, PyObject *argument);

#endif
