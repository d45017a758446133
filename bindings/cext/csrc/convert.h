/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.h - arguments from Python to C. Every conversion returns 0, or -1 with an exception set.
 *
 * Each has a fast path, inline, for objects of exactly the expected type, and a slow path in convert.c.
 */
#ifndef CSIDE_CEXT_CONVERT_H
#define CSIDE_CEXT_CONVERT_H

#include "core.h"

/* ---- integers ----------------------------------------------------------------------------------- */

/** The value of an exact int of one digit (30 bits on usual builds; of 64 bits by the limited API), or false. */
static inline bool core_digit(PyObject *object, int64_t *out)
{
#if defined(PYPY_VERSION)
    (void)object, (void)out;
    return false;
#elif defined(Py_LIMITED_API)
    int overflow = 0;

    if (!PyLong_CheckExact(object)) {
        return false;
    }
    *out = PyLong_AsLongLongAndOverflow(object, &overflow); /* of an exact int it cannot fail otherwise */
    return overflow == 0;
#elif PY_VERSION_HEX >= 0x030C0000
    if (!PyLong_CheckExact(object) || !PyUnstable_Long_IsCompact((PyLongObject *)object)) {
        return false;
    }
    *out = PyUnstable_Long_CompactValue((PyLongObject *)object);
    return true;
#else
    Py_ssize_t size = Py_SIZE(object); /* 3.11: sign times number of digits */

    if (!PyLong_CheckExact(object) || size < -1 || size > 1) {
        return false;
    }
    *out = (int64_t)size * (int64_t)((PyLongObject *)object)->ob_digit[0];
    return true;
#endif
}

int core_as_int_slow(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out);
int core_as_uint64_slow(PyObject *object, uint64_t *out);

/** Anything with __index__ from `low` to `high`; OverflowError outside, which names `what`. */
static inline int core_as_int(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out)
{
    int64_t value = 0;

    if (core_digit(object, &value) && low <= value && value <= high) {
        *out = value;
        return 0;
    }
    return core_as_int_slow(object, low, high, what, out);
}

static inline int core_as_int32(PyObject *object, int32_t *out)
{
    int64_t value = 0;

    if (core_as_int(object, INT32_MIN, INT32_MAX, "int32_t", &value) < 0) {
        return -1;
    }
    *out = (int32_t)value;
    return 0;
}

static inline int core_as_uint32(PyObject *object, uint32_t *out)
{
    int64_t value = 0;

    if (core_as_int(object, 0, UINT32_MAX, "uint32_t", &value) < 0) {
        return -1;
    }
    *out = (uint32_t)value;
    return 0;
}

static inline int core_as_int64(PyObject *object, int64_t *out)
{
    return core_as_int(object, INT64_MIN, INT64_MAX, "int64_t", out);
}

static inline int core_as_uint64(PyObject *object, uint64_t *out)
{
    int64_t value = 0;

    if (core_digit(object, &value) && value >= 0) {
        *out = (uint64_t)value;
        return 0;
    }
    return core_as_uint64_slow(object, out);
}

/** Any integer at all, modulo 2**32. */
int core_as_uint32_modulo(PyObject *object, uint32_t *out);

static inline int core_as_ssize(PyObject *object, Py_ssize_t *out)
{
    int64_t value = 0;

    if (core_as_int(object, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "ssize_t", &value) < 0) {
        return -1;
    }
    *out = (Py_ssize_t)value;
    return 0;
}

/* ---- floats and truth ------------------------------------------------------------------------------- */

static inline int core_as_double(PyObject *object, double *out)
{
    double value = 0.0;

#if !defined(Py_LIMITED_API)
    if (PyFloat_CheckExact(object)) {
        *out = PyFloat_AS_DOUBLE(object);
        return 0;
    }
#endif
    value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    *out = value;
    return 0;
}

static inline int core_as_bool(PyObject *object, bool *out)
{
    int truth = 0;

    if (object == Py_True || object == Py_False) {
        *out = object == Py_True;
        return 0;
    }
    truth = PyObject_IsTrue(object);
    if (truth < 0) {
        return -1;
    }
    *out = truth != 0;
    return 0;
}

/* ---- buffers ------------------------------------------------------------------------------------- */

