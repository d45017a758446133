# SPDX-License-Identifier: Apache-2.0
"""Arrays: arrays of structs whose ``void *`` fields point to values of any size, in and out."""

from _operator import index

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_unpack = ffi.unpack
_from_buffer = ffi.from_buffer
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_CHARS = ffi.typeof("char[]")
_ATTRS = ffi.typeof("cs_attr[]")

_attrs_digest = lib.cs_attrs_digest
_attrs_get = lib.cs_attrs_get


def _attr_type(value: "SupportsIndex") -> int:
    """Check that the type of an attribute fits ``uint32_t``."""
    number = index(value)
    if number >> 32:
        raise OverflowError("an attribute's type does not fit uint32_t")
    return number


def attrs_digest(attrs: "Sequence[tuple[int, Buffer]]", /) -> int:
    """Return the 64-bit FNV-1a hash of a list or tuple of attributes ``(type, value)``.

    Each attribute is a tuple of an ``uint32_t`` and a buffer. The hash runs over the type, as 4
    bytes in little-endian order, and the bytes of the value.

    Raises `TypeError` if ``attrs`` is not a list or tuple of tuples of two, a type has no
    ``__index__``, or a value does not support the buffer protocol; `OverflowError` if a type
    does not fit ``uint32_t``; `BufferError` if a value is not C-contiguous.
    """
    if not isinstance(attrs, (list, tuple)):
        raise TypeError(f"attrs must be a list or tuple, not {type(attrs).__name__}")
    views: list[Any] = []
    rows = []
    try:
        for attr in tuple(attrs):  # a copy: __index__ may change the list
            if not isinstance(attr, tuple) or len(attr) != 2:
                raise TypeError("each attribute must be a tuple of two")
            kind = _attr_type(attr[0])
            view = _from_buffer(attr[1])
            views.append(view)
            rows.append((kind, view, len(view)))
        digest: int = _attrs_digest(_new(_ATTRS, rows), len(rows))
    finally:
        for view in views:
            _release(view)
    return digest


def attrs_get(types: "Iterable[SupportsIndex]", /) -> list[tuple[int, bytes]]:
    """Return an attribute ``(type, value)`` for each type in a sequence.

    The value of type t has t modulo 64 bytes, each of them t modulo 256. One native call asks
    for all sizes, a second one fetches all values.

    Raises `LookupError` if a type is above 4096; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``, or ``types`` is not a sequence.
    """
    numbers = [_attr_type(kind) for kind in tuple(types)]
    count = len(numbers)
    attrs = _new(_ATTRS, [(number,) for number in numbers])
    status: int = _attrs_get(attrs, count)
    if status:
        raise failure(status)
    elements = list(attrs)
    sizes = [attr.value_nbytes for attr in elements]
    nbytes = sum(sizes)
    memory = place = _allocate(_CHARS, nbytes)
    for attr, size in zip(elements, sizes, strict=True):
        attr.value = place
        place += size
    status = _attrs_get(attrs, count)
    if status:
        raise failure(status)
    values: bytes = _unpack(memory, nbytes)
    result = []
    begin = 0
    for number, size in zip(numbers, sizes, strict=True):
        result.append((number, values[begin : begin + size]))
        begin += size
    return result
