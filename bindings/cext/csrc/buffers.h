/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.h - bytes of an argument, buffers to write into, and new bytes objects.
 */
#ifndef CSIDE_CEXT_BUFFERS_H
#define CSIDE_CEXT_BUFFERS_H

#include "interpreter.h"

/** Bytes of an argument. view.obj is NULL when nothing has to be released. */
typedef struct core_bytes {
    const uint8_t *data;
    size_t nbytes;
    Py_buffer view;
} core_bytes;

int core_as_bytes_slow(PyObject *object, core_bytes *out);

/** The contents of an exact `bytes`. */
static inline void core_bytes_of_bytes(PyObject *object, core_bytes *out)
{
#if defined(Py_LIMITED_API)
    char *data = NULL;
    Py_ssize_t nbytes = 0;

    (void)PyBytes_AsStringAndSize(object, &data, &nbytes);
    out->data = (const uint8_t *)data;
    out->nbytes = (size_t)nbytes;
#else
    out->data = (const uint8_t *)PyBytes_AS_STRING(object);
    out->nbytes = (size_t)PyBytes_GET_SIZE(object);
#endif
    out->view.obj = NULL;
}

/** The contents of an exact `bytearray`. */
static inline void core_bytes_of_bytearray(PyObject *object, core_bytes *out)
{
#if defined(Py_LIMITED_API)
    out->data = (const uint8_t *)PyByteArray_AsString(object);
    out->nbytes = (size_t)PyByteArray_Size(object);
#else
    out->data = (const uint8_t *)PyByteArray_AS_STRING(object);
    out->nbytes = (size_t)PyByteArray_GET_SIZE(object);
#endif
    out->view.obj = NULL;
}

/** Any contiguous buffer, held until core_bytes_release(). An exact `bytes` cannot change and the caller holds it:
 *  no export. */
static inline int core_as_bytes(PyObject *object, core_bytes *out)
{
    if (PyBytes_CheckExact(object)) {
        core_bytes_of_bytes(object, out);
        return 0;
    }
    return core_as_bytes_slow(object, out);
}

/** The same for a call that keeps the GIL and runs no Python: then a `bytearray` cannot change under it either. */
static inline int core_as_bytes_briefly(PyObject *object, core_bytes *out)
{
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    if (PyByteArray_CheckExact(object)) {
        core_bytes_of_bytearray(object, out);
        return 0;
    }
#endif
    return core_as_bytes(object, out);
}

static inline void core_bytes_release(core_bytes *bytes)
{
    if (bytes->view.obj != NULL) {
        PyBuffer_Release(&bytes->view);
    }
}

/** A contiguous buffer to write into; BufferError where that is not allowed. Release it with PyBuffer_Release(). */
int core_as_writable(PyObject *object, Py_buffer *out);

/** A bytes object of that size to write into, or NULL with MemoryError. */
static inline PyObject *core_new_bytes(size_t nbytes)
{
    PyObject *bytes = NULL;

    /* Sizes that leave no room for an object's header kill PyPy instead of raising. */
    if (nbytes > (size_t)PY_SSIZE_T_MAX - 4096) {
        return PyErr_NoMemory();
    }
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes);
#if defined(PYPY_VERSION)
    if (bytes == NULL) { /* what PyPy raises for want of memory is a SystemError around a MemoryError */
        PyErr_Clear();
        PyErr_NoMemory();
    }
#endif
    return bytes;
}

#endif
