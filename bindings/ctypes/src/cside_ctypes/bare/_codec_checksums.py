# SPDX-License-Identifier: Apache-2.0
"""Checksums. ctypes passes bytes as their address; addresses and sizes are made ctypes objects."""

from __future__ import annotations

from _operator import index
from ctypes import c_size_t, c_uint32, c_void_p

from cside_ctypes._codec_checksums import LONG_NBYTES, MASK
from cside_ctypes._native import PYPY, addressed, release
from cside_ctypes.bare._library import held, released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["crc32"]

_crc32_short = held("cs_crc32", c_uint32)
_crc32_long = released("cs_crc32", c_uint32)


def crc32(data: Buffer, value: int = 0, /) -> int:
    """Return the CRC-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    if type(data) is bytes and type(value) is int and not PYPY:
        nbytes = len(data)
        if nbytes < LONG_NBYTES:
            return _crc32_short(value & MASK, data, c_size_t(nbytes))
        return _crc32_long(value & MASK, data, c_size_t(nbytes))
    pointer, nbytes, hold = addressed(data)
    try:
        value = index(value) & MASK
        if nbytes < LONG_NBYTES:
            return _crc32_short(value, c_void_p(pointer), c_size_t(nbytes))
        return _crc32_long(value, c_void_p(pointer), c_size_t(nbytes))
    finally:
        release(hold)
