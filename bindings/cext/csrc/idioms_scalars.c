/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_scalars.c - a call without arguments, scalars of each width, six arguments, variadic calls.
 */
#include "convert.h"
#include "errors.h"
#include "module.h"
#include "tables.h"

#include "cside/idioms.h"

static inline PyObject *noop_body(PyObject *Py_UNUSED(module))
{
    cs_noop();
    Py_RETURN_NONE;
}

CORE_DEFINE_NO_ARGUMENTS(noop)

/* One function for each width, so that the bounds are constants and the compiler removes the checks for 64 bits. */
#define DEFINE_ADD(NAME, TYPE, LOW, HIGH) \
    static PyObject *NAME(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) \
    { \
        int64_t a = 0; \
        int64_t b = 0; \
\
        if (nargs != 2) { \
            return core_bad_count(#NAME, 2, nargs); \
        } \
        if (core_as_int(args[0], LOW, HIGH, #TYPE, &a) < 0 || core_as_int(args[1], LOW, HIGH, #TYPE, &b) < 0) { \
            return NULL; \
        } \
        return PyLong_FromLongLong(cs_##NAME((TYPE)a, (TYPE)b)); \
    }

#if !defined(CORE_KNOBS_ONLY)
DEFINE_ADD(i8_add, int8_t, INT8_MIN, INT8_MAX)
DEFINE_ADD(u8_add, uint8_t, 0, UINT8_MAX)
DEFINE_ADD(i16_add, int16_t, INT16_MIN, INT16_MAX)
DEFINE_ADD(u16_add, uint16_t, 0, UINT16_MAX)
#endif
DEFINE_ADD(i32_add, int32_t, INT32_MIN, INT32_MAX)
#if !defined(CORE_KNOBS_ONLY)
DEFINE_ADD(u32_add, uint32_t, 0, UINT32_MAX)
DEFINE_ADD(i64_add, int64_t, INT64_MIN, INT64_MAX)

static PyObject *u64_add(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    uint64_t a = 0;
    uint64_t b = 0;

    if (nargs != 2) {
        return core_bad_count("u64_add", 2, nargs);
    }
    if (core_as_uint64(args[0], &a) < 0 || core_as_uint64(args[1], &b) < 0) {
        return NULL;
    }
    return PyLong_FromUnsignedLongLong(cs_u64_add(a, b));
}

static PyObject *f32_add(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    double a = 0.0;
    double b = 0.0;

    if (nargs != 2) {
        return core_bad_count("f32_add", 2, nargs);
    }
    if (core_as_double(args[0], &a) < 0 || core_as_double(args[1], &b) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble((double)cs_f32_add((float)a, (float)b));
}

#endif

static PyObject *f64_add(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    double a = 0.0;
    double b = 0.0;

    if (nargs != 2) {
        return core_bad_count("f64_add", 2, nargs);
    }
    if (core_as_double(args[0], &a) < 0 || core_as_double(args[1], &b) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble(cs_f64_add(a, b));
}

#if !defined(CORE_KNOBS_ONLY)

static PyObject *bool_not(PyObject *Py_UNUSED(module), PyObject *value)
{
    bool truth = false;

    if (core_as_bool(value, &truth) < 0) {
        return NULL;
    }
    return PyBool_FromLong(cs_bool_not(truth));
}

#endif

static PyObject *mixed_sum(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int32_t a = 0;
    uint64_t b = 0;
    double c = 0.0;
    bool d = false;
    int64_t e = 0;
    double f = 0.0;

    if (nargs != 6) {
        return core_bad_count("mixed_sum", 6, nargs);
    }
    if (core_as_int32(args[0], &a) < 0 || core_as_uint64(args[1], &b) < 0 || core_as_double(args[2], &c) < 0 ||
        core_as_bool(args[3], &d) < 0 || core_as_int(args[4], INT8_MIN, INT8_MAX, "int8_t", &e) < 0 ||
        core_as_double(args[5], &f) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble(cs_mixed_sum(a, b, c, d, (int8_t)e, (float)f));
}

#if !defined(CORE_KNOBS_ONLY)

static PyObject *varargs_sum(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int64_t v[CS_VARARGS_MAX] = {0};

    if (nargs > CS_VARARGS_MAX) {
        PyErr_Format(PyExc_TypeError, "varargs_sum() takes at most %d arguments (%zd given)", CS_VARARGS_MAX, nargs);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (core_as_int64(args[i], &v[i]) < 0) {
            return NULL;
        }
    }
    /* The number of arguments of a C call is fixed at compile time. A variadic function may ignore the last ones. */
    return PyLong_FromLongLong(cs_varargs_sum((uint32_t)nargs, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
}

#endif

#define ADD_METHOD(NAME, WHAT) {#NAME, CORE_FUNCTION(NAME), METH_FASTCALL, #NAME "($module, a, b, /)\n--\n\n" WHAT}

static PyMethodDef methods[] = {
    {"noop", CORE_FUNCTION(noop), CORE_NO_ARGUMENTS, "noop($module, /)\n--\n\nCall a function that does nothing."},
    ADD_METHOD(i32_add, "Sum of two int32_t, modulo 2**32, two's complement."),
    ADD_METHOD(f64_add, "Sum in double precision."),
    {"mixed_sum", CORE_FUNCTION(mixed_sum), METH_FASTCALL,
     "mixed_sum($module, a, b, c, d, e, f, /)\n--\n\n"
     "Sum of an int32_t, a uint64_t, a double, a bool, an int8_t and a float, as double."},
#if !defined(CORE_KNOBS_ONLY)
    ADD_METHOD(i8_add, "Sum of two int8_t, modulo 2**8, two's complement."),
    ADD_METHOD(u8_add, "Sum of two uint8_t, modulo 2**8."),
    ADD_METHOD(i16_add, "Sum of two int16_t, modulo 2**16, two's complement."),
    ADD_METHOD(u16_add, "Sum of two uint16_t, modulo 2**16."),
    ADD_METHOD(u32_add, "Sum of two uint32_t, modulo 2**32."),
    ADD_METHOD(i64_add, "Sum of two int64_t, modulo 2**64, two's complement."),
    ADD_METHOD(u64_add, "Sum of two uint64_t, modulo 2**64."),
    ADD_METHOD(f32_add, "Sum in single precision."),
    {"bool_not", bool_not, METH_O, "bool_not($module, value, /)\n--\n\nNegated truth value."},
    {"varargs_sum", CORE_FUNCTION(varargs_sum), METH_FASTCALL,
     "varargs_sum($module, /, *values)\n--\n\nSum of up to 8 int64_t, modulo 2**64, by a variadic C function."},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_scalars(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
