# SPDX-License-Identifier: Apache-2.0
"""Arrays of structs that point to their payloads."""

from ctypes import POINTER, Structure, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import addressed, finished, fresh_at, held, release, uint32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from typing_extensions import Buffer

__all__ = ["attrs_digest", "attrs_get"]

_ARRAY_TYPES_KEPT = 64  # array types for up to this many elements are kept


class Attr(Structure):
    """``cs_attr``: a type, and a pointer to a value of any size."""

    __slots__ = ()
    _fields_ = [("type", c_uint32), ("value", c_void_p), ("value_nbytes", c_size_t)]


_attrs_digest = held("cs_attrs_digest", c_uint64, POINTER(Attr), c_size_t)
_attrs_get = held("cs_attrs_get", c_int32, POINTER(Attr), c_size_t)

_array_types: "dict[int, Any]" = {}


def _attr_array(count: int) -> "Any":
    """Make an array of `count` attributes, all zero.

    ctypes frees an array type with its last array, and making one takes microseconds, so the small ones are kept here.
    """
    kept = _array_types.get(count)
    if kept is None:
        kept = Attr * count
        if count <= _ARRAY_TYPES_KEPT:
            _array_types[count] = kept
    return kept()


def attrs_digest(attrs: "Sequence[tuple[int, Buffer]]", /) -> int:
    """Return the 64-bit FNV-1a hash of a list or tuple of attributes ``(type, value)``.

    Each attribute is a tuple of an ``uint32_t`` and a buffer. The hash runs over the type, as 4
    bytes in little-endian order, and the bytes of the value.

    Raises `TypeError` if ``attrs`` is not a list or tuple of tuples of two, a type has no
    ``__index__``, or a value does not support the buffer protocol; `OverflowError` if a type
    does not fit ``uint32_t``; `BufferError` if a value is not C-contiguous.
    """
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


def attrs_get(types: "Sequence[int]", /) -> "list[tuple[int, bytes]]":
    """Return an attribute ``(type, value)`` for each type in a sequence.

    The value of type t has t modulo 64 bytes, each of them t modulo 256. One native call asks
    for all sizes, a second one fetches all values.

    Raises `LookupError` if a type is above 4096; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``, or ``types`` is not a sequence.
    """
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
