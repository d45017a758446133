/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_arguments.c - numbers, text, mechanisms and templates on their way to C.
 */
#include "pkcs11.h"

#include <string.h>

int pkcs11_as_ulong_slow(PyObject *object, CK_ULONG *out)
{
    uint64_t value = 0;

    if (core_as_uint64(object, &value) < 0) {
        return -1;
    }
#if ULONG_MAX < UINT64_MAX
    if (value > ULONG_MAX) {
        PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to CK_ULONG");
        return -1;
    }
#endif
    *out = (CK_ULONG)value;
    return 0;
}

/* ---- text -------------------------------------------------------------------------------------------- */

int pkcs11_as_text(PyObject *object, pkcs11_text *out)
{
    if (!PyUnicode_Check(object)) {
        return pkcs11_as_bytes(object, &out->bytes);
    }
#if !defined(PYPY_VERSION)
    if (PyUnicode_IS_COMPACT_ASCII(object)) { /* ASCII is its own UTF-8: no copy */
        out->bytes.data = PyUnicode_1BYTE_DATA(object);
        out->bytes.nbytes = (size_t)PyUnicode_GET_LENGTH(object);
        return 0;
    }
#endif
    /* Not PyUnicode_AsUTF8AndSize(), whose copy would stay in the str for as long as that lives. */
    out->encoded = PyUnicode_AsUTF8String(object);
    if (out->encoded == NULL) {
        return -1;
    }
    return pkcs11_as_bytes(out->encoded, &out->bytes);
}

void pkcs11_text_release(pkcs11_text *text)
{
    core_bytes_release(&text->bytes);
    if (text->encoded != NULL) {
        /* volatile: the compiler may not leave out writes that nobody seems to read */
        volatile char *copy = PyBytes_AS_STRING(text->encoded);

        for (Py_ssize_t i = 0; i < PyBytes_GET_SIZE(text->encoded) && PyBytes_GET_SIZE(text->encoded) > 1; i++) {
            copy[i] = 0; /* objects of no byte and of one are shared */
        }
        Py_CLEAR(text->encoded);
    }
}

int pkcs11_as_cstring(PyObject *object, CK_UTF8CHAR **out)
{
    const char *text = NULL;

    if (object == Py_None) {
        *out = NULL;
        return 0;
    }
    if (core_as_text(object, &text) < 0) {
        return -1;
    }
    *out = PKCS11_POINTER(text);
    return 0;
}

int pkcs11_as_padded(PyObject *object, CK_UTF8CHAR *out, size_t width)
{
    pkcs11_text text = {.encoded = NULL};
    int result = -1;

    if (object == Py_None) {
        PyErr_SetString(PyExc_TypeError, "a str or a bytes-like object is required, not 'NoneType'");
        return -1;
    }
    if (pkcs11_as_text(object, &text) < 0) {
        goto exit;
    }
    if (text.bytes.nbytes > width) {
        PyErr_Format(PyExc_ValueError, "at most %zu bytes are allowed, not %zu", width, text.bytes.nbytes);
        goto exit;
    }
    memset(out, ' ', width);
    memcpy(out, text.bytes.data, text.bytes.nbytes);
    result = 0;
exit:
    pkcs11_text_release(&text);
    return result;
}

/* ---- versions and mechanisms ------------------------------------------------------------------------------ */

int pkcs11_as_version(PyObject *object, CK_VERSION *storage, CK_VERSION **out)
{
    int64_t major = 0;
    int64_t minor = 0;

    if (object == Py_None) {
        *out = NULL;
        return 0;
    }
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 2) {
        PyErr_SetString(PyExc_TypeError, "a version is a tuple (major, minor), or None");
        return -1;
    }
    if (core_as_int(PyTuple_GET_ITEM(object, 0), 0, UINT8_MAX, "CK_BYTE", &major) < 0 ||
        core_as_int(PyTuple_GET_ITEM(object, 1), 0, UINT8_MAX, "CK_BYTE", &minor) < 0) {
        return -1;
    }
    storage->major = (CK_BYTE)major;
    storage->minor = (CK_BYTE)minor;
    *out = storage;
    return 0;
}

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

/* ---- templates ------------------------------------------------------------------------------------------------ */

PyObject *pkcs11_frozen(PyObject *iterable, pkcs11_hold *hold)
{
    PyObject *tuple = NULL;

    if (PyTuple_CheckExact(iterable)) {
        return iterable;
    }
    tuple = PyList_CheckExact(iterable) ? PyList_AsTuple(iterable) : PySequence_Tuple(iterable);
    return pkcs11_hold_object(hold, tuple) < 0 ? NULL : tuple;
}

/** A list or tuple as a value: an array of CK_ULONG, or a template of its own. */
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

/** One value, which `slot` holds if it is a truth value or a number. */
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
