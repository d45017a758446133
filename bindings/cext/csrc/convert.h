/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.h - arguments from Python to C: numbers, truth values, text, callables. Each function returns 0, or -1
 * with an exception set.
 *
 * A conversion that is called often has an inline fast path for objects of exactly the expected type and a slow path in
 * convert.c.
 */
#ifndef CSIDE_CEXT_CONVERT_H
#define CSIDE_CEXT_CONVERT_H

#include "errors.h"

/* ---- integers --------------------------------------------------------------------------------- */

/** The value of an exact int, if it has one digit (30 bits on usual builds; with the limited API: if it fits 64 bits).
 *  Otherwise false. */
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
    *out = PyLong_AsLongLongAndOverflow(object, &overflow); /* for an exact int there is no other failure */
    return overflow == 0;
#elif PY_VERSION_HEX >= 0x030C0000
    if (!PyLong_CheckExact(object) || !PyUnstable_Long_IsCompact((PyLongObject *)object)) {
        return false;
    }
    *out = PyUnstable_Long_CompactValue((PyLongObject *)object);
    return true;
#else
    Py_ssize_t size = Py_SIZE(object); /* in 3.11 this is the sign times the number of digits */

    if (!PyLong_CheckExact(object) || size < -1 || size > 1) {
        return false;
    }
    *out = (int64_t)size * (int64_t)((PyLongObject *)object)->ob_digit[0];
    return true;
#endif
}

int core_as_int_slow(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out);
int core_as_uint64_slow(PyObject *object, uint64_t *out);

/** The value of anything with __index__. OverflowError, which names `what`, if it is not within `low` and `high`. */
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

/** The value of anything with __index__, modulo 2**32. */
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

/* ---- floats and truth ------------------------------------------------------------------------- */

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

/* ---- text ------------------------------------------------------------------------------------- */

/** The UTF-8 of a str, which the str owns. It may contain NULs. */
int core_as_utf8(PyObject *object, const char **out, Py_ssize_t *out_nbytes);

/** The UTF-8 of a str as a NUL-terminated string, which the str owns. ValueError if it contains a NUL. */
int core_as_text(PyObject *object, const char **out);

/* ---- callables -------------------------------------------------------------------------------- */

/** Check that `object` can be called; TypeError if not. */
static inline int core_as_callable(PyObject *object)
{
    if (!PyCallable_Check(object)) {
        core_bad_type("a callable", object);
        return -1;
    }
    return 0;
}

#endif
