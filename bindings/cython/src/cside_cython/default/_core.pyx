# SPDX-License-Identifier: Apache-2.0
"""The functions that every variant has, as one writes them who has read Cython's tutorial and the contract.

No directive, no fast path. Integers pass by ``__index__`` because the contract says so: a typed argument goes by
``__int__``. Buffers pass by ``Py_buffer``, since a typed memoryview refuses formats and shapes that the contract allows.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.number cimport PyNumber_Index
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from ..cside_codec cimport CS_CHECKSUM_LONG_NBYTES, cs_crc32
from ..cside_idioms cimport *
from ..cside_status cimport *


class StatusError(Exception):
    """A failure of the native library without an exception of its own among Python's; `status` and `name` say which."""


cdef int check(cs_status status) except -1:
    if status >= 0:
        return 0
    message = cs_status_message(status).decode()
    if status == CS_E_MEMORY:
        raise MemoryError
    if status == CS_E_ARGUMENT or status == CS_E_CLOSED:
        raise ValueError(message)
    if status == CS_E_NOT_FOUND:
        raise LookupError(message)
    error = StatusError(message)
    error.status = status
    error.name = cs_status_name(status).decode()
    raise error


def noop():
    """Call a function that does nothing."""
    cs_noop()


def i32_add(a, b, /):
    """Sum of two int32_t, modulo 2**32."""
    return cs_i32_add(PyNumber_Index(a), PyNumber_Index(b))


def f64_add(double a, double b, /):
    """Sum in double precision."""
    return cs_f64_add(a, b)


def mixed_sum(a, b, double c, bint d, e, float f, /):
    """Sum of an int32_t, a uint64_t, a double, a bool, an int8_t and a float."""
    return cs_mixed_sum(PyNumber_Index(a), PyNumber_Index(b), c, d, PyNumber_Index(e), f)


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
    if isinstance(out, bytes):  # PyPy would call it a ValueError
        raise BufferError("Object is not writable.")
    PyObject_GetBuffer(out, &view, PyBUF_WRITABLE)
    try:
        cs_buffer_fill(<uint8_t *>view.buf, <size_t>view.len, PyNumber_Index(value))
    finally:
        PyBuffer_Release(&view)


def string_length(text, /):
    """Length in bytes of the UTF-8."""
    cdef bytes encoded = str.encode(text)
    if b"\0" in encoded:
        raise ValueError("embedded null character")
    return cs_string_length(encoded)


def label_get(number, /):
    """A text of a fixed-width field, without its padding."""
    cdef char label[CS_LABEL_NBYTES]
    cs_label_get(PyNumber_Index(number), label)
    return label[:CS_LABEL_NBYTES].decode().rstrip(" ")


cdef class Box:
    """Two points and a tag, all zero at first."""

    cdef cs_box box

    def __init__(self):
        """Refuse arguments."""


def box_fill(Box box not None, tag, /):
    """Fill a box in place, passed by pointer."""
    cs_box_fill(&box.box, PyNumber_Index(tag))


def box_area(Box box not None, /):
    """Area of a box."""
    return cs_box_area(&box.box)


def box_unpack(Box box not None, /):
    """(min.x, min.y, max.x, max.y, tag), read from memory."""
    return box.box.min.x, box.box.min.y, box.box.max.x, box.box.max.y, box.box.tag


cdef extern from "cside/idioms.h":
    # Declared again: where the callback raised, the exception is set already.
    cs_status cs_each_call_raising "cs_each_call"(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum) except? CS_E_ABORTED


cdef int64_t call(void *user, int32_t value) except CS_EACH_STOP:
    cdef int32_t result = PyNumber_Index((<object>user)(value))
    return result


def each_call(times, callback, /):
    """Sum of callback(0) to callback(times - 1)."""
    cdef uint32_t count = PyNumber_Index(times)
    cdef int64_t total = 0
    if not callable(callback):
        raise TypeError(f"'{type(callback).__name__}' object is not callable")
    check(cs_each_call_raising(count, <cs_each_fn>call, <void *>callback, &total))
    return total


def crc32(data, value=0, /):
    """Compute a CRC-32 checksum of data, continuing from a value."""
    cdef Py_buffer view
    cdef uint32_t result
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        result = PyNumber_Index(value) & 0xFFFFFFFF
        if view.len < CS_CHECKSUM_LONG_NBYTES:
            return cs_crc32(result, <const uint8_t *>view.buf, <size_t>view.len)
        with nogil:
            result = cs_crc32(result, <const uint8_t *>view.buf, <size_t>view.len)
        return result
    finally:
        PyBuffer_Release(&view)
