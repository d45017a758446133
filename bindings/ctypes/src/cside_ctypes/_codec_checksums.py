# SPDX-License-Identifier: Apache-2.0
"""Checksums. Each native function is declared twice: one holds the GIL, for short inputs, the other releases it."""

from __future__ import annotations

from _operator import index
from ctypes import c_size_t, c_uint32, c_uint64, c_void_p

from cside_ctypes._native import PYPY, SmallInt, held, reading, release, released, uint64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["LONG_NBYTES", "MASK", "adler32", "adler32_combine", "crc32", "crc32_combine"]

LONG_NBYTES = 5120  # CS_CHECKSUM_LONG_NBYTES
MASK = 0xFFFF_FFFF

_checksum = (c_uint32, SmallInt(c_uint32), c_void_p, c_size_t)
_crc32_short = held("cs_crc32", *_checksum)
_crc32_long = released("cs_crc32", *_checksum)
_adler32_short = held("cs_adler32", *_checksum)
_adler32_long = released("cs_adler32", *_checksum)
_combine = (c_uint32, SmallInt(c_uint32), SmallInt(c_uint32), c_uint64)
_crc32_combine = held("cs_crc32_combine", *_combine)
_adler32_combine = held("cs_adler32_combine", *_combine)


def crc32(data: Buffer, value: int = 0, /) -> int:
    """Return the CRC-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    if type(data) is bytes and type(value) is int and not PYPY:
        nbytes = len(data)
        if nbytes < LONG_NBYTES:
            return _crc32_short(value & MASK, data, nbytes)
        return _crc32_long(value & MASK, data, nbytes)
    pointer, nbytes, hold = reading(data)
    try:
        value = index(value) & MASK
        if nbytes < LONG_NBYTES:
            return _crc32_short(value, pointer, nbytes)
        return _crc32_long(value, pointer, nbytes)
    finally:
        release(hold)


def adler32(data: Buffer, value: int = 1, /) -> int:
    """Return the Adler-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    if type(data) is bytes and type(value) is int and not PYPY:
        nbytes = len(data)
        if nbytes < LONG_NBYTES:
            return _adler32_short(value & MASK, data, nbytes)
        return _adler32_long(value & MASK, data, nbytes)
    pointer, nbytes, hold = reading(data)
    try:
        value = index(value) & MASK
        if nbytes < LONG_NBYTES:
            return _adler32_short(value, pointer, nbytes)
        return _adler32_long(value, pointer, nbytes)
    finally:
        release(hold)


def crc32_combine(first: int, second: int, second_nbytes: int, /) -> int:
    """Return the CRC-32 of A + B from those of A and B and the length of B.

    ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
    bytes, 0 to 2**63 - 1.

    Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
    argument has no ``__index__``.
    """
    return _crc32_combine(index(first) & MASK, index(second) & MASK, uint64(second_nbytes))


def adler32_combine(first: int, second: int, second_nbytes: int, /) -> int:
    """Return the Adler-32 of A + B from those of A and B and the length of B.

    ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
    bytes, 0 to 2**63 - 1.

    Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
    argument has no ``__index__``.
    """
    return _adler32_combine(index(first) & MASK, index(second) & MASK, uint64(second_nbytes))
