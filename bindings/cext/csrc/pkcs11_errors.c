/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_errors.c - exceptions for the return values of PKCS #11 functions.
 */
#include "pkcs11_errors.h"

void pkcs11_raise(const pkcs11_state *state, CK_RV rv, const char *function, PyObject *result)
{
    PyObject *exception = result == NULL ? PyObject_CallFunction(state->error, "ks", rv, function)
                                         : PyObject_CallFunction(state->error, "ksO", rv, function, result);

    if (exception != NULL) {
        PyErr_SetObject(state->error, exception);
        Py_DECREF(exception);
    }
}

PyObject *pkcs11_overrun(const char *function, CK_ULONG reported, CK_ULONG room, const char *unit)
{
    PyErr_Format(PyExc_RuntimeError, "%s: the module reports %lu %s, there was room for %lu", function, reported, unit,
                 room);
    return NULL;
}
