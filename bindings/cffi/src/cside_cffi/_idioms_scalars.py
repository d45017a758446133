# SPDX-License-Identifier: Apache-2.0
"""Scalars: a call that does nothing, numbers of each width, a bool, six mixed arguments, a variable number of them.

The conversions to one C type (`i8` … `u64`, `real`) are here too; other groups use them.
"""

import sys
from _operator import index

from . import _API_MODE
from ._core import ffi, lib

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsFloat, SupportsIndex

    _Binary = Callable[[int, int], int]
    _BinaryReal = Callable[[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex], float]

_new = ffi.new

_i8_add: "_Binary" = lib.cs_i8_add
_u8_add: "_Binary" = lib.cs_u8_add
_i16_add: "_Binary" = lib.cs_i16_add
_u16_add: "_Binary" = lib.cs_u16_add
_i32_add: "_Binary" = lib.cs_i32_add
_u32_add: "_Binary" = lib.cs_u32_add
_i64_add: "_Binary" = lib.cs_i64_add
_u64_add: "_Binary" = lib.cs_u64_add
_bool_not: "Callable[[bool], bool]" = lib.cs_bool_not
_mixed_sum: "Callable[[int, int, SupportsFloat, bool, int, SupportsFloat], float]" = lib.cs_mixed_sum

_f32_add: "_BinaryReal" = lib.cs_f32_add
_f64_add: "_BinaryReal" = lib.cs_f64_add

# This needs no wrapper: the public name is cffi's function object itself, whose docstring is the C declaration.
noop: "Callable[[], None]" = lib.cs_noop


def _checked(pointer: str) -> "Callable[[SupportsIndex], int]":
    """Return a conversion to one C integer type. It is called only after a call has failed, to find the exception.

    So cffi looks the type up by its name when the conversion is called, and not when this module is imported.
    """

    def convert(value: "SupportsIndex") -> int:
        number: int = _new(pointer, index(value))[0]
        return number

    return convert


i8, i16, i32, i64 = map(_checked, ("int8_t *", "int16_t *", "int32_t *", "int64_t *"))
u8, u16, u32, u64 = map(_checked, ("uint8_t *", "uint16_t *", "uint32_t *", "uint64_t *"))


def real(value: "Any") -> "SupportsFloat":
    """Return a number that cffi converts to a C double.

    An object with ``__index__`` and without ``__float__`` becomes an int: CPython's cffi and ``float()`` accept such
    an object, PyPy's cffi does not.
    """
    if type(value) is float or hasattr(type(value), "__float__"):
        number: SupportsFloat = value
        return number
    return index(value)


if sys.implementation.name == "pypy":

    def f32_add(a: "SupportsFloat | SupportsIndex", b: "SupportsFloat | SupportsIndex", /) -> float:
        """Return the sum of two numbers in single precision, the C type ``float``.

        Arguments and sum are rounded to the nearest C ``float``, and are infinite beyond its range.

        Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
        argument is text or ``float()`` does not take it.
        """
        return _f32_add(real(a), real(b))

    def f64_add(a: "SupportsFloat | SupportsIndex", b: "SupportsFloat | SupportsIndex", /) -> float:
        """Return the sum of two numbers in double precision, the C type ``double``.

        Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
        argument is text or ``float()`` does not take it.
        """
        return _f64_add(real(a), real(b))

else:  # these need no wrapper, as noop
    f32_add, f64_add = _f32_add, _f64_add


def i8_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int8_t``, modulo 2**8, in two's complement.

    Each argument is in the range from -128 to 127.

    Raises `OverflowError` if an argument does not fit ``int8_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _i8_add(index(a), index(b))
    except TypeError:
        return _i8_add(i8(a), i8(b))


def u8_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint8_t``, modulo 2**8.

    Each argument is in the range from 0 to 255.

    Raises `OverflowError` if an argument does not fit ``uint8_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _u8_add(index(a), index(b))
    except TypeError:
        return _u8_add(u8(a), u8(b))


