# SPDX-License-Identifier: Apache-2.0
# Idioms, buffers: bytes that C reads, and bytes that C writes.


def bytes_sum(data, /):
    """Sum of all bytes modulo 2**32."""
    cdef Py_buffer view
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        return cs_bytes_sum(<const uint8_t *>view.buf, <size_t>view.len)
    finally:
        PyBuffer_Release(&view)


def buffer_fill(out, value, /):
    """Set every byte of a writable buffer to a value."""
    cdef Py_buffer view
    if isinstance(out, bytes):  # PyPy raises ValueError for it
        raise BufferError("Object is not writable.")
    PyObject_GetBuffer(out, &view, PyBUF_WRITABLE)
    try:
        cs_buffer_fill(<uint8_t *>view.buf, <size_t>view.len, PyNumber_Index(value))
    finally:
        PyBuffer_Release(&view)
