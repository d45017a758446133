# SPDX-License-Identifier: Apache-2.0
"""Structs: by value, by pointer, in arrays, with unions and bit-fields, and one that knows its own size.

A struct object itself goes where its pointer is declared: ctypes takes the address faster than ``byref()`` would tell
it, and three times as fast as ``pointer()``. It would take ``None`` as well, for NULL: hence the tests for the type.
"""

from __future__ import annotations

import struct
import sys
from ctypes import (
    POINTER,
    Structure,
    Union,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)

from cside_ctypes._buffers import addressed, finished, fresh_at, release
from cside_ctypes._library import PYPY, SmallInt, held
from cside_ctypes._numbers import int64, number, size, uint32
from cside_ctypes._status import raise_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, SupportsFloat, SupportsIndex

    from typing_extensions import Buffer

__all__ = [
    "CONFIG_NBYTES",
    "CONFIG_V1_NBYTES",
    "Box",
    "Point",
    "attrs_digest",
    "attrs_get",
    "bits_pack",
    "bits_unpack",
    "box_area",
    "box_fill",
    "box_unpack",
    "config_read",
    "point_add",
    "refusal",
    "variant_double",
]


class Point(Structure):
    """``cs_point``."""

    __slots__ = ()
    _fields_ = [("x", c_double), ("y", c_double)]

    if TYPE_CHECKING:
        x: float
        y: float

    def __init__(self, x: SupportsFloat, y: SupportsFloat, /) -> None:
        try:
            self.x = x  # type: ignore[assignment]
            self.y = y  # type: ignore[assignment]
        except TypeError:
            self.x, self.y = number(x), number(y)  # PyPy's fields do not know __index__


class Box(Structure):
    """``cs_box``, in memory that Python owns; all zero at first."""

    __slots__ = ()
    _fields_ = [("min", Point), ("max", Point), ("tag", c_uint32)]

    def __init__(self, /) -> None:
        """Take no initial values, as ``Structure`` would."""


class Attr(Structure):
    __slots__ = ()
    _fields_ = [("type", c_uint32), ("value", c_void_p), ("value_nbytes", c_size_t)]


class Payload(Union):
    __slots__ = ()
    _fields_ = [("integer", c_int64), ("real", c_double), ("bytes", c_uint8 * 8)]


class Variant(Structure):
    """``cs_variant``; the members of ``as``, a keyword in Python, are reached directly."""

    __slots__ = ()
    _anonymous_ = ("payload",)
    _fields_ = [("kind", c_uint32), ("payload", Payload)]

    if TYPE_CHECKING:
        integer: int
        real: float
        bytes: Any


class Bits(Structure):
    __slots__ = ()
    _fields_ = [("mode", c_uint, 3), ("level", c_uint, 5), ("delta", c_int, 4), ("flag", c_uint, 1)]


class Config(Structure):
    __slots__ = ()
    _fields_ = [("struct_nbytes", c_size_t), ("retries", c_uint32), ("timeout_s", c_double), ("flags", c_uint32)]


class ConfigView(Structure):
    __slots__ = ()
    _fields_ = [("version", c_uint32), ("retries", c_uint32), ("timeout_s", c_double), ("flags", c_uint32)]


CONFIG_NBYTES: int = sizeof(Config)
CONFIG_V1_NBYTES: int = Config.flags.offset

_ARRAY_TYPES_KEPT = 64  # counts up to this one

_VARIANT_INTEGER = 1
_VARIANT_REAL = 2
_VARIANT_BYTES = 3

_point_add = held("cs_point_add", Point, Point, Point)
_box_fill = held("cs_box_fill", None, POINTER(Box), SmallInt(c_uint32))
_box_area = held("cs_box_area", c_double, POINTER(Box))
_attrs_digest = held("cs_attrs_digest", c_uint64, POINTER(Attr), c_size_t)
_attrs_get = held("cs_attrs_get", c_int32, POINTER(Attr), c_size_t)
_variant_double = held("cs_variant_double", c_int32, POINTER(Variant))
_bits_pack = held("cs_bits_pack", c_uint32, POINTER(Bits))
_bits_unpack = held("cs_bits_unpack", None, SmallInt(c_uint32), POINTER(Bits))
_config_read = held("cs_config_read", c_int32, POINTER(Config), POINTER(ConfigView))


def refusal(value: object, wanted: type[object], /) -> TypeError:
    return TypeError(f"a {wanted.__name__} is required, not '{type(value).__name__}'")


def point_add(a: Point, b: Point, /) -> Point:
    if type(a) is Point is type(b) or (isinstance(a, Point) and isinstance(b, Point)):
        return _point_add(a, b)
    raise refusal(b if isinstance(a, Point) else a, Point)


