/* A C extension, written by hand against the interpreter's C API. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "cside/idioms.h"

static PyObject *f64_add(PyObject *module, PyObject *args)
{
    double a, b;
    if (!PyArg_ParseTuple(args, "dd", &a, &b)) {
        return NULL;
    }
    return PyFloat_FromDouble(cs_f64_add(a, b));
}

/* TODO: i32_add */

static PyMethodDef methods[] = {
    {"f64_add", f64_add, METH_VARARGS, "The sum of two floats."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "with_cext", .m_size = 0,
                                        .m_methods = methods};

PyMODINIT_FUNC PyInit_with_cext(void)
{
    return PyModuleDef_Init(&definition);
}
