# SPDX-License-Identifier: Apache-2.0
# Codec, checksums: CRC-32.


def crc32(data, value=0, /):
    """Return the CRC-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
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
