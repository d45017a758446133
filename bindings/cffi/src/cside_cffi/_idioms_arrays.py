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
    """Hash of ``(type, value)`` pairs. C reads each value in the memory of its Python object, without a copy."""
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
    """``(type, value)`` for each type. One call asks for all sizes, a second one reads all values into one block."""
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
