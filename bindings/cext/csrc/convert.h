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

#include <string.h>

/* ---- integers --------------------------------------------------------------------------------- */

/* An int of up to 60 bits, on usual builds two digits of 30 bits, is read without a call. The digits are
 * declared in a header that promises nothing, so this is done for the versions whose layout is known; a
 * later one uses the functions that it documents for the fast path, which is then for one digit. PyLong_Check() and not
 * PyLong_CheckExact(), because for a subclass of int too operator.index() gives the number that is stored in it. */
#if !defined(PYPY_VERSION) && !defined(Py_LIMITED_API)
#if PY_VERSION_HEX < 0x030F0000 && PyLong_SHIFT == 30
#define CORE_READS_DIGITS
#endif
#endif

#if defined(CORE_READS_DIGITS)

/** The digits of an int, the least significant one first. */
static inline const digit *core_digits(PyObject *number)
{
#if PY_VERSION_HEX >= 0x030C0000
    return ((const PyLongObject *)number)->long_value.ob_digit;
#else
    return ((const PyLongObject *)number)->ob_digit;
#endif
}

/** Whether the int has this number of digits. */
static inline bool core_digits_are(PyObject *number, Py_ssize_t count)
{
#if PY_VERSION_HEX >= 0x030C0000
    return ((const PyLongObject *)number)->long_value.lv_tag >> _PyLong_NON_SIZE_BITS == (uintptr_t)count;
#else
    return Py_SIZE(number) == count || Py_SIZE(number) == -count;
#endif
}

/** The value of an int with no or one digit. There is memory for one digit even if none is used. Otherwise false. */
static inline bool core_one_digit(PyObject *number, int64_t *out)
{
#if PY_VERSION_HEX >= 0x030C0000
    if (!PyUnstable_Long_IsCompact((const PyLongObject *)number)) {
        return false;
    }
    *out = PyUnstable_Long_CompactValue((const PyLongObject *)number);
#else
    Py_ssize_t size = Py_SIZE(number); /* in 3.11 the sign times the number of digits */

    if (size < -1 || size > 1) {
        return false;
    }
    *out = (int64_t)size * (int64_t)core_digits(number)[0];
#endif
    return true;
}

/** 1, or -1 for a negative int. The value of an int is its sign times the value of its digits. */
static inline int64_t core_sign(PyObject *number)
{
#if PY_VERSION_HEX >= 0x030C0000
    return 1 - (int64_t)(((const PyLongObject *)number)->long_value.lv_tag & _PyLong_SIGN_MASK); /* and 0 for zero */
#else
    return Py_SIZE(number) < 0 ? -1 : 1;
#endif
}

#endif

/** The value of an int, if it can be read without a call; with the limited API, that of any exact int that fits.
 *  Otherwise false. */
static inline bool core_read_int(PyObject *object, int64_t *out)
{
#if defined(CORE_READS_DIGITS)
    if (!PyLong_Check(object)) {
        return false;
    }
    if (core_one_digit(object, out)) {
        return true;
    }
    if (core_digits_are(object, 2)) {
        *out = core_sign(object) * ((int64_t)core_digits(object)[1] << 30 | (int64_t)core_digits(object)[0]);
        return true;
    }
    return false;
#elif defined(PYPY_VERSION)
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
    if (!PyLong_Check(object) || !PyUnstable_Long_IsCompact((PyLongObject *)object)) {
        return false;
    }
    *out = PyUnstable_Long_CompactValue((PyLongObject *)object);
    return true;
#else
    (void)object, (void)out; /* 3.11 with digits of 15 bits */
    return false;
#endif
}

int core_as_int_slow(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out);
int core_as_int64_slow(PyObject *object, int64_t *out);
int core_as_uint64_slow(PyObject *object, uint64_t *out);

/** The value of anything with __index__. OverflowError, which names `what`, if it is not within `low` and `high`. */
static inline int core_as_int(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out)
{
    int64_t value = 0;

    if (core_read_int(object, &value) && low <= value && value <= high) {
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
    if (core_read_int(object, out)) {
        return 0;
    }
    return core_as_int64_slow(object, out);
}

static inline int core_as_uint64(PyObject *object, uint64_t *out)
{
    int64_t value = 0;

    if (core_read_int(object, &value) && value >= 0) {
        *out = (uint64_t)value;
        return 0;
    }
    return core_as_uint64_slow(object, out);
}

/** The value of anything with __index__, modulo 2**32. */
int core_as_uint32_modulo_slow(PyObject *object, uint32_t *out);

static inline int core_as_uint32_modulo(PyObject *object, uint32_t *out)
{
    int64_t value = 0;

    if (core_read_int(object, &value)) {
        *out = (uint32_t)value;
        return 0;
    }
    return core_as_uint32_modulo_slow(object, out);
}

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

int core_as_utf8_slow(PyObject *object, const char **out, Py_ssize_t *out_nbytes);

/** The UTF-8 of a str, which the str owns. It may contain NULs. */
static inline int core_as_utf8(PyObject *object, const char **out, Py_ssize_t *out_nbytes)
{
#if !defined(PYPY_VERSION) && !defined(Py_LIMITED_API)
    if (PyUnicode_Check(object) && PyUnicode_IS_COMPACT_ASCII(object)) { /* it is stored as UTF-8 */
        *out = (const char *)PyUnicode_1BYTE_DATA(object);
        *out_nbytes = PyUnicode_GET_LENGTH(object);
        return 0;
    }
#endif
    return core_as_utf8_slow(object, out, out_nbytes);
}

/** The UTF-8 of a str as a NUL-terminated string, which the str owns. ValueError if it contains a NUL. */
static inline int core_as_text(PyObject *object, const char **out)
{
    Py_ssize_t nbytes = 0;

    if (core_as_utf8(object, out, &nbytes) < 0) {
        return -1;
    }
    if (strlen(*out) != (size_t)nbytes) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return -1;
    }
    return 0;
}

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
