# SPDX-License-Identifier: Apache-2.0
"""The functions that are measured, over functions of the library that have no ``argtypes``.

What ctypes passes by itself: an int as C ``int`` (its lower 32 bits), bytes as their address, ``None`` as NULL, a
function as its pointer, a struct by value. Everything else has to be wrapped: sizes and addresses above all, which a C
``int`` would cut.
"""

from __future__ import annotations

from _operator import index as index_of
from ctypes import byref, c_double, c_float, c_size_t, c_uint32, c_uint64, c_void_p

from cside_ctypes._buffers import addressed, encoded, finished, fresh, release, writing
from cside_ctypes._callbacks import call_back
from cside_ctypes._checksums import LONG_NBYTES, MASK
from cside_ctypes._library import PYPY
from cside_ctypes._numbers import int8, int32, number, uint8, uint32, uint64
from cside_ctypes._structs import Box, box_unpack, refusal
from cside_ctypes.bare._library import held, released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsFloat, SupportsIndex

    from typing_extensions import Buffer

    Each = Callable[[int], int]

__all__ = [
    "Box",
    "box_area",
    "box_fill",
    "box_unpack",
    "buffer_fill",
    "bytes_sum",
    "crc32",
    "each_call",
    "f64_add",
    "i32_add",
    "label_get",
    "mixed_sum",
    "noop",
    "string_length",
]

_LABEL_NBYTES = 32

_noop = held("cs_noop")
_i32_add = held("cs_i32_add")
_f64_add = held("cs_f64_add", c_double)
_mixed_sum = held("cs_mixed_sum", c_double)
_bytes_sum = held("cs_bytes_sum", c_uint32)
_buffer_fill = held("cs_buffer_fill")
_string_length = held("cs_string_length", c_size_t)
_label_get = held("cs_label_get")
_box_fill = held("cs_box_fill")
_box_area = held("cs_box_area", c_double)
_each_call = held("cs_each_call")
_crc32_short = held("cs_crc32", c_uint32)
_crc32_long = released("cs_crc32", c_uint32)


def noop() -> None:
    _noop()


def i32_add(a: SupportsIndex, b: SupportsIndex, /) -> int:
    try:
        if not (a | b) >> 31 or (-0x8000_0000 <= a <= 0x7FFF_FFFF and -0x8000_0000 <= b <= 0x7FFF_FFFF):  # type: ignore[operator]
            return _i32_add(a, b)
    except Exception:
        pass
    return _i32_add(int32(a), int32(b))


def f64_add(a: SupportsFloat, b: SupportsFloat, /) -> float:
    try:
        x, y = c_double(a), c_double(b)  # type: ignore[arg-type]
    except Exception:
        x, y = c_double(number(a)), c_double(number(b))
    return _f64_add(x, y)


def mixed_sum(
    a: SupportsIndex, b: SupportsIndex, c: SupportsFloat, d: object, e: SupportsIndex, f: SupportsFloat, /
) -> float:
    try:
        if not ((a + 0x8000_0000) >> 32 or b >> 64 or (e + 0x80) >> 8):  # type: ignore[operator]
            return _mixed_sum(a, c_uint64(b), c_double(c), 1 if d else 0, e, c_float(f))  # type: ignore[arg-type]
    except Exception:
        pass
    a, b, c, d, e, f = int32(a), uint64(b), number(c), bool(d), int8(e), number(f)
    return _mixed_sum(a, c_uint64(b), c_double(c), d, e, c_float(f))


def bytes_sum(data: Buffer, /) -> int:
    if type(data) is bytes and not PYPY:
        return _bytes_sum(data, c_size_t(len(data)))
    pointer, nbytes, hold = addressed(data)
    try:
        return _bytes_sum(c_void_p(pointer), c_size_t(nbytes))
    finally:
        release(hold)


def buffer_fill(out: Buffer, value: SupportsIndex, /) -> None:
    pointer, nbytes, hold = writing(out)
    try:
        _buffer_fill(c_void_p(pointer), c_size_t(nbytes), uint8(value))
    finally:
        release(hold)


def string_length(text: str, /) -> int:
    return _string_length(encoded(text))


def label_get(index: SupportsIndex, /) -> str:
    field, room = fresh(_LABEL_NBYTES)
    _label_get(uint32(index), c_void_p(field) if PYPY else field)
    return finished(room, _LABEL_NBYTES).rstrip(b" ").decode()


def box_fill(box: Box, tag: SupportsIndex, /) -> None:
    if not isinstance(box, Box):
        raise refusal(box, Box)
    _box_fill(byref(box), uint32(tag))


def box_area(box: Box, /) -> float:
    if not isinstance(box, Box):
        raise refusal(box, Box)
    return _box_area(byref(box))


def _each(times: int, thunk: Any, user: None, out: Any) -> int:
    return _each_call(times, thunk, user, byref(out))


def each_call(times: SupportsIndex, callback: Each, /) -> int:
    return call_back(_each, (uint32(times),), callback)


def crc32(data: Buffer, value: int = 0, /) -> int:
    if type(data) is bytes and type(value) is int and not PYPY:
        nbytes = len(data)
        if nbytes < LONG_NBYTES:
            return _crc32_short(value & MASK, data, c_size_t(nbytes))
        return _crc32_long(value & MASK, data, c_size_t(nbytes))
    pointer, nbytes, hold = addressed(data)
    try:
        value = index_of(value) & MASK
        if nbytes < LONG_NBYTES:
            return _crc32_short(value, c_void_p(pointer), c_size_t(nbytes))
        return _crc32_long(value, c_void_p(pointer), c_size_t(nbytes))
    finally:
        release(hold)
