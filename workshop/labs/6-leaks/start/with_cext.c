/* A C extension that gives right answers to right questions, and has four mistakes. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "cside/idioms.h"

/* The exception for a status of the library. Returns NULL, so that a function can return it. */
static PyObject *raise_status(cs_status status)
{
    PyObject *kind = status == CS_E_MEMORY      ? PyExc_MemoryError
                     : status == CS_E_NOT_FOUND ? PyExc_LookupError
                                                : PyExc_RuntimeError;
    PyErr_SetString(kind, cs_status_message(status));
    return NULL;
}

/* repeat(text, times): the text, so many times, which the library allocates. */
static PyObject *repeat(PyObject *module, PyObject *args)
{
    const char *text;
    unsigned int times;
    char *repeated = NULL;
    if (!PyArg_ParseTuple(args, "sI", &text, &times)) {
        return NULL;
    }
    cs_status status = cs_string_repeat(text, times, &repeated);
    if (status != CS_OK) {
        return raise_status(status);
    }
    return PyUnicode_FromString(repeated);
}

/* The blob of this number as bytes, or NULL with an exception. */
static PyObject *one_blob(unsigned int index)
{
    size_t nbytes = CS_RUNS_FIRST_NBYTES;
    cs_blob_get(index, NULL, &nbytes);
    PyObject *blob = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes);
    if (blob == NULL) {
        return NULL;
    }
    cs_status status = cs_blob_get(index, (uint8_t *)PyBytes_AS_STRING(blob), &nbytes);
    if (status != CS_OK) {
        return raise_status(status);
    }
    return blob;
}

/* blob(index) */
static PyObject *blob(PyObject *module, PyObject *arg)
{
    unsigned long index = PyLong_AsUnsignedLong(arg);
    return one_blob((unsigned int)index);
}

/* blobs(count): a list of the blobs 0, 1, ... */
static PyObject *blobs(PyObject *module, PyObject *arg)
{
    long count = PyLong_AsLong(arg);
    if (count == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    for (long i = 0; i < count; i++) {
        PyObject *each = one_blob((unsigned int)i);
        if (each == NULL || PyList_Append(list, each) < 0) {
            Py_XDECREF(each);
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyMethodDef methods[] = {
    {"repeat", repeat, METH_VARARGS, "The text, so many times."},
    {"blob", blob, METH_O, "The blob of this number."},
    {"blobs", blobs, METH_O, "A list of the first blobs."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "with_cext", .m_size = 0,
                                        .m_methods = methods};

PyMODINIT_FUNC PyInit_with_cext(void)
{
    return PyModuleDef_Init(&definition);
}
