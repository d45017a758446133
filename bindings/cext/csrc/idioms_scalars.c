/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_scalars.c - a call without arguments, scalars of each width, six arguments, variadic calls.
 */
#include "convert.h"
#include "docstrings.h"
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

static PyMethodDef methods[] = {
    {"noop", CORE_FUNCTION(noop), CORE_NO_ARGUMENTS, DOC_noop},
    {"i32_add", CORE_FUNCTION(i32_add), METH_FASTCALL, DOC_i32_add},
    {"f64_add", CORE_FUNCTION(f64_add), METH_FASTCALL, DOC_f64_add},
    {"mixed_sum", CORE_FUNCTION(mixed_sum), METH_FASTCALL, DOC_mixed_sum},
#if !defined(CORE_KNOBS_ONLY)
    {"i8_add", CORE_FUNCTION(i8_add), METH_FASTCALL, DOC_i8_add},
    {"u8_add", CORE_FUNCTION(u8_add), METH_FASTCALL, DOC_u8_add},
    {"i16_add", CORE_FUNCTION(i16_add), METH_FASTCALL, DOC_i16_add},
    {"u16_add", CORE_FUNCTION(u16_add), METH_FASTCALL, DOC_u16_add},
    {"u32_add", CORE_FUNCTION(u32_add), METH_FASTCALL, DOC_u32_add},
    {"i64_add", CORE_FUNCTION(i64_add), METH_FASTCALL, DOC_i64_add},
    {"u64_add", CORE_FUNCTION(u64_add), METH_FASTCALL, DOC_u64_add},
    {"f32_add", CORE_FUNCTION(f32_add), METH_FASTCALL, DOC_f32_add},
    {"bool_not", bool_not, METH_O, DOC_bool_not},
    {"varargs_sum", CORE_FUNCTION(varargs_sum), METH_FASTCALL, DOC_varargs_sum},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_scalars(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
