# SPDX-License-Identifier: Apache-2.0
# Codec, checksums: CRC-32 and Adler-32 of data, and of two pieces of data from the checksums of each.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsUnsignedLongMask, PyLong_Check
from cpython.number cimport PyNumber_Index

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
    """Return the CRC-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    return checksum(cs_crc32, data, value)


def adler32(data, value=1, /):
    """Return the Adler-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    return checksum(cs_adler32, data, value)


def crc32_combine(first, second, second_nbytes, /):
    """Return the CRC-32 of A + B from those of A and B and the length of B.

    ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
    bytes, 0 to 2**63 - 1.

    Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
    argument has no ``__index__``.
    """
    return PyLong_FromUnsignedLong(
        cs_crc32_combine(modulo_2_32(first), modulo_2_32(second), as_u64(second_nbytes))
    )


def adler32_combine(first, second, second_nbytes, /):
    """Return the Adler-32 of A + B from those of A and B and the length of B.

    ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
    bytes, 0 to 2**63 - 1.

    Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
    argument has no ``__index__``.
    """
    return PyLong_FromUnsignedLong(
        cs_adler32_combine(modulo_2_32(first), modulo_2_32(second), as_u64(second_nbytes))
    )