def i16_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int16_t``, modulo 2**16, in two's complement.

    Each argument is in the range from -32,768 to 32,767.

    Raises `OverflowError` if an argument does not fit ``int16_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _i16_add(index(a), index(b))
    except TypeError:
        return _i16_add(i16(a), i16(b))


def u16_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint16_t``, modulo 2**16.

    Each argument is in the range from 0 to 65,535.

    Raises `OverflowError` if an argument does not fit ``uint16_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _u16_add(index(a), index(b))
    except TypeError:
        return _u16_add(u16(a), u16(b))


def i32_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int32_t``, modulo 2**32, in two's complement.

    Each argument is in the range from -2**31 to 2**31 - 1.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _i32_add(index(a), index(b))
    except TypeError:
        return _i32_add(i32(a), i32(b))


def u32_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint32_t``, modulo 2**32.

    Each argument is in the range from 0 to 2**32 - 1.

    Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _u32_add(index(a), index(b))
    except TypeError:
        return _u32_add(u32(a), u32(b))


def i64_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int64_t``, modulo 2**64, in two's complement.

    Each argument is in the range from -2**63 to 2**63 - 1.

    Raises `OverflowError` if an argument does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _i64_add(index(a), index(b))
    except TypeError:
        return _i64_add(i64(a), i64(b))


def u64_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``uint64_t``, modulo 2**64.

    Each argument is in the range from 0 to 2**64 - 1.

    Raises `OverflowError` if an argument does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _u64_add(index(a), index(b))
    except TypeError:
        return _u64_add(u64(a), u64(b))


def bool_not(value: object, /) -> bool:
    """Return the negated truth value of any object.

    An exception that the object's ``__bool__`` raises is passed on.
    """
    # cffi itself accepts only 0 and 1 for a C bool.
    return _bool_not(not not value)  # noqa: SIM208 (cheaper than to call bool)


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
        return _mixed_sum(index(a), index(b), c, not not d, index(e), f)  # noqa: SIM208
    except TypeError:
        return _mixed_sum(i32(a), u64(b), real(c), bool(d), i8(e), real(f))


if _API_MODE:
    _varargs_sum = lib.shim_varargs_sum
    _values: "list[Any]" = []  # arrays that no call is using

    def varargs_sum(*values: "SupportsIndex") -> int:
        """Return the sum of up to eight ``int64_t``, modulo 2**64, in two's complement.

        Raises `TypeError` if there are more than eight arguments or one has no ``__index__``;
        `OverflowError` if an argument does not fit ``int64_t``.
        """
        # A C shim makes the variadic call, because there the compiler knows the types of the arguments.
        count = len(values)
        if count > 8:
            raise TypeError(f"at most 8 values, not {count}")
        try:
            cells = _values.pop()
        except IndexError:
            cells = _new("int64_t[8]")
        cells[0:count] = [index(value) for value in values]
        total: int = _varargs_sum(count, cells)
        _values.append(cells)
        return total

else:
    _varargs_sum = lib.cs_varargs_sum
    _cast = ffi.cast
    _I64 = ffi.typeof("int64_t")
    _I64_POINTER = ffi.typeof("int64_t *")

    def varargs_sum(*values: "SupportsIndex") -> int:
        """Return the sum of up to eight ``int64_t``, modulo 2**64, in two's complement.

        Raises `TypeError` if there are more than eight arguments or one has no ``__index__``;
        `OverflowError` if an argument does not fit ``int64_t``.
        """
        # Each argument of the variadic call is a cdata, which tells libffi its type.
        if len(values) > 8:
            raise TypeError(f"at most 8 values, not {len(values)}")
        # A cast would truncate a number that does not fit; initialising a new int64_t raises OverflowError.
        total: int = _varargs_sum(len(values), *[_cast(_I64, _new(_I64_POINTER, index(value))[0]) for value in values])
        return total
