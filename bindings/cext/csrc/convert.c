/* SPDX-License-Identifier: Apache-2.0
 *
 * convert.c - the slow paths of convert.h.
 */
#include "convert.h"
#include "limited_api.h"

#include <string.h>

/** The int of an object with __index__; a new reference. On PyPy PyNumber_Index() of an int is slow. */
static inline PyObject *as_index(PyObject *object)
{
    return PyLong_Check(object) ? Py_NewRef(object) : PyNumber_Index(object);
}

int core_as_int_slow(PyObject *object, int64_t low, int64_t high, const char *what, int64_t *out)
{
    PyObject *number = NULL;
    long long value = 0;
    int overflow = 0;

    number = as_index(object);
    if (number == NULL) {
        return -1;
    }
    value = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (value == -1 && overflow == 0 && PyErr_Occurred()) {
        return -1;
    }
    if (overflow != 0 || value < low || value > high) {
        PyErr_Format(PyExc_OverflowError, "Python int too %s to convert to %s",
                     overflow > 0 || (overflow == 0 && value > high) ? "large" : "small", what);
        return -1;
    }
    *out = value;
    return 0;
}

int core_as_uint64_slow(PyObject *object, uint64_t *out)
{
    PyObject *number = NULL;
    long long small = 0;
    unsigned long long value = 0;
    int overflow = 0;

    number = as_index(object);
    if (number == NULL) {
        return -1;
    }
    small = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0 && small >= 0) {
        value = (unsigned long long)small;
    } else if (overflow > 0) {
        value = PyLong_AsUnsignedLongLong(number);
    }
    Py_DECREF(number);
    if (PyErr_Occurred()) {
        return -1;
    }
    if (overflow < 0 || (overflow == 0 && small < 0)) {
        PyErr_SetString(PyExc_OverflowError, "Python int too small to convert to uint64_t");
        return -1;
    }
    *out = value;
    return 0;
}

int core_as_uint32_modulo(PyObject *object, uint32_t *out)
{
    PyObject *number = NULL;
    unsigned long value = 0;
    int64_t digit = 0;

    if (core_digit(object, &digit)) {
        *out = (uint32_t)digit;
        return 0;
    }
    number = as_index(object);
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

int core_as_utf8(PyObject *object, const char **out, Py_ssize_t *out_nbytes)
{
    if (!core_is_str(object)) {
        core_bad_type("a str", object);
        return -1;
    }
    *out = PyUnicode_AsUTF8AndSize(object, out_nbytes);
    return *out == NULL ? -1 : 0;
}

int core_as_text(PyObject *object, const char **out)
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
