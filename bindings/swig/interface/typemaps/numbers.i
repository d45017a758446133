/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers, by their C types. An integer argument is any object with __index__ whose value is in the range of the C
 * type; a bool is the truth value of any object. SWIG's own typemaps refuse __index__ and report a wrong sign as
 * TypeError.
 */
%{
#if SIZEOF_LONG == 8 /* then int64_t is a long, whose conversion is the faster one */
#define cside_long_as_i64 PyLong_AsLong
#define cside_long_from_i64 PyLong_FromLong
#else
#define cside_long_as_i64 PyLong_AsLongLong
#define cside_long_from_i64 PyLong_FromLongLong
#endif

static bool cside_overflow(const char *type)
{
    PyErr_Format(PyExc_OverflowError, "Python int too large to convert to C %s", type);
    return false;
}

/* The value of an exact int of one digit, which is usually 30 bits: it is in the object, and no function is called. */
SWIGINTERNINLINE bool cside_digit(PyObject *object, int64_t *out)
{
#ifdef PYPY_VERSION
    (void)object, (void)out;
    return false;
#elif PY_VERSION_HEX >= 0x030c0000
    if (!PyLong_CheckExact(object) || !PyUnstable_Long_IsCompact((PyLongObject *)object))
        return false;
    *out = PyUnstable_Long_CompactValue((PyLongObject *)object);
    return true;
#else
    const Py_ssize_t size = Py_SIZE(object); /* the sign times the number of digits */

    if (!PyLong_CheckExact(object) || size < -1 || size > 1)
        return false;
    *out = (int64_t)size * (int64_t)((PyLongObject *)object)->ob_digit[0];
    return true;
#endif
}

SWIGINTERN bool cside_as_i64_slow(PyObject *object, int64_t *out)
{
    if (PyLong_Check(object)) {
        *out = cside_long_as_i64(object);
    } else {
        PyObject *index = PyNumber_Index(object);
        if (index == NULL)
            return false;
        *out = cside_long_as_i64(index);
        Py_DECREF(index);
    }
    return *out != -1 || !PyErr_Occurred();
}

SWIGINTERNINLINE bool cside_as_i64(PyObject *object, int64_t *out)
{
    return cside_digit(object, out) || cside_as_i64_slow(object, out);
}

SWIGINTERNINLINE bool cside_as_ranged(PyObject *object, int64_t low, int64_t high, const char *type, int64_t *out)
{
    if (!cside_as_i64(object, out))
        return false;
    return (*out >= low && *out <= high) || cside_overflow(type);
}

SWIGINTERN bool cside_as_u64_slow(PyObject *object, uint64_t *out)
{
    if (PyLong_Check(object)) {
        *out = PyLong_AsUnsignedLongLong(object);
    } else {
        PyObject *index = PyNumber_Index(object);
        if (index == NULL)
            return false;
        *out = PyLong_AsUnsignedLongLong(index);
        Py_DECREF(index);
    }
    return *out != UINT64_MAX || !PyErr_Occurred();
}

SWIGINTERNINLINE bool cside_as_u64(PyObject *object, uint64_t *out)
{
    int64_t value;

    if (!cside_digit(object, &value) || value < 0)
        return cside_as_u64_slow(object, out);
    *out = (uint64_t)value;
    return true;
}

SWIGINTERNINLINE bool cside_as_double(PyObject *object, double *out)
{
    *out = PyFloat_AsDouble(object);
    return *out != -1.0 || !PyErr_Occurred();
}
%}

%define %ranged_integer(TYPE, LOW, HIGH)
%typemap(in) TYPE {
    int64_t value;
    if (!cside_as_ranged($input, LOW, HIGH, "$1_type", &value))
        SWIG_fail;
    $1 = ($1_ltype)value;
}
%typemap(out) TYPE "$result = cside_long_from_i64((int64_t)$1);"
%enddef

%ranged_integer(int8_t, INT8_MIN, INT8_MAX)
%ranged_integer(uint8_t, 0, UINT8_MAX)
%ranged_integer(int16_t, INT16_MIN, INT16_MAX)
%ranged_integer(uint16_t, 0, UINT16_MAX)
%ranged_integer(int32_t, INT32_MIN, INT32_MAX)
%ranged_integer(uint32_t, 0, UINT32_MAX)

%typemap(in) int64_t "if (!cside_as_i64($input, &$1)) SWIG_fail;"
%typemap(out) int64_t "$result = cside_long_from_i64($1);"

%typemap(in) uint64_t "if (!cside_as_u64($input, &$1)) SWIG_fail;"
%typemap(out) uint64_t "$result = PyLong_FromUnsignedLongLong($1);"

%typemap(in) size_t {
    uint64_t value;
    if (!cside_as_u64($input, &value))
        SWIG_fail;
    if (value > SIZE_MAX) {
        cside_overflow("size_t");
        SWIG_fail;
    }
    $1 = (size_t)value;
}
%typemap(out) size_t "$result = PyLong_FromSize_t($1);"

%typemap(in) Py_ssize_t {
    int64_t value;
    if (!cside_as_ranged($input, PY_SSIZE_T_MIN, PY_SSIZE_T_MAX, "ssize_t", &value))
        SWIG_fail;
    $1 = (Py_ssize_t)value;
}

%typemap(in) double "if (!cside_as_double($input, &$1)) SWIG_fail;"
%typemap(out) double "$result = PyFloat_FromDouble($1);"

/* The cast rounds to nearest, and to infinity beyond the range of a float. */
%typemap(in) float {
    double value;
    if (!cside_as_double($input, &value))
        SWIG_fail;
    $1 = (float)value;
}
%typemap(out) float "$result = PyFloat_FromDouble($1);"

%typemap(in) bool {
    int truth = PyObject_IsTrue($input);
    if (truth < 0)
        SWIG_fail;
    $1 = truth != 0;
}
%typemap(out) bool "$result = PyBool_FromLong($1);"

/* An out-parameter takes no argument: its value is the result. `FROM` makes a Python object of it. */
%define %out_integer(TYPE, NAME, FROM)
%typemap(in, numinputs=0) TYPE *NAME (TYPE number) "$1 = &number;"
%typemap(argout) TYPE *NAME {
    %set_result(FROM(*$1))
}
%enddef
