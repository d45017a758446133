/* SPDX-License-Identifier: Apache-2.0
 *
 * arguments.h - what format strings have no unit for: 32 and 64 bits without a sign, checked.
 *
 * `I` and `K` take any number modulo 2**32 or 2**64, and there is no unit for an int8_t.
 */
#ifndef CSIDE_CEXT_VARARGS_ARGUMENTS_H
#define CSIDE_CEXT_VARARGS_ARGUMENTS_H

#include "interpreter.h"

/** A number that `L` parsed, or OverflowError. */
static inline int arguments_within(long long value, long long low, long long high, const char *what)
{
    if (value < low || value > high) {
        PyErr_Format(PyExc_OverflowError, "Python int too %s to convert to %s", value > high ? "large" : "small", what);
        return -1;
    }
    return 0;
}

/** For `O&`: a uint64_t, from anything with __index__. */
static inline int arguments_as_uint64(PyObject *object, void *out)
{
    PyObject *number = PyNumber_Index(object);
    unsigned long long value = 0;

    if (number == NULL) {
        return 0;
    }
    value = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        return 0;
    }
    *(uint64_t *)out = value;
    return 1;
}

#endif
