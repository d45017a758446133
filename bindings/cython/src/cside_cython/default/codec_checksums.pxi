# SPDX-License-Identifier: Apache-2.0
# Codec, checksums: CRC-32.


def crc32(data, value=0, /):
    """Compute a CRC-32 checksum of data, starting from a value."""
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