/** Bytes of an argument. view.obj is NULL when nothing has to be released. */
typedef struct core_bytes {
    const uint8_t *data;
    size_t nbytes;
    Py_buffer view;
} core_bytes;

int core_as_bytes_slow(PyObject *object, core_bytes *out);

/** The contents of an exact `bytes`. */
static inline void core_bytes_of_bytes(PyObject *object, core_bytes *out)
{
#if defined(Py_LIMITED_API)
    char *data = NULL;
    Py_ssize_t nbytes = 0;

    (void)PyBytes_AsStringAndSize(object, &data, &nbytes);
    out->data = (const uint8_t *)data;
    out->nbytes = (size_t)nbytes;
#else
    out->data = (const uint8_t *)PyBytes_AS_STRING(object);
    out->nbytes = (size_t)PyBytes_GET_SIZE(object);
#endif
    out->view.obj = NULL;
}

/** The contents of an exact `bytearray`. */
static inline void core_bytes_of_bytearray(PyObject *object, core_bytes *out)
{
#if defined(Py_LIMITED_API)
    out->data = (const uint8_t *)PyByteArray_AsString(object);
    out->nbytes = (size_t)PyByteArray_Size(object);
#else
    out->data = (const uint8_t *)PyByteArray_AS_STRING(object);
    out->nbytes = (size_t)PyByteArray_GET_SIZE(object);
#endif
    out->view.obj = NULL;
}

/** Any contiguous buffer, held until core_bytes_release(). An exact `bytes` cannot change and the caller holds it:
 *  no export. */
static inline int core_as_bytes(PyObject *object, core_bytes *out)
{
    if (PyBytes_CheckExact(object)) {
        core_bytes_of_bytes(object, out);
        return 0;
    }
    return core_as_bytes_slow(object, out);
}

/** The same for a call that keeps the GIL and runs no Python: then a `bytearray` cannot change under it either. */
static inline int core_as_bytes_briefly(PyObject *object, core_bytes *out)
{
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    if (PyByteArray_CheckExact(object)) {
        core_bytes_of_bytearray(object, out);
        return 0;
    }
#endif
    return core_as_bytes(object, out);
}

static inline void core_bytes_release(core_bytes *bytes)
{
    if (bytes->view.obj != NULL) {
        PyBuffer_Release(&bytes->view);
    }
}

/** A contiguous buffer to write into; BufferError where that is not allowed. Release it with PyBuffer_Release(). */
int core_as_writable(PyObject *object, Py_buffer *out);

/** A bytes object of that size to write into, or NULL with MemoryError. */
static inline PyObject *core_new_bytes(size_t nbytes)
{
    PyObject *bytes = NULL;

    /* Sizes that leave no room for an object's header kill PyPy instead of raising. */
    if (nbytes > (size_t)PY_SSIZE_T_MAX - 4096) {
        return PyErr_NoMemory();
    }
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes);
#if defined(PYPY_VERSION)
    if (bytes == NULL) { /* what PyPy raises for want of memory is a SystemError around a MemoryError */
        PyErr_Clear();
        PyErr_NoMemory();
    }
#endif
    return bytes;
}

/* ---- text ---------------------------------------------------------------------------------------- */

/** UTF-8 of a str, owned by the str; NULs are data. */
int core_as_utf8(PyObject *object, const char **out, Py_ssize_t *out_nbytes);

/** The same for a function that takes a NUL-terminated string: ValueError for an embedded NUL. */
int core_as_text(PyObject *object, const char **out);

/* ---- keyword arguments -------------------------------------------------------------------------------- */

typedef struct core_signature {
    const char *function;
    Py_ssize_t positional_only; /**< that many come first and have no name */
    Py_ssize_t required;
    Py_ssize_t total;
    const char *const *names;
} core_signature;

int core_arguments_slow(const core_signature *signature, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **out);

/** Sort the arguments of a METH_FASTCALL | METH_KEYWORDS call into `out`; NULL where one was left out. */
static inline int core_arguments(const core_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames, PyObject **out)
{
    if (kwnames != NULL || nargs < signature->required || nargs > signature->total) {
        return core_arguments_slow(signature, args, nargs, kwnames, out);
    }
    for (Py_ssize_t i = 0; i < signature->total; i++) {
        out[i] = i < nargs ? args[i] : NULL;
    }
    return 0;
}

#endif
