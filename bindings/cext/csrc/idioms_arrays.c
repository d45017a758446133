/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_arrays.c - arrays of structs that point into the memory of other objects.
 */
#include "buffers.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"

#include "cside/idioms.h"

/** Arrays of up to this many attributes are on the stack. Most calls of such interfaces have only a few. */
#define ATTRS_ON_STACK 8

/** A list or tuple as a tuple, a new reference. A conversion may run Python code, which could change a list but not a
 *  tuple. */
static PyObject *frozen(PyObject *sequence)
{
    if (PyTuple_Check(sequence)) {
        return Py_NewRef(sequence);
    }
    if (PyList_Check(sequence)) {
        return PyList_AsTuple(sequence);
    }
    PyErr_Format(PyExc_TypeError, "a list or tuple is required, not '%.100s'", Py_TYPE(sequence)->tp_name);
    return NULL;
}

static PyObject *attrs_digest(PyObject *Py_UNUSED(module), PyObject *sequence)
{
    cs_attr few_attrs[ATTRS_ON_STACK];
    core_bytes few_values[ATTRS_ON_STACK];
    cs_attr *attrs = few_attrs;
    core_bytes *values = few_values;
    PyObject *pairs = NULL;
    PyObject *result = NULL;
    Py_ssize_t count = 0;
    Py_ssize_t held = 0;

    pairs = frozen(sequence);
    if (pairs == NULL) {
        return NULL;
    }
    count = PyTuple_GET_SIZE(pairs);
    if (count > ATTRS_ON_STACK) {
        attrs = PyMem_New(cs_attr, (size_t)count);
        values = PyMem_New(core_bytes, (size_t)count);
        if (attrs == NULL || values == NULL) {
            PyErr_NoMemory();
            goto exit;
        }
    }
    for (; held < count; held++) {
        PyObject *pair = PyTuple_GET_ITEM(pairs, held);

        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
            PyErr_SetString(PyExc_TypeError, "an attribute is a tuple (type, value)");
            goto exit;
        }
        if (core_as_uint32(PyTuple_GET_ITEM(pair, 0), &attrs[held].type) < 0 ||
            core_as_bytes(PyTuple_GET_ITEM(pair, 1), &values[held]) < 0) {
            goto exit;
        }
        attrs[held].value = (void *)(uintptr_t)values[held].data; /* the library only reads from it */
        attrs[held].value_nbytes = values[held].nbytes;
    }
    result = PyLong_FromUnsignedLongLong(cs_attrs_digest(attrs, (size_t)count));
exit:
    while (held > 0) {
        core_bytes_release(&values[--held]);
    }
    if (attrs != few_attrs) {
        PyMem_Free(attrs);
    }
    if (values != few_values) {
        PyMem_Free(values);
    }
    Py_DECREF(pairs);
    return result;
}

/** A list [(type, value), ...]. It takes over the references in `values` and sets them to NULL. */
static PyObject *attrs_list(const cs_attr *attrs, PyObject **values, Py_ssize_t count)
{
    PyObject *list = PyList_New(count);

    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *pair = PyTuple_New(2);
        PyObject *type = PyLong_FromUnsignedLong(attrs[i].type);

        if (pair == NULL || type == NULL) {
            Py_XDECREF(pair);
            Py_XDECREF(type);
            Py_CLEAR(list);
            break;
        }
        PyTuple_SET_ITEM(pair, 0, type);
        PyTuple_SET_ITEM(pair, 1, values[i]);
        values[i] = NULL;
        PyList_SET_ITEM(list, i, pair);
    }
    return list;
}

static PyObject *attrs_get(PyObject *module, PyObject *types)
{
    cs_attr few_attrs[ATTRS_ON_STACK];
    PyObject *few_values[ATTRS_ON_STACK];
    cs_attr *attrs = few_attrs;
    PyObject **values = few_values;
    PyObject *numbers = NULL;
    PyObject *list = NULL;
    Py_ssize_t count = 0;
    Py_ssize_t made = 0;
    cs_status status = CS_OK;

    numbers = PyTuple_CheckExact(types) ? Py_NewRef(types) : PySequence_Tuple(types);
    if (numbers == NULL) {
        return NULL;
    }
    count = PyTuple_GET_SIZE(numbers);
    if (count > ATTRS_ON_STACK) {
        attrs = PyMem_New(cs_attr, (size_t)count);
        values = PyMem_New(PyObject *, (size_t)count);
        if (attrs == NULL || values == NULL) {
            PyErr_NoMemory();
            goto exit;
        }
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (core_as_uint32(PyTuple_GET_ITEM(numbers, i), &attrs[i].type) < 0) {
            goto exit;
        }
        attrs[i].value = NULL;
        attrs[i].value_nbytes = 0;
    }
    status = cs_attrs_get(attrs, (size_t)count);
    if (status < 0) {
        core_raise(core_state_of(module), status);
        goto exit;
    }
    for (; made < count; made++) {
        values[made] = core_new_bytes(attrs[made].value_nbytes);
        if (values[made] == NULL) {
            goto exit;
        }
        attrs[made].value = PyBytes_AS_STRING(values[made]);
    }
    status = cs_attrs_get(attrs, (size_t)count);
    if (status < 0) {
        core_raise(core_state_of(module), status);
        goto exit;
    }
    /* The list is made after the values are written: PyPy copies a bytes object when a list takes it, and would miss
     * what is written later. */
    list = attrs_list(attrs, values, count);
exit:
    while (made > 0) {
        Py_XDECREF(values[--made]);
    }
    if (attrs != few_attrs) {
        PyMem_Free(attrs);
    }
    if (values != few_values) {
        PyMem_Free(values);
    }
    Py_DECREF(numbers);
    return list;
}

static PyMethodDef methods[] = {
    {"attrs_digest", attrs_digest, METH_O, DOC_attrs_digest},
    {"attrs_get", attrs_get, METH_O, DOC_attrs_get},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_arrays(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
