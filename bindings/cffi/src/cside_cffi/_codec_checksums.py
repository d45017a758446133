# SPDX-License-Identifier: Apache-2.0
"""Checksums: `crc32`, `adler32`, and the checksums of joined data."""

from _operator import index

from ._codec_stream import lend
from ._core import ffi, lib

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from typing_extensions import Buffer

_release = ffi.release
_CRC_START = 0
_ADLER_START = 1
_MASK = 0xFFFFFFFF

_crc32: "Callable[[int, Any, int], int]" = lib.cs_crc32
_adler32: "Callable[[int, Any, int], int]" = lib.cs_adler32
_crc32_combine: "Callable[[int, int, int], int]" = lib.cs_crc32_combine
_adler32_combine: "Callable[[int, int, int], int]" = lib.cs_adler32_combine


def crc32(data: "Buffer", value: int = _CRC_START, /) -> int:
    """Return the CRC-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    if type(data) is bytes:
        if value is _CRC_START:
            return _crc32(0, data, len(data))
        return _crc32(index(value) & _MASK, data, len(data))
    view = lend(data)
    try:
        return _crc32(index(value) & _MASK, view, len(view))
    finally:
        _release(view)


def adler32(data: "Buffer", value: int = _ADLER_START, /) -> int:
    """Return the Adler-32 of ``data``, continued from the checksum ``value``.

    ``value`` is reduced modulo 2**32. From 5,120 bytes on, the GIL is released.

    Raises `TypeError` if ``data`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``data`` is not C-contiguous.
    """
    if type(data) is bytes:
        if value is _ADLER_START:
            return _adler32(1, data, len(data))
        return _adler32(index(value) & _MASK, data, len(data))
    view = lend(data)
    try:
        return _adler32(index(value) & _MASK, view, len(view))
    finally:
        _release(view)


def crc32_combine(first: int, second: int, second_nbytes: int, /) -> int:
    """Return the CRC-32 of A + B from those of A and B and the length of B.

    ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
    bytes, 0 to 2**63 - 1.

    Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
    argument has no ``__index__``.
    """
    return _crc32_combine(index(first) & _MASK, index(second) & _MASK, index(second_nbytes))


def adler32_combine(first: int, second: int, second_nbytes: int, /) -> int:
    """Return the Adler-32 of A + B from those of A and B and the length of B.

    ``first`` and ``second`` are reduced modulo 2**32. ``second_nbytes`` is the length of B in
    bytes, 0 to 2**63 - 1.

    Raises `OverflowError` if ``second_nbytes`` does not fit ``uint64_t``; `TypeError` if an
    argument has no ``__index__``.
    """
    return _adler32_combine(index(first) & _MASK, index(second) & _MASK, index(second_nbytes))
