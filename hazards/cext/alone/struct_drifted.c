/* SPDX-License-Identifier: Apache-2.0 */
#include <Python.h>

#include "hz.h"

/* As it was in version 1 of the library. */
typedef struct hz_config {
    int32_t version;
    int32_t limit;
} hz_config;

static PyObject *make(PyObject *self, PyObject *args)
{
    hz_config config;
    hz_config_get(&config);
    return PyLong_FromLong(config.limit);
}

static PyMethodDef methods[] = {
    {"make", make, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_alone_cext_struct_drifted", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__alone_cext_struct_drifted(void)
{
    return PyModule_Create(&definition);
}
