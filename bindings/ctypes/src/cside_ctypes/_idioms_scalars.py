# SPDX-License-Identifier: Apache-2.0
"""Scalars: integers of each width, floats, booleans, many mixed arguments, and variadic arguments.

Each integer is converted with ``operator.index`` first, and the range of the resulting int is checked. A shift is the
fastest check, and the only one that an argument which is not negative needs. If several arguments are wrong, the first
one is reported.
"""

from _operator import index
from ctypes import (
    ArgumentError,
    c_bool,
    c_double,
    c_float,
    c_int8,
    c_int16,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
)

from cside_ctypes._native import (
    INT64_MAX,
    INT64_MIN,
    MASK,
    PYPY,
    SmallInt,
    held,
    int8,
    int32,
    number,
    ready,
    too_large,
    uint64,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsFloat, SupportsIndex

__all__ = [
    "bool_not",
    "f32_add",
    "f64_add",
    "i8_add",
    "i16_add",
    "i32_add",
    "i64_add",
    "mixed_sum",
    "noop",
    "u8_add",
    "u16_add",
    "u32_add",
    "u64_add",
    "varargs_sum",
]

_VARARGS_MAX = 8

_noop = held("cs_noop", None)
_i8_add = ready("cs_i8_add", c_int8, SmallInt(c_int8), SmallInt(c_int8))
_u8_add = ready("cs_u8_add", c_uint8, SmallInt(c_uint8), SmallInt(c_uint8))
_i16_add = ready("cs_i16_add", c_int16, SmallInt(c_int16), SmallInt(c_int16))
_u16_add = ready("cs_u16_add", c_uint16, SmallInt(c_uint16), SmallInt(c_uint16))
_i32_add = ready("cs_i32_add", c_int32, SmallInt(c_int32), SmallInt(c_int32))
_u32_add = ready("cs_u32_add", c_uint32, SmallInt(c_uint32), SmallInt(c_uint32))
_i64_add = held("cs_i64_add", c_int64, c_int64, c_int64)
_u64_add = held("cs_u64_add", c_uint64, c_uint64, c_uint64)
_f32_add = held("cs_f32_add", c_float, c_float, c_float)
_f64_add = held("cs_f64_add", c_double, c_double, c_double)
_bool_not = ready("cs_bool_not", c_bool, SmallInt(c_bool))
_mixed_sum = held(
    "cs_mixed_sum", c_double, SmallInt(c_int32), c_uint64, c_double, SmallInt(c_bool), SmallInt(c_int8), c_float
)
# Only the fixed argument is declared. ctypes treats the others as variadic, which matters where the ABI passes those
# elsewhere (Apple's arm64 passes them on the stack). Each must be a c_int64: ctypes passes a plain int as a C int.
_varargs_sum = held("cs_varargs_sum", c_int64, SmallInt(c_uint32))
_int64_argument = c_int64 if PYPY else c_int64.from_param


def noop() -> None:
    """Call a C function that does nothing."""
    _noop()


def i8_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int8_t``, modulo 2**8, in two's complement.

    Each argument is in the range from -128 to 127.

    Raises `OverflowError` if an argument does not fit ``int8_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 7 or (b := index(b)) >> 7:
        if not -0x80 <= a <= 0x7F or not -0x80 <= (b := index(b)) <= 0x7F:
            raise too_large("int8_t")
        return _i8_add(a & MASK, b & MASK)  # type: ignore[operator]  # b is an int
    return _i8_add(a, b)


def u8_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint8_t``, modulo 2**8.

    Each argument is in the range from 0 to 255.

    Raises `OverflowError` if an argument does not fit ``uint8_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 8 or (b := index(b)) >> 8:
        raise too_large("uint8_t")
    return _u8_add(a, b)


def i16_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int16_t``, modulo 2**16, in two's complement.

    Each argument is in the range from -32,768 to 32,767.

    Raises `OverflowError` if an argument does not fit ``int16_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 15 or (b := index(b)) >> 15:
        if not -0x8000 <= a <= 0x7FFF or not -0x8000 <= (b := index(b)) <= 0x7FFF:
            raise too_large("int16_t")
        return _i16_add(a & MASK, b & MASK)  # type: ignore[operator]  # b is an int
    return _i16_add(a, b)


def u16_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint16_t``, modulo 2**16.

    Each argument is in the range from 0 to 65,535.

    Raises `OverflowError` if an argument does not fit ``uint16_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 16 or (b := index(b)) >> 16:
        raise too_large("uint16_t")
    return _u16_add(a, b)


def i32_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
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


def u32_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint32_t``, modulo 2**32.

    Each argument is in the range from 0 to 2**32 - 1.

    Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 32 or (b := index(b)) >> 32:
        raise too_large("uint32_t")
    return _u32_add(a, b)


def i64_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int64_t``, modulo 2**64, in two's complement.

    Each argument is in the range from -2**63 to 2**63 - 1.

    Raises `OverflowError` if an argument does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    if ((a := index(a)) >> 63 or (b := index(b)) >> 63) and not (
        INT64_MIN <= a <= INT64_MAX and INT64_MIN <= (b := index(b)) <= INT64_MAX
    ):
        raise too_large("int64_t")
    return _i64_add(a, b)


def u64_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint64_t``, modulo 2**64.

    Each argument is in the range from 0 to 2**64 - 1.

    Raises `OverflowError` if an argument does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 64 or (b := index(b)) >> 64:
        raise too_large("uint64_t")
    return _u64_add(a, b)


def f32_add(a: "SupportsFloat", b: "SupportsFloat", /) -> float:
    """Return the sum of two numbers in single precision, the C type ``float``.

    Arguments and sum are rounded to the nearest C ``float``, and are infinite beyond its range.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    try:
        return _f32_add(a, b)
    except ArgumentError:
        return _f32_add(number(a), number(b))


def f64_add(a: "SupportsFloat", b: "SupportsFloat", /) -> float:
    """Return the sum of two numbers in double precision, the C type ``double``.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    try:
        return _f64_add(a, b)
    except ArgumentError:
        return _f64_add(number(a), number(b))


def bool_not(value: object, /) -> bool:
    """Return the negated truth value of any object.

    An exception that the object's ``__bool__`` raises is passed on.
    """
    return _bool_not(1 if value else 0)


def mixed_sum(
    a: "SupportsIndex", b: "SupportsIndex", c: "SupportsFloat", d: object, e: "SupportsIndex", f: "SupportsFloat", /
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
            return _mixed_sum(a & MASK, b, c, 1 if d else 0, e & MASK, f)
    except Exception:
        pass  # the conversions below raise in the order of the arguments
    return _mixed_sum(int32(a), uint64(b), number(c), bool(d), int8(e), number(f))


def varargs_sum(*values: "SupportsIndex") -> int:
    """Return the sum of up to eight ``int64_t``, modulo 2**64, in two's complement.

    Raises `TypeError` if there are more than eight arguments or one has no ``__index__``;
    `OverflowError` if an argument does not fit ``int64_t``.
    """
    if len(values) > _VARARGS_MAX:
        raise TypeError(f"varargs_sum() takes at most {_VARARGS_MAX} arguments ({len(values)} given)")
    arguments = [_int64_argument(value) for value in map(index, values) if INT64_MIN <= value <= INT64_MAX]
    if len(arguments) != len(values):
        raise too_large("int64_t")
    return _varargs_sum(len(values), *arguments)
