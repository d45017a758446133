# SPDX-License-Identifier: Apache-2.0
"""Idioms of plain numbers: scalars, many arguments, the function table, statuses, enum and flags, state."""

from __future__ import annotations

import os
import sys
from operator import index

from . import _mode
from ._core import ffi, lib
from ._failure import failure

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, SupportsFloat, SupportsIndex

    _Binary = Callable[[int, int], int]
    _BinaryReal = Callable[[SupportsFloat | SupportsIndex, SupportsFloat | SupportsIndex], float]

COLOR_RED: int = lib.CS_COLOR_RED
COLOR_GREEN: int = lib.CS_COLOR_GREEN
COLOR_BLUE: int = lib.CS_COLOR_BLUE
FLAG_READ: int = lib.CS_FLAG_READ
FLAG_WRITE: int = lib.CS_FLAG_WRITE
FLAG_EXEC: int = lib.CS_FLAG_EXEC
FLAG_ALL: int = lib.CS_FLAG_ALL

_new = ffi.new
_U32: Final = ffi.typeof("uint32_t *")
_I64: Final = ffi.typeof("int64_t *")
_INVALID: Final[int] = lib.CS_COLOR_INVALID

# Out-parameters at rest.
_u32s: Final = [_new(_U32)]
_i64s: Final = [_new(_I64)]

_i8_add: _Binary = lib.cs_i8_add
_u8_add: _Binary = lib.cs_u8_add
_i16_add: _Binary = lib.cs_i16_add
_u16_add: _Binary = lib.cs_u16_add
_i32_add: _Binary = lib.cs_i32_add
_u32_add: _Binary = lib.cs_u32_add
_i64_add: _Binary = lib.cs_i64_add
_u64_add: _Binary = lib.cs_u64_add
_bool_not: Callable[[bool], bool] = lib.cs_bool_not
_mixed_sum: Callable[[int, int, SupportsFloat, bool, int, SupportsFloat], float] = lib.cs_mixed_sum
_ops_add: _Binary = _mode.ops_add
_ops_multiply: _Binary = _mode.ops_multiply
_macro_clamp: Callable[[int, int, int], int] = _mode.macro_clamp
_inline_rotl: _Binary = _mode.inline_rotl
_status_return: Callable[[int], int] = lib.cs_status_return
_errno_fail: Callable[[int], int] = lib.cs_errno_fail
_color_next: Callable[[int], int] = lib.cs_color_next
_flags_toggle: Callable[[int, int, Any], int] = lib.cs_flags_toggle
_spin: Callable[[int], int] = lib.cs_spin
_state_init: Callable[[int], int] = lib.cs_state_init
_state_next: Callable[[Any], int] = lib.cs_state_next
_state_fini: Callable[[], int] = lib.cs_state_fini
_tls_set: Callable[[int], None] = lib.cs_tls_set

# What needs no wrapper is the library's function itself.
noop: Callable[[], None] = lib.cs_noop
tls_get: Callable[[], int] = lib.cs_tls_get
f32_add: _BinaryReal = lib.cs_f32_add
f64_add: _BinaryReal = lib.cs_f64_add


def _checked(ctype: str) -> Callable[[SupportsIndex], int]:
    """A conversion to one C integer type, for the way to an exception."""
    pointer = ffi.typeof(ctype + " *")

    def convert(value: SupportsIndex) -> int:
        number: int = _new(pointer, index(value))[0]
        return number

    return convert


_i8, _i16, _i32, _i64 = map(_checked, ("int8_t", "int16_t", "int32_t", "int64_t"))
_u8, _u16, _u32, _u64 = map(_checked, ("uint8_t", "uint16_t", "uint32_t", "uint64_t"))


def real(value: Any) -> SupportsFloat:
    """A number for a C double: PyPy's cffi overlooks ``__index__``, which ``float()`` and CPython's take too."""
    if type(value) is float or hasattr(type(value), "__float__"):
        number: SupportsFloat = value
        return number
    return index(value)


if sys.implementation.name == "pypy":
    _f32_add, _f64_add = f32_add, f64_add

    def _f32_add_real(a: SupportsFloat | SupportsIndex, b: SupportsFloat | SupportsIndex, /) -> float:
        return _f32_add(real(a), real(b))

    def _f64_add_real(a: SupportsFloat | SupportsIndex, b: SupportsFloat | SupportsIndex, /) -> float:
        return _f64_add(real(a), real(b))

    f32_add, f64_add = _f32_add_real, _f64_add_real


def i8_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**8."""
    try:
        return _i8_add(index(a), index(b))
    except TypeError:
        return _i8_add(_i8(a), _i8(b))


def u8_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**8."""
    try:
        return _u8_add(index(a), index(b))
    except TypeError:
        return _u8_add(_u8(a), _u8(b))


