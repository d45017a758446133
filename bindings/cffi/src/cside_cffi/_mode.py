# SPDX-License-Identifier: Apache-2.0
"""What only API mode can do, under the names that ``abi/_mode.py`` gives to its own ways."""

from __future__ import annotations

from operator import index

from ._core import ffi, lib

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, SupportsIndex

CONST_INT: int = lib.CS_CONST_INT
CONST_NEGATIVE: int = lib.CS_CONST_NEGATIVE
CONST_HEX: int = lib.CS_CONST_HEX
CONST_CAST: int = lib.CS_CONST_CAST
CONST_SHIFT: int = lib.CS_CONST_SHIFT
CONST_EXPR: int = lib.CS_CONST_EXPR
CONST_CHAR: int = lib.CS_CONST_CHAR
CONST_FLOAT: float = lib.CS_CONST_FLOAT
CONST_STRING: str = ffi.string(lib.CS_CONST_STRING).decode()
CONFIG_NBYTES: int = lib.CS_CONFIG_NBYTES
CONFIG_V1_NBYTES: int = lib.CS_CONFIG_V1_NBYTES

lib.shim_ops_fetch()
ops_add = lib.shim_ops_add
ops_multiply = lib.shim_ops_multiply
macro_clamp = lib.shim_macro_clamp
inline_rotl = lib.shim_inline_rotl

STEPS_TAKE_BYTES: Final = True
"""Whether ``deflate`` and ``inflate`` take a ``bytes`` object as it is; else it must be a pointer."""

deflate = lib.shim_deflate
inflate = lib.shim_inflate
"""``step(stream, data, begin, end, out, room, flush)``: lend ``data[begin:end]`` and ``room`` bytes, and call once."""

_bits_pack = lib.shim_bits_pack
_bits_unpack = lib.shim_bits_unpack
_varargs_sum = lib.shim_varargs_sum
_new = ffi.new
_unpack = ffi.unpack
_FIELDS: Final = ffi.typeof("int32_t[4]")
_VALUES: Final = ffi.typeof("int64_t[8]")

# Arrays for C, at rest.
_fields: Final = [_new(_FIELDS)]
_values: Final = [_new(_VALUES)]


def c_function(name: str, function: Callable[..., int], error: int, onerror: Callable[..., int | None] | None) -> Any:
    """Let C call ``function`` by the ``extern "Python"`` of that ``name``; the pointer to hand to C."""
    ffi.def_extern(name, error, onerror)(function)
    return ffi.addressof(lib, "shim_" + name)


def bits_pack(mode: SupportsIndex, level: SupportsIndex, delta: SupportsIndex, flag: SupportsIndex, /) -> int:
    """Four bit-fields in one number; the compiler writes them."""
    try:
        word: int = _bits_pack(index(mode), index(level), index(delta), index(flag))
    except TypeError:
        for value, lowest, highest in ((mode, 0, 7), (level, 0, 31), (delta, -8, 7), (flag, 0, 1)):
            if not lowest <= index(value) <= highest:
                break
        else:
            raise
        word = -1
    if word < 0:
        raise OverflowError("a number does not fit its bit-field")
    return word


def bits_unpack(word: SupportsIndex, /) -> tuple[int, int, int, int]:
    """The inverse."""
    try:
        fields = _fields.pop()
    except IndexError:
        fields = _new(_FIELDS)
    _bits_unpack(index(word), fields)
    mode, level, delta, flag = _unpack(fields, 4)
    _fields.append(fields)
    return mode, level, delta, flag


def varargs_sum(*values: SupportsIndex) -> int:
    """Sum of up to 8 numbers by one variadic call, which the compiler typed."""
    count = len(values)
    if count > 8:
        raise TypeError(f"at most 8 values, not {count}")
    try:
        cells = _values.pop()
    except IndexError:
        cells = _new(_VALUES)
    cells[0:count] = [index(value) for value in values]
    total: int = _varargs_sum(count, cells)
    _values.append(cells)
    return total
