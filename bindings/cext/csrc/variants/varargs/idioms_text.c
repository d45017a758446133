/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_text.c - NUL-terminated text in and a field of fixed width out, with arguments parsed by format strings.
 */
#include "arguments.h"
#include "docstrings.h"
#include "module.h"

#include "cside/idioms.h"

static PyObject *string_length(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *text = NULL;

    if (!PyArg_ParseTuple(args, "s:string_length", &text)) {
        return NULL;
    }
    return PyLong_FromSize_t(cs_string_length(text));
}

static PyObject *label_get(PyObject *Py_UNUSED(module), PyObject *args)
{
    char label[CS_LABEL_NBYTES];
    Py_ssize_t nbytes = CS_LABEL_NBYTES;
    long long index = 0;

    if (!PyArg_ParseTuple(args, "L:label_get", &index) || arguments_within(index, 0, UINT32_MAX, "uint32_t") < 0) {
        return NULL;
    }
    cs_label_get((uint32_t)index, label);
    while (nbytes > 0 && label[nbytes - 1] == ' ') {
        nbytes--;
    }
    return Py_BuildValue("s#", label, nbytes);
}

static PyMethodDef methods[] = {
    {"string_length", string_length, METH_VARARGS, DOC_string_length},
    {"label_get", label_get, METH_VARARGS, DOC_label_get},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_text(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
