/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_buffers.c - byte buffers in and out, and output of unknown size.
 */
#include "buffers.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/idioms.h"

static PyObject *bytes_sum(PyObject *Py_UNUSED(module), PyObject *data)
{
    core_bytes bytes;
    uint32_t sum = 0;

    if (PyBytes_CheckExact(data)) { /* nothing has to be released, which the compiler can see only here */
        core_bytes_of_bytes(data, &bytes);
        return PyLong_FromUnsignedLong(cs_bytes_sum(bytes.data, bytes.nbytes));
    }
    if (core_as_bytes_briefly(data, &bytes) < 0) {
        return NULL;
    }
    sum = cs_bytes_sum(bytes.data, bytes.nbytes);
    core_bytes_release(&bytes);
    return PyLong_FromUnsignedLong(sum);
}

static PyObject *buffer_fill(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    Py_buffer view;
    int64_t value = 0;

    if (nargs != 2) {
        return core_bad_count("buffer_fill", 2, nargs);
    }
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    /* A bytearray cannot be resized while this call keeps the GIL and runs no Python code, so an exact one is written
     * to without holding a buffer. The conversion of the value may run Python code, so it comes first. */
    if (PyByteArray_CheckExact(args[0])) {
        core_bytes bytes;

        if (core_as_int(args[1], 0, UINT8_MAX, "uint8_t", &value) < 0) {
            return NULL;
        }
        core_bytes_of_bytearray(args[0], &bytes);
        cs_buffer_fill((uint8_t *)(uintptr_t)bytes.data, bytes.nbytes, (uint8_t)value);
        Py_RETURN_NONE;
    }
#endif
    if (core_as_writable(args[0], &view) < 0) {
        return NULL;
    }
    if (core_as_int(args[1], 0, UINT8_MAX, "uint8_t", &value) < 0) {
        PyBuffer_Release(&view);
        return NULL;
    }
    cs_buffer_fill(view.buf, (size_t)view.len, (uint8_t)value);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

#if !defined(CORE_KNOBS_ONLY)

static PyObject *blob_get(PyObject *module, PyObject *index)
{
    PyObject *blob = NULL;
    uint32_t number = 0;
    size_t nbytes = 0;
    cs_status status = CS_OK;

    if (core_as_uint32(index, &number) < 0) {
        return NULL;
    }
    status = cs_blob_get(number, NULL, &nbytes);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    blob = core_new_bytes(nbytes);
    if (blob == NULL) {
        return NULL;
    }
    /* Even an empty bytes object has room for one byte, its NUL, so the pointer is never NULL. */
    status = cs_blob_get(number, (uint8_t *)PyBytes_AS_STRING(blob), &nbytes);
    if (status < 0) {
        Py_DECREF(blob);
        return core_raise(core_state_of(module), status);
    }
    return blob;
}

static PyObject *runs_expand(PyObject *module, PyObject *data)
{
    core_bytes bytes;
    PyObject *out = NULL;
    size_t capacity = CS_RUNS_FIRST_NBYTES;
    size_t out_nbytes = 0;
    cs_status status = CS_E_TOO_SMALL;

    if (core_as_bytes(data, &bytes) < 0) {
        return NULL;
    }
    while (status == CS_E_TOO_SMALL) {
        out = core_new_bytes(capacity);
        if (out == NULL) {
            goto exit;
        }
        status = cs_runs_expand(bytes.data, bytes.nbytes, (uint8_t *)PyBytes_AS_STRING(out), capacity, &out_nbytes);
        if (status < 0) {
            Py_CLEAR(out); /* its contents are unspecified, so a new object avoids copying them */
            capacity *= 2;
        }
    }
    if (status < 0) {
        core_raise(core_state_of(module), status);
        goto exit;
    }
    (void)_PyBytes_Resize(&out, (Py_ssize_t)out_nbytes); /* on failure `out` becomes NULL, with MemoryError */
exit:
    core_bytes_release(&bytes);
    return out;
}

#endif /* !CORE_KNOBS_ONLY */

static PyMethodDef methods[] = {
    {"bytes_sum", bytes_sum, METH_O, DOC_bytes_sum},
    {"buffer_fill", CORE_FUNCTION(buffer_fill), METH_FASTCALL, DOC_buffer_fill},
#if !defined(CORE_KNOBS_ONLY)
    {"blob_get", blob_get, METH_O, DOC_blob_get},
    {"runs_expand", runs_expand, METH_O, DOC_runs_expand},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_buffers(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
