/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_arguments.c - conversion of numbers, text and versions to C.
 */
#include "pkcs11_arguments.h"
#include "pkcs11_memory.h"

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

/* ---- text ------------------------------------------------------------------------------------- */

int pkcs11_as_text(PyObject *object, pkcs11_text *out)
{
    if (!PyUnicode_Check(object)) {
        return pkcs11_as_bytes(object, &out->bytes);
    }
#if !defined(PYPY_VERSION)
    if (PyUnicode_IS_COMPACT_ASCII(object)) { /* the characters are the UTF-8, so no copy is needed */
        out->bytes.data = PyUnicode_1BYTE_DATA(object);
        out->bytes.nbytes = (size_t)PyUnicode_GET_LENGTH(object);
        return 0;
    }
#endif
    /* PyUnicode_AsUTF8AndSize() would leave a copy of the text in the str for as long as that lives. */
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
        /* volatile, so that the compiler does not remove writes that nothing reads */
        volatile char *copy = PyBytes_AS_STRING(text->encoded);

        for (Py_ssize_t i = 0; i < PyBytes_GET_SIZE(text->encoded) && PyBytes_GET_SIZE(text->encoded) > 1; i++) {
            copy[i] = 0; /* bytes objects of no byte or one byte are shared, so they stay */
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

/* ---- versions --------------------------------------------------------------------------------- */

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
