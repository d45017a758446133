/* SPDX-License-Identifier: Apache-2.0 */
#include <Python.h>

#include "hz.h"

int hz_subtract(int left, int right); /* without its calling convention */

static PyObject *make(PyObject *self, PyObject *args)
{
    return PyLong_FromLong(hz_subtract(44, 2));
}

static PyMethodDef methods[] = {
    {"make", make, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_alone_cext_calling_convention", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__alone_cext_calling_convention(void)
{
    return PyModule_Create(&definition);
}
