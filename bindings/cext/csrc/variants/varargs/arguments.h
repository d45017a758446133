/* SPDX-License-Identifier: Apache-2.0
 *
 * arguments.h - range checks for integers that no unit of a format string checks.
 *
 * The units `I` and `K` reduce any number modulo 2**32 or 2**64 instead of raising OverflowError, and there is no unit
 * for an int8_t.
 */
#ifndef CSIDE_CEXT_VARARGS_ARGUMENTS_H
#define CSIDE_CEXT_VARARGS_ARGUMENTS_H

#include "interpreter.h"

/** Check the range of a number that `L` parsed. Returns 0, or -1 with OverflowError, which names `what`. */
static inline int arguments_within(long long value, long long low, long long high, const char *what)
{
    if (value < low || value > high) {
        PyErr_Format(PyExc_OverflowError, "Python int too %s to convert to %s", value > high ? "large" : "small", what);
        return -1;
    }
    return 0;
}

/** A converter for `O&`: anything with __index__ to a uint64_t. */
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
