# SPDX-License-Identifier: Apache-2.0
"""Arrays of structs that point to their payloads.

`struct` writes and reads such an array at once, several times faster than the attributes of ctypes objects do it one by
one. The array and the memory for the results are one block, whose address is known.
"""

from _operator import index
from ctypes import Structure, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p, sizeof
from itertools import accumulate
from struct import Struct
from struct import error as struct_error

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import PYPY, block, done, reading, ready, release, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from typing_extensions import Buffer

__all__ = ["attrs_digest", "attrs_get"]


class Attr(Structure):
    """``cs_attr``: a type, and a pointer to a value of any size."""

    __slots__ = ()
    _fields_ = [("type", c_uint32), ("value", c_void_p), ("value_nbytes", c_size_t)]


_ATTR = "IPN"
"""``Attr`` for `struct`."""
_TYPE = f"I{sizeof(Attr) - sizeof(c_uint32)}x"
"""Only the type is packed; the rest becomes zero."""
_SIZE = f"{Attr.value_nbytes.offset}xN"
"""Only the size is unpacked."""

_attrs_digest = ready("cs_attrs_digest", c_uint64, c_void_p, c_size_t)
_attrs_get = ready("cs_attrs_get", c_int32, c_void_p, c_size_t)


class Arrays(dict[int, "tuple[Any, ...]"]):
    """For arrays of each length: the length as an argument, and what packs and unpacks them.

    These are the size in bytes; what packs all fields, and what packs the types; what unpacks the sizes; the type of an
    array of pointers, and what unpacks it. Those of long arrays are not kept.
    """

    __slots__ = ()

    def __missing__(self, count: int) -> "tuple[Any, ...]":
        argument = count if PYPY else c_size_t.from_param(count)
        layout = Struct(_ATTR * count)
        packs = layout.pack_into, Struct(_TYPE * count).pack_into, Struct(_SIZE * count).unpack_from
        made = argument, layout.size, *packs, c_char_p * count, Struct("P" * count).unpack
        if count <= 64:
            self[count] = made
        return made


_arrays = Arrays()


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
    fields: list[Any] = []
    holds: list[Any] = []
    try:
        for pair in tuple(attrs):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError("each attribute must be a tuple of two: type and value")
            kind, value = pair
            kind = index(kind)
            if kind >> 32:
                raise too_large("uint32_t")
            if type(value) is bytes and not PYPY:
                fields += kind, value, len(value)
            else:
                pointer, nbytes, hold = reading(value)
                holds.append(hold)
                fields += kind, pointer or 0, nbytes
        count, array_nbytes, pack, _, _, pointers, addresses_of = _arrays[len(fields) // 3]
        if not PYPY:
            # Some pointers are bytes objects. This array takes their addresses, and keeps them until after the call.
            array = pointers(*fields[1::3])
            fields[1::3] = addresses_of(array)
        memory = block(array_nbytes)
        pack(memory.room, 0, *fields)
        digest = _attrs_digest(memory.pointer, count)
        done(memory)
        return digest
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
    asked = [*map(index, types)]
    count, array_nbytes, pack, pack_types, sizes_of, _, _ = _arrays[len(asked)]
    memory = block(array_nbytes)
    room = memory.room
    try:
        pack_types(room, 0, *asked)
    except struct_error:
        raise too_large("uint32_t") from None
    status = _attrs_get(memory.pointer, count)
    if status < 0:
        raise_status(status)
    sizes = sizes_of(room)
    offsets = [*accumulate(sizes, initial=array_nbytes)]
    end = offsets.pop()
    if end > len(room):
        done(memory)  # all that is needed of it was read
        memory = block(end)
        room = memory.room
    base = memory.address
    fields = asked * 3
    fields[::3] = asked
    fields[1::3] = [base + offset for offset in offsets]
    fields[2::3] = sizes
    pack(room, 0, *fields)
    status = _attrs_get(memory.pointer, count)
    if status < 0:
        raise_status(status)
    raw = bytes(memory.view[:end])
    done(memory)
    return [
        (kind, raw[offset : offset + nbytes])
        for kind, offset, nbytes in zip(asked, offsets, sizes_of(raw), strict=True)
    ]
