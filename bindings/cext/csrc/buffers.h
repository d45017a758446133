/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.h - the bytes of an argument, buffers to write into, and new bytes objects.
 */
#ifndef CSIDE_CEXT_BUFFERS_H
#define CSIDE_CEXT_BUFFERS_H

#include "interpreter.h"

/** The bytes of an argument. view.obj is NULL if no buffer has to be released. */
typedef struct core_bytes {
    const uint8_t *data;
    size_t nbytes;
    Py_buffer view;
} core_bytes;

/** The contents of an object with a buffer, which is held. Returns 0, or -1 with an exception set. */
static inline int core_bytes_of_buffer(PyObject *object, core_bytes *out)
{
    if (PyObject_GetBuffer(object, &out->view, PyBUF_SIMPLE) < 0) {
        out->view.obj = NULL;
        return -1;
    }
    out->data = out->view.buf;
    out->nbytes = (size_t)out->view.len;
    return 0;
}

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

/** Get the bytes of any contiguous buffer, which is held until core_bytes_release(). An exact `bytes` is read without
 *  holding a buffer: it cannot change, and the caller has a reference to it. 0, or -1 with an exception set. */
static inline int core_as_bytes(PyObject *object, core_bytes *out)
{
    if (PyBytes_CheckExact(object)) {
        core_bytes_of_bytes(object, out);
        return 0;
    }
    return core_bytes_of_buffer(object, out);
}

/** As core_as_bytes(), for a call that keeps the GIL and runs no Python code meanwhile. A `bytearray` cannot change
 *  during such a call, so an exact one is read without holding a buffer too. */
static inline int core_as_bytes_briefly(PyObject *object, core_bytes *out)
{
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    if (PyBytes_CheckExact(object)) {
        core_bytes_of_bytes(object, out);
        return 0;
    }
    if (PyByteArray_CheckExact(object)) {
        core_bytes_of_bytearray(object, out);
        return 0;
    }
    return core_bytes_of_buffer(object, out);
#else
    return core_as_bytes(object, out);
#endif
}

static inline void core_bytes_release(core_bytes *bytes)
{
    if (bytes->view.obj != NULL) {
        PyBuffer_Release(&bytes->view);
    }
}

/** Get a contiguous buffer to write into; release it with PyBuffer_Release(). Returns 0, or -1 with an exception set:
 *  BufferError if the object is not writable. */
int core_as_writable(PyObject *object, Py_buffer *out);

/** A new bytes object of `nbytes` bytes, not initialised, to write into; NULL with MemoryError. */
static inline PyObject *core_new_bytes(size_t nbytes)
{
    PyObject *bytes = NULL;

    /* For a size that leaves no room for the object's header, PyPy aborts instead of raising. */
    if (nbytes > (size_t)PY_SSIZE_T_MAX - 4096) {
        return PyErr_NoMemory();
    }
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes);
#if defined(PYPY_VERSION)
    if (bytes == NULL) { /* PyPy raises a SystemError, caused by a MemoryError, if memory runs out */
        PyErr_Clear();
        PyErr_NoMemory();
    }
#endif
    return bytes;
}

#endif
