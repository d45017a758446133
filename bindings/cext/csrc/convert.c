/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.c - the slow paths of convert.h.
 */
#include "convert.h"
#include "limited_api.h"

/** The int of an object with __index__; a new reference. For an int PyNumber_Index() is slow on PyPy. */
static inline PyObject *as_index(PyObject *object)
{
    return PyLong_Check(object) ? Py_NewRef(object) : PyNumber_Index(object);
}

static int out_of_range(bool large, const char *what)
{
    PyErr_Format(PyExc_OverflowError, "Python int too %s to convert to %s", large ? "large" : "small", what);
    return -1;
}

int core_as_int_slow(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out)
{
    PyObject *number = as_index(object);
    long long value = 0;
    int overflow = 0;

    if (number == NULL) {
        return -1;
    }
    value = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (value == -1 && overflow == 0 && PyErr_Occurred()) {
        return -1;
    }
    if (overflow != 0 || value < low || value > high) {
        return out_of_range(overflow > 0 || (overflow == 0 && value > high), what);
    }
    *out = value;
    return 0;
}

int core_as_int64_slow(PyObject *object, int64_t *out)
{
#if defined(CORE_READS_DIGITS)
    if (PyLong_Check(object) && core_digits_are(object, 3)) {
        const digit *digits = core_digits(object);

        if (digits[2] < 8) { /* 3 bits in addition to the 60 of two digits */
            *out = core_sign(object) * ((int64_t)digits[2] << 60 | (int64_t)digits[1] << 30 | (int64_t)digits[0]);
            return 0;
        }
    }
#endif
    return core_as_int_slow(object, INT64_MIN, INT64_MAX, "int64_t", out);
}

int core_as_uint64_slow(PyObject *object, uint64_t *out)
{
    PyObject *number = NULL;
    unsigned long long value = 0;
    int64_t small = 0;

#if defined(CORE_READS_DIGITS)
    if (PyLong_Check(object) && core_digits_are(object, 3) && core_sign(object) > 0) {
        const digit *digits = core_digits(object);

        if (digits[2] < 16) { /* 4 bits in addition to the 60 of two digits */
            *out = (uint64_t)digits[2] << 60 | (uint64_t)digits[1] << 30 | (uint64_t)digits[0];
            return 0;
        }
    }
#endif
    number = as_index(object);
    if (number == NULL) {
        return -1;
    }
    value = PyLong_AsUnsignedLongLong(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        /* The texts of the interpreters differ. */
        int overflow = 0;

        PyErr_Clear();
        small = PyLong_AsLongLongAndOverflow(number, &overflow);
        Py_DECREF(number);
        return out_of_range(overflow > 0 || (overflow == 0 && small >= 0), "uint64_t");
    }
    Py_DECREF(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        return -1;
    }
    *out = value;
    return 0;
}

int core_as_uint32_modulo_slow(PyObject *object, uint32_t *out)
{
    PyObject *number = as_index(object);
    unsigned long value = 0;

    if (number == NULL) {
        return -1;
    }
    value = PyLong_AsUnsignedLongMask(number);
    Py_DECREF(number);
    if (value == (unsigned long)-1 && PyErr_Occurred()) {
        return -1;
    }
    *out = (uint32_t)value;
    return 0;
}

int core_as_utf8_slow(PyObject *object, const char **out, Py_ssize_t *out_nbytes)
{
    if (!core_is_str(object)) {
        core_bad_type("a str", object);
        return -1;
    }
    *out = PyUnicode_AsUTF8AndSize(object, out_nbytes);
    return *out == NULL ? -1 : 0;
}
