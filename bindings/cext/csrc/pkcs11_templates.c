/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_templates.c - conversion of templates to C.
 */
#include "pkcs11_templates.h"
#include "convert.h"
#include "pkcs11_arguments.h"

PyObject *pkcs11_frozen(PyObject *iterable, pkcs11_hold *hold)
{
    PyObject *tuple = NULL;

    if (PyTuple_CheckExact(iterable)) {
        return iterable;
    }
    tuple = PyList_CheckExact(iterable) ? PyList_AsTuple(iterable) : PySequence_Tuple(iterable);
    return pkcs11_hold_object(hold, tuple) < 0 ? NULL : tuple;
}

/** An attribute's value from a list or tuple: an array of CK_ULONG, or a template if the first item is a tuple. */
static int as_array(PyObject *object, pkcs11_hold *hold, CK_ATTRIBUTE *out)
{
    PyObject *items = pkcs11_frozen(object, hold);
    pkcs11_template inner = {NULL, 0};
    CK_ULONG *numbers = NULL;
    Py_ssize_t count = 0;

    if (items == NULL) {
        return -1;
    }
    count = PyTuple_GET_SIZE(items);
    if (count == 0) {
        out->pValue = PKCS11_POINTER("");
        out->ulValueLen = 0;
        return 0;
    }
    if (PyTuple_Check(PyTuple_GET_ITEM(items, 0))) {
        int status = -1;

        if (Py_EnterRecursiveCall(" while converting a template") == 0) {
            status = pkcs11_as_template(items, hold, &inner);
            Py_LeaveRecursiveCall();
        }
        out->pValue = inner.items;
        out->ulValueLen = inner.count * (CK_ULONG)sizeof(CK_ATTRIBUTE);
        return status;
    }
    numbers = pkcs11_hold_memory(hold, (size_t)count * sizeof(*numbers));
    if (numbers == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (pkcs11_as_ulong(PyTuple_GET_ITEM(items, i), &numbers[i]) < 0) {
            return -1;
        }
    }
    out->pValue = numbers;
    out->ulValueLen = (CK_ULONG)count * (CK_ULONG)sizeof(*numbers);
    return 0;
}

/** An attribute's value from any object. A truth value or a number is stored in `slot`. */
static int as_value(PyObject *object, pkcs11_hold *hold, CK_ULONG *slot, CK_ATTRIBUTE *out)
{
    const char *text = NULL;
    Py_ssize_t text_nbytes = 0;

    if (object == Py_None || PyBytes_CheckExact(object)) {
        return pkcs11_hold_bytes(hold, object, &out->pValue, &out->ulValueLen);
    }
    if (PyBool_Check(object)) {
        *(CK_BBOOL *)slot = object == Py_True ? CK_TRUE : CK_FALSE;
        out->pValue = slot;
        out->ulValueLen = sizeof(CK_BBOOL);
        return 0;
    }
    if (PyUnicode_Check(object)) {
        if (core_as_utf8(object, &text, &text_nbytes) < 0) {
            return -1;
        }
        out->pValue = PKCS11_POINTER(text);
        out->ulValueLen = (CK_ULONG)text_nbytes;
        return 0;
    }
    if (PyList_Check(object) || PyTuple_Check(object)) {
        return as_array(object, hold, out);
    }
    if (!PyLong_Check(object)) {
        if (PyObject_CheckBuffer(object)) {
            return pkcs11_hold_bytes(hold, object, &out->pValue, &out->ulValueLen);
        }
        if (!PyIndex_Check(object)) {
            PyErr_Format(PyExc_TypeError, "an attribute's value cannot be a '%.100s'", Py_TYPE(object)->tp_name);
            return -1;
        }
    }
    out->pValue = slot;
    out->ulValueLen = sizeof(CK_ULONG);
    return pkcs11_as_ulong(object, slot);
}

int pkcs11_as_template(PyObject *object, pkcs11_hold *hold, pkcs11_template *out)
{
    PyObject *pairs = pkcs11_frozen(object, hold);
    CK_ULONG *slots = NULL;
    Py_ssize_t count = 0;

    if (pairs == NULL) {
        return -1;
    }
    count = PyTuple_GET_SIZE(pairs);
    out->count = (CK_ULONG)count;
    out->items = NULL;
    if (count == 0) {
        return 0;
    }
    out->items = pkcs11_hold_memory(hold, (size_t)count * sizeof(*out->items));
    slots = out->items == NULL ? NULL : pkcs11_hold_memory(hold, (size_t)count * sizeof(*slots));
    if (slots == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(pairs, i);

        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
            PyErr_SetString(PyExc_TypeError, "an attribute is a tuple (type, value)");
            return -1;
        }
        if (pkcs11_as_ulong(PyTuple_GET_ITEM(pair, 0), &out->items[i].type) < 0 ||
            as_value(PyTuple_GET_ITEM(pair, 1), hold, &slots[i], &out->items[i]) < 0) {
            return -1;
        }
    }
    return 0;
}
