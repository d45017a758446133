# SPDX-License-Identifier: Apache-2.0
"""What ctypes does not check: that an integer is one, and fits its C type.

ctypes cuts integers to size without a word. The functions here are the strict conversions; the fast paths of the
callers test a range by comparing, which costs a plain int a few nanoseconds, and come here for everything else.
"""

from __future__ import annotations

import sys
from _operator import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsFloat, SupportsIndex

__all__ = ["int8", "int16", "int32", "int64", "number", "size", "ssize", "uint8", "uint16", "uint32", "uint64"]

_SSIZE_MAX = sys.maxsize
_SIZE_MAX = 2 * sys.maxsize + 1

# Messages never quote the value: printing a large integer is slow, and refused beyond sys.get_int_max_str_digits().


def int8(value: SupportsIndex, /) -> int:
    value = index(value)
    if not -0x80 <= value <= 0x7F:
        raise OverflowError("int too large to convert to int8_t")
    return value


def uint8(value: SupportsIndex, /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFF:
        raise OverflowError("int too large to convert to uint8_t")
    return value


def int16(value: SupportsIndex, /) -> int:
    value = index(value)
    if not -0x8000 <= value <= 0x7FFF:
        raise OverflowError("int too large to convert to int16_t")
    return value


def uint16(value: SupportsIndex, /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFFFF:
        raise OverflowError("int too large to convert to uint16_t")
    return value


def int32(value: SupportsIndex, /) -> int:
    value = index(value)
    if not -0x8000_0000 <= value <= 0x7FFF_FFFF:
        raise OverflowError("int too large to convert to int32_t")
    return value


def uint32(value: SupportsIndex, /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFFFF_FFFF:
        raise OverflowError("int too large to convert to uint32_t")
    return value


def int64(value: SupportsIndex, /) -> int:
    value = index(value)
    if not -0x8000_0000_0000_0000 <= value <= 0x7FFF_FFFF_FFFF_FFFF:
        raise OverflowError("int too large to convert to int64_t")
    return value


def uint64(value: SupportsIndex, /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFFFF_FFFF_FFFF_FFFF:
        raise OverflowError("int too large to convert to uint64_t")
    return value


def size(value: SupportsIndex, /) -> int:
    """A ``size_t`` of this machine."""
    value = index(value)
    if not 0 <= value <= _SIZE_MAX:
        raise OverflowError("int too large to convert to size_t")
    return value


def ssize(value: SupportsIndex, /) -> int:
    """A ``Py_ssize_t``, which CPython's own functions take for lengths."""
    value = index(value)
    if not ~_SSIZE_MAX <= value <= _SSIZE_MAX:
        raise OverflowError("int too large to convert to ssize_t")
    return value


def number(value: SupportsFloat | SupportsIndex, /) -> float:
    """What ``float()`` makes of anything but text."""
    kind = type(value)
    if not hasattr(kind, "__float__") and not hasattr(kind, "__index__"):
        raise TypeError(f"must be real number, not {kind.__name__}")
    return float(value)
