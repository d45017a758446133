/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_parameters.c - conversion of mechanisms and their parameters to C.
 */
#include "pkcs11_parameters.h"
#include "pkcs11_arguments.h"
#include "pkcs11_structs.h"

int pkcs11_as_parameter(const pkcs11_state *state, PyObject *object, pkcs11_hold *hold, bool written,
                        pkcs11_parameter *out)
{
    CK_ULONG *number = NULL;

    if (PyTuple_Check(object)) {
        return pkcs11_as_struct(state, object, hold, out);
    }
    if (object == Py_None) {
        out->data = NULL;
        out->nbytes = 0;
        return 0;
    }
    if (!PyLong_Check(object) && (PyObject_CheckBuffer(object) || !PyIndex_Check(object))) {
        if (!written || (PyBytes_CheckExact(object) && PyBytes_GET_SIZE(object) == 0)) {
            return pkcs11_hold_bytes(hold, object, &out->data, &out->nbytes);
        }
        return pkcs11_hold_writable(hold, object, &out->data, &out->nbytes);
    }
    number = pkcs11_hold_memory(hold, sizeof(*number));
    if (number == NULL || pkcs11_as_ulong(object, number) < 0) {
        return -1;
    }
    out->data = number;
    out->nbytes = sizeof(*number);
    return 0;
}

int pkcs11_as_mechanism(const pkcs11_state *state, PyObject *object, pkcs11_hold *hold, pkcs11_mechanism *out)
{
    pkcs11_parameter parameter = {NULL, 0};

    if (object == Py_None) {
        out->pointer = NULL;
        return 0;
    }
    if (!PyTuple_Check(object)) {
        if (pkcs11_as_ulong(object, &out->value.mechanism) < 0) {
            return -1;
        }
    } else {
        if (PyTuple_GET_SIZE(object) != 2) {
            PyErr_SetString(PyExc_TypeError, "a mechanism is an integer, a tuple (type, parameter), or None");
            return -1;
        }
        if (pkcs11_as_ulong(PyTuple_GET_ITEM(object, 0), &out->value.mechanism) < 0 ||
            pkcs11_as_parameter(state, PyTuple_GET_ITEM(object, 1), hold, false, &parameter) < 0) {
            return -1;
        }
    }
    out->value.pParameter = parameter.data;
    out->value.ulParameterLen = parameter.nbytes;
    out->pointer = &out->value;
    return 0;
}
