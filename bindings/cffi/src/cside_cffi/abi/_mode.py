# SPDX-License-Identifier: Apache-2.0
"""ABI mode's ways of doing what ``cside_cffi/_mode.py`` leaves to the compiler."""

from __future__ import annotations

from operator import index

from cside_cffi.abi._core import ffi, lib

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn, SupportsIndex

CONST_INT: int = lib.CS_CONST_INT
CONST_NEGATIVE: int = lib.CS_CONST_NEGATIVE
CONST_HEX: int = lib.CS_CONST_HEX
CONST_CAST: int = lib.CS_CONST_CAST
CONST_SHIFT: int = lib.CS_CONST_SHIFT
CONST_EXPR: int = lib.CS_CONST_EXPR
# Copied by hand, as those of cdef/abi/constants.h; cffi has no declaration for a value that is no integer.
CONST_CHAR: int = ord("c")
CONST_FLOAT: float = 2.5
CONST_STRING: str = "cside é"
CONFIG_NBYTES: int = ffi.sizeof("cs_config")
CONFIG_V1_NBYTES: int = ffi.offsetof("cs_config", "flags")

_table: Final = lib.cs_ops_get()
ops_add = _table.add
ops_multiply = _table.multiply

STEPS_TAKE_BYTES: Final = False
"""Whether ``deflate`` and ``inflate`` take a ``bytes`` object as it is; else it must be a pointer."""

_deflate = lib.cs_deflate
_inflate = lib.cs_inflate
_bits_pack = lib.cs_bits_pack
_bits_unpack = lib.cs_bits_unpack
_varargs_sum = lib.cs_varargs_sum
_cast = ffi.cast
_new = ffi.new
_BITS: Final = ffi.typeof("cs_bits *")
_I64: Final = ffi.typeof("int64_t")
_I64_POINTER: Final = ffi.typeof("int64_t *")
_bits: Final = [_new(_BITS)]


def deflate(stream: Any, data: Any, begin: int, end: int, out: Any, room: int, flush: int) -> int:
    """Lend ``data[begin:end]`` and ``room`` bytes of ``out``, and call ``cs_deflate`` once."""
    stream.next_in = data + begin
    stream.avail_in = end - begin
    stream.next_out = out
    stream.avail_out = room
    status: int = _deflate(stream, flush)
    return status


def inflate(stream: Any, data: Any, begin: int, end: int, out: Any, room: int, flush: int) -> int:
    """Likewise ``cs_inflate``."""
    stream.next_in = data + begin
    stream.avail_in = end - begin
    stream.next_out = out
    stream.avail_out = room
    status: int = _inflate(stream, flush)
    return status


_TYPES: Final = {
    "on_each": "int64_t(*)(uintptr_t, int32_t)",
    "on_progress": "int32_t(*)(uintptr_t, uint64_t, uint64_t)",
    "on_notify": "CK_RV(*)(CK_SESSION_HANDLE, CK_NOTIFICATION, uintptr_t)",
    "on_mutex_create": "CK_RV(*)(uintptr_t, uintptr_t *)",
    "on_mutex_destroy": "CK_RV(*)(uintptr_t, uintptr_t)",
    "on_mutex_lock": "CK_RV(*)(uintptr_t, uintptr_t)",
    "on_mutex_unlock": "CK_RV(*)(uintptr_t, uintptr_t)",
    "on_report": "CK_RV(*)(void)",
}
_POINTERS: Final = {
    "on_each": "cs_each_fn",
    "on_progress": "cs_progress_fn",
    "on_notify": "CK_NOTIFY",
    "on_mutex_create": "CK_RV(*)(void *, void **)",
    "on_mutex_destroy": "CK_RV(*)(void *, void *)",
    "on_mutex_lock": "CK_RV(*)(void *, void *)",
    "on_mutex_unlock": "CK_RV(*)(void *, void *)",
    "on_report": "CK_RV(*)(void)",
}
_closures: Final[list[Any]] = []


def c_function(name: str, function: Callable[..., int], error: int, onerror: Callable[..., int | None] | None) -> Any:
    """Let C call ``function`` by a closure of libffi's, made once; the pointer to hand to C.

    Its first argument, a pointer to C, is taken as the integer that it is.
    """
    closure = ffi.callback(_TYPES[name], function, error, onerror)
    _closures.append(closure)  # the pointer does not keep it alive
    return ffi.cast(_POINTERS[name], closure)


def macro_clamp(x: int, lo: int, hi: int, /) -> NoReturn:
    """There is no symbol to call."""
    raise NotImplementedError("macros need a compiler: cffi's API mode")


def inline_rotl(value: int, bits: int, /) -> NoReturn:
    """Nor is there here."""
    raise NotImplementedError("inline functions need a compiler: cffi's API mode")


def bits_pack(mode: SupportsIndex, level: SupportsIndex, delta: SupportsIndex, flag: SupportsIndex, /) -> int:
    """Four bit-fields in one number; cffi writes them, by the rules of the platform's compiler."""
    try:
        bits = _bits.pop()
    except IndexError:
        bits = _new(_BITS)
    bits.mode = index(mode)
    bits.level = index(level)
    bits.delta = index(delta)
    bits.flag = index(flag)
    word: int = _bits_pack(bits)
    _bits.append(bits)
    return word


def bits_unpack(word: SupportsIndex, /) -> tuple[int, int, int, int]:
    """The inverse."""
    try:
        bits = _bits.pop()
    except IndexError:
        bits = _new(_BITS)
    _bits_unpack(index(word), bits)
    fields: tuple[int, int, int, int] = (bits.mode, bits.level, bits.delta, bits.flag)
    _bits.append(bits)
    return fields


def varargs_sum(*values: SupportsIndex) -> int:
    """Sum of up to 8 numbers by one variadic call, each argument a cdata that brings its own type."""
    if len(values) > 8:
        raise TypeError(f"at most 8 values, not {len(values)}")
    # A cast would cut what does not fit; the assignment refuses it.
    total: int = _varargs_sum(len(values), *[_cast(_I64, _new(_I64_POINTER, index(value))[0]) for value in values])
    return total
