/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_scalars.c - a call without arguments, scalars, six arguments, all parsed by format strings.
 */
#include "arguments.h"
#include "docstrings.h"
#include "module.h"

#include "cside/idioms.h"

static PyObject *noop(PyObject *Py_UNUSED(module), PyObject *args)
{
    if (!PyArg_ParseTuple(args, ":noop")) {
        return NULL;
    }
    cs_noop();
    Py_RETURN_NONE;
}

static PyObject *i32_add(PyObject *Py_UNUSED(module), PyObject *args)
{
    int a = 0;
    int b = 0;

    if (!PyArg_ParseTuple(args, "ii:i32_add", &a, &b)) {
        return NULL;
    }
    return PyLong_FromLong(cs_i32_add(a, b));
}

static PyObject *f64_add(PyObject *Py_UNUSED(module), PyObject *args)
{
    double a = 0.0;
    double b = 0.0;

    if (!PyArg_ParseTuple(args, "dd:f64_add", &a, &b)) {
        return NULL;
    }
    return PyFloat_FromDouble(cs_f64_add(a, b));
}

static PyObject *mixed_sum(PyObject *Py_UNUSED(module), PyObject *args)
{
    int a = 0;
    uint64_t b = 0;
    double c = 0.0;
    int d = 0;
    long long e = 0;
    float f = 0.0F;

    if (!PyArg_ParseTuple(args, "iO&dpLf:mixed_sum", &a, arguments_as_uint64, &b, &c, &d, &e, &f) ||
        arguments_within(e, INT8_MIN, INT8_MAX, "int8_t") < 0) {
        return NULL;
    }
    return PyFloat_FromDouble(cs_mixed_sum(a, b, c, d != 0, (int8_t)e, f));
}

static PyMethodDef methods[] = {
    {"noop", noop, METH_VARARGS, DOC_noop},
    {"i32_add", i32_add, METH_VARARGS, DOC_i32_add},
    {"f64_add", f64_add, METH_VARARGS, DOC_f64_add},
    {"mixed_sum", mixed_sum, METH_VARARGS, DOC_mixed_sum},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_scalars(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
