# SPDX-License-Identifier: Apache-2.0
"""Scalars. ctypes passes an int as a C int; wider integers and all floats are made ctypes objects."""

from __future__ import annotations

from _operator import index
from ctypes import c_double, c_float, c_uint64

from cside_ctypes._native import MASK, int8, int32, number, too_large, uint64
from cside_ctypes.bare._library import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsFloat, SupportsIndex

__all__ = ["f64_add", "i32_add", "mixed_sum", "noop"]

_noop = held("cs_noop")
_i32_add = held("cs_i32_add")
_f64_add = held("cs_f64_add", c_double)
_mixed_sum = held("cs_mixed_sum", c_double)


def noop() -> None:
    """Call a C function that does nothing."""
    _noop()


def i32_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Return the sum of two ``int32_t``, modulo 2**32, in two's complement.

    Each argument is in the range from -2**31 to 2**31 - 1.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 31 or (b := index(b)) >> 31:
        if not -0x8000_0000 <= a <= 0x7FFF_FFFF or not -0x8000_0000 <= (b := index(b)) <= 0x7FFF_FFFF:
            raise too_large("int32_t")
        return _i32_add(a & MASK, b & MASK)  # type: ignore[operator]  # b is an int
    return _i32_add(a, b)


def f64_add(a: SupportsFloat, b: SupportsFloat, /) -> float:
    """Return the sum of two numbers in double precision, the C type ``double``.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    try:
        x, y = c_double(a), c_double(b)  # type: ignore[arg-type]
    except Exception:
        x, y = c_double(number(a)), c_double(number(b))
    return _f64_add(x, y)


def mixed_sum(
    a: SupportsIndex, b: SupportsIndex, c: SupportsFloat, d: object, e: SupportsIndex, f: SupportsFloat, /
) -> float:
    """Return the sum of six arguments of six C types, in double precision.

    The types are, in order, ``int32_t``, ``uint64_t``, ``double``, ``bool``, ``int8_t`` and
    ``float``. The truth value of ``d`` counts as 1 or 0.

    Raises `OverflowError` if an argument does not fit its integer type, or is an integer too
    large for a Python float; `TypeError` if an integer argument has no ``__index__``, or a
    floating-point argument is text or ``float()`` does not take it.
    """
    try:
        if type(a) is int is type(b) and type(e) is int and not ((a + 0x8000_0000) >> 32 or b >> 64 or (e + 0x80) >> 8):
            return _mixed_sum(a & MASK, c_uint64(b), c_double(c), 1 if d else 0, e & MASK, c_float(f))  # type: ignore[arg-type]
    except Exception:
        pass  # the conversions below raise in the order of the arguments
    a, b, c, d, e, f = int32(a), uint64(b), number(c), bool(d), int8(e), number(f)
    return _mixed_sum(a, c_uint64(b), c_double(c), d, e, c_float(f))
