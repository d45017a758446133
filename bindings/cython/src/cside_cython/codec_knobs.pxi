# SPDX-License-Identifier: Apache-2.0
# Of the codec, the function that every variant has too, and what it shares with the other checksums.

ctypedef uint32_t (*checksum_fn)(uint32_t value, const uint8_t *data, size_t data_nbytes) noexcept nogil


cdef inline uint32_t modulo_2_32(object value) except? 0xFFFFFFFF:
    return <uint32_t>PyLong_AsUnsignedLongMask(value if PyLong_Check(value) else PyNumber_Index(value))


cdef inline object checksum(checksum_fn function, object data, object value):
    cdef Input source
    cdef uint32_t result
    if PyBytes_CheckExact(data):
        return checksum_of(function, modulo_2_32(value), <const uint8_t *>PyBytes_AS_STRING(data),
                           <size_t>PyBytes_GET_SIZE(data))
    open_input(data, &source)
    try:
        return checksum_of(function, modulo_2_32(value), source.data, source.nbytes)
    finally:
        close_input(&source)


cdef inline object checksum_of(checksum_fn function, uint32_t value, const uint8_t *data, size_t data_nbytes):
    if data_nbytes < CS_CHECKSUM_LONG_NBYTES:
        return PyLong_FromUnsignedLong(function(value, data, data_nbytes))
    with nogil:
        value = function(value, data, data_nbytes)
    return PyLong_FromUnsignedLong(value)


def crc32(data, value=0, /):
    """Compute a CRC-32 checksum of data, continuing from a value."""
    return checksum(cs_crc32, data, value)
