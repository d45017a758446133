/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_arguments.h - conversion of numbers, bytes, text and versions to C. Each function returns 0, or -1 with an
 * exception set.
 */
#ifndef CSIDE_CEXT_PKCS11_ARGUMENTS_H
#define CSIDE_CEXT_PKCS11_ARGUMENTS_H

#include "buffers.h"
#include "convert.h"

#include "cside/pkcs11.h"

int pkcs11_as_ulong_slow(PyObject *object, CK_ULONG *out);

/** A CK_ULONG. The fast path is also for subclasses of int, such as the members of CKM. */
static inline int pkcs11_as_ulong(PyObject *object, CK_ULONG *out)
{
#if !defined(PYPY_VERSION)
    if (PyLong_Check(object)) {
#if PY_VERSION_HEX >= 0x030C0000
        if (PyUnstable_Long_IsCompact((PyLongObject *)object)) {
            Py_ssize_t value = PyUnstable_Long_CompactValue((PyLongObject *)object);

            if (value >= 0) {
                *out = (CK_ULONG)value;
                return 0;
            }
        }
#else
        if (Py_SIZE(object) == 0 || Py_SIZE(object) == 1) {
            *out = Py_SIZE(object) == 0 ? 0 : ((PyLongObject *)object)->ob_digit[0];
            return 0;
        }
#endif
    }
#endif
    return pkcs11_as_ulong_slow(object, out);
}

static inline int pkcs11_as_bbool(PyObject *object, CK_BBOOL *out)
{
    bool truth = false;

    if (core_as_bool(object, &truth) < 0) {
        return -1;
    }
    *out = truth ? CK_TRUE : CK_FALSE;
    return 0;
}

/** Bytes of a buffer. None leaves `out` as it is, which the caller has set to NULL and 0. The pointer for an empty
 *  buffer is not NULL. */
static inline int pkcs11_as_bytes(PyObject *object, core_bytes *out)
{
    if (object == Py_None) {
        return 0;
    }
    if (core_as_bytes(object, out) < 0) {
        return -1;
    }
    if (out->data == NULL) {
        out->data = (const uint8_t *)"";
    }
    return 0;
}

/** Text that is passed with its length. `encoded` is a copy of it, which is overwritten before it is freed, or NULL. */
typedef struct pkcs11_text {
    core_bytes bytes;
    PyObject *encoded;
} pkcs11_text;

/** A str as UTF-8, or the bytes of a buffer. */
int pkcs11_as_text(PyObject *object, pkcs11_text *out);
void pkcs11_text_release(pkcs11_text *text);

/** A str as a NUL-terminated string; None gives NULL. */
int pkcs11_as_cstring(PyObject *object, CK_UTF8CHAR **out);

/** A str or bytes, padded with blanks to `width` bytes. */
int pkcs11_as_padded(PyObject *object, CK_UTF8CHAR *out, size_t width);

/** A version, from a tuple of two numbers; None gives NULL. `*out` points to `storage`. */
int pkcs11_as_version(PyObject *object, CK_VERSION *storage, CK_VERSION **out);

#endif
