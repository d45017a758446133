/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_checksums.c - crc32, with its arguments parsed by a format string.
 */
#include "docstrings.h"
#include "module.h"

#include "cside/codec.h"

static PyObject *crc32(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    unsigned int value = 0;

    if (!PyArg_ParseTuple(args, "y*|I:crc32", &data, &value)) {
        return NULL;
    }
    if ((size_t)data.len < CS_CHECKSUM_LONG_NBYTES) {
        value = cs_crc32(value, data.buf, (size_t)data.len);
    } else {
        Py_BEGIN_ALLOW_THREADS
        value = cs_crc32(value, data.buf, (size_t)data.len);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&data);
    return PyLong_FromUnsignedLong(value);
}

static PyMethodDef methods[] = {
    {"crc32", crc32, METH_VARARGS, DOC_crc32},
    {NULL, NULL, 0, NULL},
};

int core_add_codec_checksums(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