def box_fill(box: Box, tag: SupportsIndex, /) -> None:
    if not isinstance(box, Box):
        raise refusal(box, Box)
    _box_fill(box, uint32(tag))


def box_area(box: Box, /) -> float:
    if not isinstance(box, Box):
        raise refusal(box, Box)
    return _box_area(box)


if PYPY:

    def box_unpack(box: Box, /) -> tuple[float, float, float, float, int]:
        if not isinstance(box, Box):
            raise refusal(box, Box)
        low, high = box.min, box.max
        return low.x, low.y, high.x, high.y, box.tag

else:
    _unpack_box = struct.Struct("@4dI").unpack_from

    def box_unpack(box: Box, /) -> tuple[float, float, float, float, int]:
        # One reading of the memory instead of seven attributes, two of which are structs that have to be made.
        if not isinstance(box, Box):
            raise refusal(box, Box)
        return _unpack_box(box)


_array_types: dict[int, Any] = {}


def _attr_array(count: int) -> Any:
    """`count` zeroed attributes. ctypes forgets an array type with its last user, and making one takes microseconds."""
    kept = _array_types.get(count)
    if kept is None:
        kept = Attr * count
        if count <= _ARRAY_TYPES_KEPT:
            _array_types[count] = kept
    return kept()


def attrs_digest(attrs: Sequence[tuple[int, Buffer]], /) -> int:
    if not isinstance(attrs, (list, tuple)):
        raise TypeError(f"a list or tuple is required, not '{type(attrs).__name__}'")
    pairs = tuple(attrs)
    count = len(pairs)
    array = _attr_array(count)
    holds: list[Any] = []
    try:
        for i in range(count):
            pair = pairs[i]
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError("each attribute must be a tuple of two: type and value")
            attr = array[i]
            attr.type = uint32(pair[0])
            attr.value, attr.value_nbytes, hold = addressed(pair[1])
            holds.append(hold)
        return _attrs_digest(array, count)
    finally:
        for hold in holds:
            release(hold)


def attrs_get(types: Sequence[int], /) -> list[tuple[int, bytes]]:
    asked = [uint32(kind) for kind in types]
    count = len(asked)
    array = _attr_array(count)
    for i in range(count):
        array[i].type = asked[i]
    status = _attrs_get(array, count)
    if status < 0:
        raise_status(status)
    rooms: list[Any] = []
    for i in range(count):
        attr = array[i]
        attr.value, room = fresh_at(attr.value_nbytes)
        rooms.append(room)
    status = _attrs_get(array, count)
    if status < 0:
        raise_status(status)
    return [(asked[i], finished(rooms[i], array[i].value_nbytes)) for i in range(count)]


def variant_double(value: int | float | bytes, /) -> int | float | bytes:
    variant = Variant()
    if isinstance(value, int):
        variant.kind = _VARIANT_INTEGER
        variant.integer = int64(value)
    elif isinstance(value, float):
        variant.kind = _VARIANT_REAL
        variant.real = value
    elif isinstance(value, bytes):
        if bytes.__len__(value) != 8:
            raise ValueError("need 8 bytes")
        variant.kind = _VARIANT_BYTES
        variant.integer = int.from_bytes(value, sys.byteorder, signed=True)  # all eight at once
    else:
        raise TypeError(f"an int, a float or bytes are required, not '{type(value).__name__}'")
    status = _variant_double(variant)
    if status < 0:
        raise_status(status)
    if variant.kind == _VARIANT_INTEGER:
        return variant.integer
    if variant.kind == _VARIANT_REAL:
        return variant.real
    return bytes(variant.bytes)


def bits_pack(mode: SupportsIndex, level: SupportsIndex, delta: SupportsIndex, flag: SupportsIndex, /) -> int:
    mode, level, delta, flag = uint32(mode), uint32(level), int64(delta), uint32(flag)
    if mode > 7 or level > 31 or not -8 <= delta <= 7 or flag > 1:
        raise OverflowError("int too large for its bit-field")
    return _bits_pack(Bits(mode, level, delta, flag))


def bits_unpack(word: SupportsIndex, /) -> tuple[int, int, int, int]:
    bits = Bits()
    _bits_unpack(uint32(word), bits)
    return bits.mode, bits.level, bits.delta, bits.flag


def config_read(
    retries: SupportsIndex, timeout_s: SupportsFloat, flags: SupportsIndex, struct_nbytes: SupportsIndex, /
) -> tuple[int, int, float, int]:
    retries, timeout_s, flags = uint32(retries), number(timeout_s), uint32(flags)
    view = ConfigView()
    status = _config_read(Config(size(struct_nbytes), retries, timeout_s, flags), view)
    if status < 0:
        raise_status(status)
    return view.version, view.retries, view.timeout_s, view.flags
