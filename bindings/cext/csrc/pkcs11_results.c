/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_results.c - output of a module as Python objects: byte strings, lists of numbers, named tuples.
 */
#include "pkcs11_results.h"
#include "buffers.h"
#include "pkcs11_errors.h"

/** A result of up to this size is copied to a new object; codec_output.c says why. */
#define MOVED_NBYTES 384

/* ---- byte strings ----------------------------------------------------------------------------- */

int pkcs11_output_large(pkcs11_output *output, CK_ULONG room)
{
    output->bytes = core_new_bytes(room);
    if (output->bytes == NULL) {
        return -1;
    }
    output->data = (CK_BYTE *)PyBytes_AS_STRING(output->bytes);
    output->room = room;
    output->nbytes = room;
    return 0;
}

int pkcs11_output_repeat(pkcs11_output *output)
{
    output->repeated = true;
    Py_CLEAR(output->bytes);
    return pkcs11_output_large(output, output->nbytes) < 0 ? -1 : 1;
}

PyObject *pkcs11_output_finish(pkcs11_output *output, const char *function)
{
    PyObject *bytes = output->bytes;

    if (output->nbytes > output->room) {
        return pkcs11_overrun(function, output->nbytes, output->room, "bytes");
    }
    if (bytes == NULL || (output->nbytes <= MOVED_NBYTES && output->nbytes < output->room)) {
        return PyBytes_FromStringAndSize((const char *)output->data, (Py_ssize_t)output->nbytes);
    }
    output->bytes = NULL;
    if (output->nbytes < output->room) {
        (void)_PyBytes_Resize(&bytes, (Py_ssize_t)output->nbytes); /* sets `bytes` to NULL on failure */
    }
    return bytes;
}

/* ---- lists ------------------------------------------------------------------------------------ */

int pkcs11_numbers_start(pkcs11_numbers *numbers, CK_ULONG room)
{
    numbers->repeated = false;
    numbers->data = numbers->small;
    if (room > PKCS11_ROOM_COUNT) {
        CK_ULONG *data = PyMem_New(CK_ULONG, room);

        if (data == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        numbers->data = data;
    }
    numbers->room = room;
    numbers->count = room;
    return 0;
}

int pkcs11_numbers_again(pkcs11_numbers *numbers, const pkcs11_call *call, CK_RV rv)
{
    CK_ULONG wanted = numbers->count;

    if (rv != CKR_BUFFER_TOO_SMALL || numbers->repeated || wanted <= numbers->room || pkcs11_has_raised(call)) {
        return 0;
    }
    pkcs11_numbers_release(numbers);
    if (pkcs11_numbers_start(numbers, wanted) < 0) {
        return -1;
    }
    numbers->repeated = true;
    return 1;
}

PyObject *pkcs11_numbers_finish(const pkcs11_numbers *numbers, const char *function)
{
    PyObject *list = NULL;

    if (numbers->count > numbers->room) {
        return pkcs11_overrun(function, numbers->count, numbers->room, "items");
    }
    list = PyList_New((Py_ssize_t)numbers->count);
    for (Py_ssize_t i = 0; list != NULL && i < (Py_ssize_t)numbers->count; i++) {
        PyObject *number = PyLong_FromUnsignedLong(numbers->data[i]);

        if (number == NULL) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, i, number);
    }
    return list;
}

/* ---- tuples ----------------------------------------------------------------------------------- */

static inline PyObject *filled(PyObject *tuple, PyObject *const *items, Py_ssize_t count)
{
    bool complete = tuple != NULL;

    for (Py_ssize_t i = 0; i < count; i++) {
        complete = complete && items[i] != NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (complete) {
            PyTuple_SET_ITEM(tuple, i, items[i]);
        } else {
            Py_XDECREF(items[i]);
        }
    }
    if (!complete) {
        Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *pkcs11_pack(PyObject *const *items, Py_ssize_t count)
{
    return filled(PyTuple_New(count), items, count);
}

PyObject *pkcs11_tuple(const pkcs11_state *state, int number, PyObject *const *fields, Py_ssize_t count)
{
    PyTypeObject *type = state->tuples[number];
#if defined(PYPY_VERSION)
    /* On PyPy only a tuple of PyTuple_New() can be filled item by item. */
    PyObject *plain = pkcs11_pack(fields, count);
    PyObject *arguments = plain == NULL ? NULL : PyTuple_Pack(1, plain);
    PyObject *result = arguments == NULL ? NULL : PyTuple_Type.tp_new(type, arguments, NULL);

    Py_XDECREF(arguments);
    Py_XDECREF(plain);
    return result;
#else
    /* This is what tuple.__new__ does for a subclass, without the plain tuple that it would need. */
    PyObject *tuple = type->tp_alloc(type, count);

#if PY_VERSION_HEX >= 0x030E0000
    if (tuple != NULL) {
        ((PyTupleObject *)tuple)->ob_hash = -1; /* the hash is not computed yet */
    }
#endif
    return filled(tuple, fields, count);
#endif
}

PyObject *pkcs11_from_text(const CK_UTF8CHAR *text, size_t width)
{
    while (width > 0 && text[width - 1] == ' ') {
        width--;
    }
    return PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)width, "surrogateescape");
}
