# SPDX-License-Identifier: Apache-2.0
# Idioms, buffers: bytes that C reads, and bytes that C writes.


def bytes_sum(data, /):
    """Return the sum of all bytes of a buffer, modulo 2**32.

    Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
    not C-contiguous.
    """
    cdef Py_buffer view
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        return cs_bytes_sum(<const uint8_t *>view.buf, <size_t>view.len)
    finally:
        PyBuffer_Release(&view)


def buffer_fill(out, value, /):
    """Set every byte of a writable buffer to ``value``.

    Raises `TypeError` if ``out`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``out`` is read-only or not C-contiguous; `OverflowError` if
    ``value`` does not fit ``uint8_t``.
    """
    cdef Py_buffer view
    if isinstance(out, bytes):  # PyPy raises ValueError for it
        raise BufferError("Object is not writable.")
    PyObject_GetBuffer(out, &view, PyBUF_WRITABLE)
    try:
        cs_buffer_fill(<uint8_t *>view.buf, <size_t>view.len, PyNumber_Index(value))
    finally:
        PyBuffer_Release(&view)