def i16_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**16."""
    try:
        return _i16_add(index(a), index(b))
    except TypeError:
        return _i16_add(_i16(a), _i16(b))


def u16_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**16."""
    try:
        return _u16_add(index(a), index(b))
    except TypeError:
        return _u16_add(_u16(a), _u16(b))


def i32_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**32."""
    try:
        return _i32_add(index(a), index(b))
    except TypeError:
        return _i32_add(_i32(a), _i32(b))


def u32_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**32."""
    try:
        return _u32_add(index(a), index(b))
    except TypeError:
        return _u32_add(_u32(a), _u32(b))


def i64_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**64."""
    try:
        return _i64_add(index(a), index(b))
    except TypeError:
        return _i64_add(_i64(a), _i64(b))


def u64_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """Sum modulo 2**64."""
    try:
        return _u64_add(index(a), index(b))
    except TypeError:
        return _u64_add(_u64(a), _u64(b))


def bool_not(value: object, /) -> bool:
    """Negated truth value; cffi alone takes nothing but 0 and 1 for a C bool."""
    return _bool_not(not not value)  # noqa: SIM208 (cheaper than to call bool)


def mixed_sum(
    a: SupportsIndex, b: SupportsIndex, c: SupportsFloat, d: object, e: SupportsIndex, f: SupportsFloat, /
) -> float:
    """Six numbers of six types, added up as ``double``."""
    try:
        return _mixed_sum(index(a), index(b), c, not not d, index(e), f)  # noqa: SIM208
    except TypeError:
        return _mixed_sum(_i32(a), _u64(b), real(c), bool(d), _i8(e), real(f))


def ops_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """``cs_ops_get()->add``."""
    try:
        return _ops_add(index(a), index(b))
    except TypeError:
        return _ops_add(_i32(a), _i32(b))


def ops_multiply(a: SupportsIndex, b: SupportsIndex, /) -> int:
    """``cs_ops_get()->multiply``."""
    try:
        return _ops_multiply(index(a), index(b))
    except TypeError:
        return _ops_multiply(_i32(a), _i32(b))


def macro_clamp(x: SupportsIndex, lo: SupportsIndex, hi: SupportsIndex, /) -> int:
    """``CS_MACRO_CLAMP`` on ``int32_t``; `NotImplementedError` in ABI mode."""
    try:
        return _macro_clamp(index(x), index(lo), index(hi))
    except TypeError:
        return _macro_clamp(_i32(x), _i32(lo), _i32(hi))


def inline_rotl(value: SupportsIndex, bits: SupportsIndex, /) -> int:
    """``cs_inline_rotl``; `NotImplementedError` in ABI mode."""
    try:
        return _inline_rotl(index(value), index(bits))
    except TypeError:
        return _inline_rotl(_u32(value), _u32(bits))


def status_raise(status: SupportsIndex, /) -> None:
    """Raise what the status stands for, if it is a failure."""
    returned = _status_return(index(status))
    if returned < 0:
        raise failure(returned)


def errno_raise(error: SupportsIndex, /) -> None:
    """Raise the `OSError` of ``error``. cffi keeps a copy of errno from the end of the call, per thread."""
    if _errno_fail(index(error)):
        number = ffi.errno
        raise OSError(number, os.strerror(number))


def color_next(color: SupportsIndex, /) -> int:
    """The next color. `ValueError` "not a color"."""
    following = _color_next(index(color))
    if following == _INVALID:
        raise ValueError("not a color")
    return following


def flags_toggle(flags: SupportsIndex, mask: SupportsIndex, /) -> int:
    """Exclusive or of flags."""
    try:
        out = _u32s.pop()
    except IndexError:
        out = _new(_U32)
    try:
        status = _flags_toggle(index(flags), index(mask), out)
    except TypeError:
        status = _flags_toggle(_u32(flags), _u32(mask), out)
    toggled: int = out[0]
    _u32s.append(out)
    if status:
        raise failure(status)
    return toggled


def spin_held(iterations: SupportsIndex, /) -> int:
    """cffi cannot hold the GIL."""
    raise NotImplementedError("cffi releases the GIL around every call")


def spin_released(iterations: SupportsIndex, /) -> int:
    """``cs_spin`` with the GIL released, as in every call of cffi's."""
    return _spin(index(iterations))


def state_init(seed: SupportsIndex, /) -> None:
    """Start the process-wide generator."""
    status = _state_init(index(seed))
    if status:
        raise failure(status)


def state_next() -> int:
    """The next number."""
    try:
        out = _i64s.pop()
    except IndexError:
        out = _new(_I64)
    status = _state_next(out)
    value: int = out[0]
    _i64s.append(out)
    if status:
        raise failure(status)
    return value


def state_fini() -> None:
    """Stop the generator."""
    status = _state_fini()
    if status:
        raise failure(status)


def tls_set(value: SupportsIndex, /) -> None:
    """Set the calling thread's number."""
    _tls_set(index(value))
