/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_arguments.h - numbers, text and versions on their way to C. Each function returns 0, or -1 with an exception
 * set.
 */
#ifndef CSIDE_CEXT_PKCS11_ARGUMENTS_H
#define CSIDE_CEXT_PKCS11_ARGUMENTS_H

#include "buffers.h"
#include "convert.h"

#include "cside/pkcs11.h"

int pkcs11_as_ulong_slow(PyObject *object, CK_ULONG *out);

/** Also an int's subclass, such as a member of CKM, goes the short way. */
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

/** None is NULL and 0; anything empty a pointer that is not NULL. */
static inline int pkcs11_as_bytes(PyObject *object, core_bytes *out)
{
    if (object == Py_None) {
        return 0; /* as it was declared */
    }
    if (core_as_bytes(object, out) < 0) {
        return -1;
    }
    if (out->data == NULL) {
        out->data = (const uint8_t *)"";
    }
    return 0;
}

/** Text with a length. `encoded` is a copy, which is wiped. */
typedef struct pkcs11_text {
    core_bytes bytes;
    PyObject *encoded;
} pkcs11_text;

int pkcs11_as_text(PyObject *object, pkcs11_text *out);
void pkcs11_text_release(pkcs11_text *text);

/** NUL-terminated, or NULL for None. */
int pkcs11_as_cstring(PyObject *object, CK_UTF8CHAR **out);

int pkcs11_as_padded(PyObject *object, CK_UTF8CHAR *out, size_t width);

/** A pair of CK_BYTE; NULL for None. */
int pkcs11_as_version(PyObject *object, CK_VERSION *storage, CK_VERSION **out);

#endif
