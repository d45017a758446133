/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_buffers.c - byte buffers in and out, with arguments parsed by format strings.
 */
#include "buffers.h"
#include "docstrings.h"
#include "module.h"

#include "cside/idioms.h"

static PyObject *bytes_sum(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    uint32_t sum = 0;

    if (!PyArg_ParseTuple(args, "y*:bytes_sum", &data)) {
        return NULL;
    }
    sum = cs_bytes_sum(data.buf, (size_t)data.len);
    PyBuffer_Release(&data);
    return PyLong_FromUnsignedLong(sum);
}

/** A converter for `O&`: a buffer to write into, which is released if a later argument is wrong. The unit `w*` raises
 *  TypeError for a buffer that is read-only or not contiguous; the contract wants BufferError. */
static int as_writable(PyObject *object, void *view)
{
    if (object == NULL) {
        PyBuffer_Release(view);
        return 1;
    }
    return core_as_writable(object, view) < 0 ? 0 : Py_CLEANUP_SUPPORTED;
}

static PyObject *buffer_fill(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer view;
    unsigned char value = 0;

    if (!PyArg_ParseTuple(args, "O&b:buffer_fill", as_writable, &view, &value)) {
        return NULL;
    }
    cs_buffer_fill(view.buf, (size_t)view.len, value);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"bytes_sum", bytes_sum, METH_VARARGS, DOC_bytes_sum},
    {"buffer_fill", buffer_fill, METH_VARARGS, DOC_buffer_fill},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_buffers(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
