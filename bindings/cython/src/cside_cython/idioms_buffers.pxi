# SPDX-License-Identifier: Apache-2.0
# Idioms, buffers: bytes that C reads, bytes that C writes, and output whose size is not known before the call.

from cpython.buffer cimport PyBuffer_Release
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_CheckExact, PyByteArray_GET_SIZE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.long cimport PyLong_CheckExact


def bytes_sum(data, /):
    """Return the sum of all bytes of a buffer, modulo 2**32.

    Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
    not C-contiguous.
    """
    cdef Input source
    cdef uint32_t result
    open_briefly(data, &source)
    result = cs_bytes_sum(source.data, source.nbytes)
    close_input(&source)
    return PyLong_FromUnsignedLong(result)


def buffer_fill(out, value, /):
    """Set every byte of a writable buffer to ``value``.

    Raises `TypeError` if ``out`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``out`` is read-only or not C-contiguous; `OverflowError` if
    ``value`` does not fit ``uint8_t``.
    """
    cdef Py_buffer view
    cdef uint8_t filling
    if CSIDE_HAS_GIL and PyByteArray_CheckExact(out) and PyLong_CheckExact(value):  # as_u8() runs no Python code then
        filling = as_u8(value)
        cs_buffer_fill(<uint8_t *>PyByteArray_AS_STRING(out), <size_t>PyByteArray_GET_SIZE(out), filling)
        return
    open_writable(out, &view)
    try:
        cs_buffer_fill(<uint8_t *>view.buf, <size_t>view.len, as_u8(value))
    finally:
        PyBuffer_Release(&view)


# ---- output whose size is not known before the call -------------------------------------------------

def blob_get(index, /):
    """Return blob number ``index``, which is ``index`` bytes long.

    Byte i of it is (i * 7 + index) modulo 256. One native call asks for the size, a second one
    fetches the bytes.

    Raises `LookupError` if ``index`` is above 1,048,576; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    cdef uint32_t position = as_u32(index)
    cdef size_t nbytes = 0
    check(cs_blob_get(position, NULL, &nbytes))
    blob = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>nbytes)
    check(cs_blob_get(position, <uint8_t *>PyBytes_AS_STRING(blob), &nbytes))
    return blob


def runs_expand(data, /):
    """Expand run-length pairs (count, byte) and return the result.

    The first native call has room for 256 bytes; as long as the room does not suffice, it is
    doubled and the call is repeated.

    Raises `StatusError` ``CS_E_DATA`` if ``data`` has an odd number of bytes; `TypeError` if it
    does not support the buffer protocol; `BufferError` if it is not C-contiguous.
    """
    cdef Input source
    cdef cs_status status
    cdef size_t nbytes = 0
    cdef Py_ssize_t room = CS_RUNS_FIRST_NBYTES
    cdef PyObject *out = NULL
    open_input(data, &source)
    try:
        while True:
            out = allocate(room)
            status = cs_runs_expand(source.data, source.nbytes, <uint8_t *>bytes_data(out), <size_t>room, &nbytes)
            if status != CS_E_TOO_SMALL:
                break
            Py_XDECREF(out)
            out = NULL
            room *= 2
        check(status)
        resize_bytes(&out, <Py_ssize_t>nbytes)
        return <object>out
    finally:
        Py_XDECREF(out)
        close_input(&source)
