# SPDX-License-Identifier: Apache-2.0
"""Errors, enumerations, flags, varargs, function tables, state, constants, and what ctypes cannot reach."""

from __future__ import annotations

import os
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint32, c_uint64, get_errno

from cside_ctypes._buffers import encoded
from cside_ctypes._library import CHOOSES_GIL, SmallInt, each_function_type, errno_saved, held, released
from cside_ctypes._numbers import int32, int64, uint32, uint64
from cside_ctypes._status import raise_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, SupportsIndex

__all__ = [
    "COLOR_BLUE",
    "COLOR_GREEN",
    "COLOR_RED",
    "CONST_CAST",
    "CONST_CHAR",
    "CONST_EXPR",
    "CONST_FLOAT",
    "CONST_HEX",
    "CONST_INT",
    "CONST_NEGATIVE",
    "CONST_SHIFT",
    "CONST_STRING",
    "FLAG_ALL",
    "FLAG_EXEC",
    "FLAG_READ",
    "FLAG_WRITE",
    "color_next",
    "const_text",
    "errno_raise",
    "flags_toggle",
    "inline_rotl",
    "macro_clamp",
    "ops_add",
    "ops_multiply",
    "spin_held",
    "spin_released",
    "state_fini",
    "state_init",
    "state_next",
    "status_raise",
    "tls_get",
    "tls_set",
    "varargs_sum",
]

# Copied by hand from cside/idioms.h, since a C compiler alone can read it; const_text() tells whether they still agree.
CONST_INT = 42
CONST_NEGATIVE = -7
CONST_HEX = 0xFFFF_FFFF_FFFF_FFFF
CONST_CAST = 0xFFFF_FFFF
CONST_SHIFT = 1 << 31
CONST_EXPR = CONST_SHIFT | 3
CONST_CHAR = ord("c")
CONST_FLOAT = 2.5
CONST_STRING = "cside \u00e9"
COLOR_RED = 0
COLOR_GREEN = 1
COLOR_BLUE = 2
FLAG_READ = 1 << 0
FLAG_WRITE = 1 << 1
FLAG_EXEC = 1 << 2
FLAG_ALL = FLAG_READ | FLAG_WRITE | FLAG_EXEC

_COLOR_INVALID = -1
_VARARGS_MAX = 8


class Ops(Structure):
    """``cs_ops``, the table of functions."""

    __slots__ = ()
    _fields_ = [
        ("version", c_uint32),
        ("add", each_function_type(c_int32, c_int32, c_int32)),
        ("multiply", each_function_type(c_int32, c_int32, c_int32)),
    ]


_status_return = held("cs_status_return", c_int32, SmallInt(c_int32))
_errno_fail = errno_saved("cs_errno_fail", c_int32, SmallInt(c_int32))
_color_next = held("cs_color_next", c_int32, SmallInt(c_int32))
_flags_toggle = held("cs_flags_toggle", c_int32, SmallInt(c_uint32), SmallInt(c_uint32), POINTER(c_uint32))
_ops_get = held("cs_ops_get", POINTER(Ops))
# Only the fixed argument is declared: ctypes then takes the others for variadic ones, which some machines pass
# elsewhere (Apple's arm64 on the stack). Each is a c_int64: a plain int would go as a C int.
_varargs_sum = held("cs_varargs_sum", c_int64, c_uint32)
_const_text = held("cs_const_text", c_char_p, c_char_p)
_spin_held = held("cs_spin", c_uint64, c_uint64)
_spin_released = released("cs_spin", c_uint64, c_uint64)
_state_init = held("cs_state_init", c_int32, c_int64)
_state_next = held("cs_state_next", c_int32, POINTER(c_int64))
_state_fini = held("cs_state_fini", c_int32)
_tls_set = held("cs_tls_set", None, c_int64)
_tls_get = held("cs_tls_get", c_int64)

# Fetched once: each reading of a field that is a function pointer makes a new function object.
_ops = _ops_get().contents
_ops_add = _ops.add
_ops_multiply = _ops.multiply
_ops_add.argtypes = _ops_multiply.argtypes = (SmallInt(c_int32), SmallInt(c_int32))


def status_raise(status: SupportsIndex, /) -> None:
    outcome = _status_return(int32(status))
    if outcome < 0:
        raise_status(outcome)


def errno_raise(error: SupportsIndex, /) -> None:
    if _errno_fail(int32(error)) != 0:
        code = get_errno()
        raise OSError(code, os.strerror(code))


def color_next(color: SupportsIndex, /) -> int:
    following = _color_next(int32(color))
    if following == _COLOR_INVALID:
        raise ValueError("not a color")
    return following


def flags_toggle(flags: SupportsIndex, mask: SupportsIndex, /) -> int:
    out = c_uint32()
    status = _flags_toggle(uint32(flags), uint32(mask), out)
    if status < 0:
        raise_status(status)
    return out.value


def ops_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    try:
        if not (a | b) >> 31:  # type: ignore[operator]
            return _ops_add(a, b)  # type: ignore[no-any-return]
    except Exception:
        pass
    return _ops_add(int32(a), int32(b))  # type: ignore[no-any-return]


def ops_multiply(a: SupportsIndex, b: SupportsIndex, /) -> int:
    try:
        if not (a | b) >> 31:  # type: ignore[operator]
            return _ops_multiply(a, b)  # type: ignore[no-any-return]
    except Exception:
        pass
    return _ops_multiply(int32(a), int32(b))  # type: ignore[no-any-return]


def varargs_sum(*values: SupportsIndex) -> int:
    if len(values) > _VARARGS_MAX:
        raise TypeError(f"varargs_sum() takes at most {_VARARGS_MAX} arguments ({len(values)} given)")
    return _varargs_sum(len(values), *[c_int64(int64(value)) for value in values])


def const_text(name: str, /) -> str | None:
    text = _const_text(encoded(name))
    return None if text is None else text.decode()


def macro_clamp(x: SupportsIndex, lo: SupportsIndex, hi: SupportsIndex, /) -> NoReturn:
    raise NotImplementedError("CS_MACRO_CLAMP is a macro: there is no symbol to call")


def inline_rotl(value: SupportsIndex, bits: SupportsIndex, /) -> NoReturn:
    raise NotImplementedError("cs_inline_rotl is a static-inline function: there is no symbol to call")


def spin_held(iterations: SupportsIndex, /) -> int:
    if not CHOOSES_GIL:
        raise NotImplementedError("ctypes on this interpreter always releases the GIL")
    return _spin_held(uint64(iterations))


def spin_released(iterations: SupportsIndex, /) -> int:
    return _spin_released(uint64(iterations))


def state_init(seed: SupportsIndex, /) -> None:
    status = _state_init(int64(seed))
    if status < 0:
        raise_status(status)


def state_next() -> int:
    out = c_int64()
    status = _state_next(out)
    if status < 0:
        raise_status(status)
    return out.value


def state_fini() -> None:
    status = _state_fini()
    if status < 0:
        raise_status(status)


def tls_set(value: SupportsIndex, /) -> None:
    _tls_set(int64(value))


def tls_get() -> int:
    return _tls_get()
