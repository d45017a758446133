# SPDX-License-Identifier: Apache-2.0
"""Arrays: arrays of structs whose ``void *`` fields point to values of any size, in and out.

CPython writes and reads the numbers of a whole array by one call of `struct`. PyPy compiles assignments to the fields
of each struct, which are faster there. Addresses are written one by one.
"""

import sys
from _operator import index
from _struct import Struct

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_cast = ffi.cast
_buffer = ffi.buffer
_sizeof = ffi.sizeof
_offsetof = ffi.offsetof
_from_buffer = ffi.from_buffer
_release = ffi.release
_memmove = ffi.memmove
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_NULL = ffi.NULL
_CHARS = ffi.typeof("char[]")
_ATTRS = ffi.typeof("cs_attr[]")
_WORD = ffi.typeof("uintptr_t")
_WORDS = ffi.typeof("uintptr_t *")

_COUNT = 32
"""The number of attributes of an array that is kept for other calls."""
_ROOM_NBYTES = 4096
"""The size of the memory for values that is kept with it."""

_attrs_digest = lib.cs_attrs_digest
_attrs_get = lib.cs_attrs_get


class _Array:
    """Memory for ``count`` attributes, as structs, as words and as a buffer; and memory for their values."""

    __slots__ = ("address", "attrs", "buffer", "count", "room", "values", "words")

    def __init__(self, count: int) -> None:
        self.count = count
        self.attrs = _new(_ATTRS, count)
        self.words = _cast(_WORDS, self.attrs)
        self.buffer = _buffer(self.attrs)
        self.room, self.values, self.address = _room(_ROOM_NBYTES)


def _room(nbytes: int) -> "tuple[Any, Any, int]":
    """Allocate memory for values; return it, a buffer of it, and its address."""
    room = _allocate(_CHARS, nbytes)
    return room, _buffer(room), int(_cast(_WORD, room))


_arrays: list[_Array] = []  # arrays that no call is using; the first call makes the first one


def _array(count: int) -> _Array:
    """Return an array for at least ``count`` attributes that no other call is using."""
    if count > _COUNT:
        return _Array(count)
    try:
        return _arrays.pop()
    except IndexError:
        return _Array(_COUNT)


def _rest(array: _Array) -> None:
    """Make an array free for another call."""
    if array.count == _COUNT:
        _arrays.append(array)


_STEP = _sizeof("cs_attr") // _sizeof(_WORD)
_VALUE = _offsetof("cs_attr", "value") // _sizeof(_WORD)  # its address is this word of an attribute

if sys.implementation.name == "pypy":

    def _ask(array: _Array, numbers: "list[int]") -> None:
        """Write attributes without values: types, null pointers, and 0 as sizes."""
        attrs = array.attrs
        for i in range(len(numbers)):
            attr = attrs[i]
            attr.type = numbers[i]
            attr.value = _NULL
            attr.value_nbytes = 0

    def _sizes(array: _Array, count: int) -> "Sequence[int]":
        """Return the sizes of the first ``count`` attributes."""
        attrs = array.attrs
        return [attrs[i].value_nbytes for i in range(count)]

    def _give(array: _Array, words: "list[int]", count: int) -> None:
        """Write attributes with values: type, address and size of each."""
        attrs = array.attrs
        for i in range(count):
            attr = attrs[i]
            attr.type = words[3 * i]
            array.words[i * _STEP + _VALUE] = words[3 * i + 1]
            attr.value_nbytes = words[3 * i + 2]

else:
    _SIZE_AT = _offsetof("cs_attr", "value_nbytes")
    _VALUE_AT = _offsetof("cs_attr", "value")
    _BEFORE_VALUE = _VALUE_AT - _sizeof("uint32_t")
    _AFTER_VALUE = _SIZE_AT - _VALUE_AT - _sizeof(_WORD)
    _AFTER_SIZE = _sizeof("cs_attr") - _SIZE_AT - _sizeof("size_t")
    _formats: "dict[int, tuple[Callable[..., None], Callable[..., tuple[int, ...]], Callable[..., None]]]" = {}

    def _format(count: int) -> "tuple[Callable[..., None], Callable[..., tuple[int, ...]], Callable[..., None]]":
        """Return what writes types, what reads sizes, and what writes all three fields, for ``count`` attributes.

        The bytes between them are written as zeros.
        """
        made = (
            Struct(f"I{_sizeof('cs_attr') - _sizeof('uint32_t')}x" * count).pack_into,
            Struct(f"{_SIZE_AT}xN{_AFTER_SIZE}x" * count).unpack_from,
            Struct(f"I{_BEFORE_VALUE}xP{_AFTER_VALUE}xN{_AFTER_SIZE}x" * count).pack_into,
        )
        if count <= _COUNT:
            _formats[count] = made
        return made

    def _ask(array: _Array, numbers: "list[int]") -> None:
        """Write attributes without values: types, null pointers, and 0 as sizes."""
        count = len(numbers)
        write, _, _ = _formats[count] if count in _formats else _format(count)
        write(array.buffer, 0, *numbers)

    def _sizes(array: _Array, count: int) -> "Sequence[int]":
        """Return the sizes of the first ``count`` attributes."""
        _, read, _ = _formats[count] if count in _formats else _format(count)
        return read(array.buffer)

    def _give(array: _Array, words: "list[int]", count: int) -> None:
        """Write attributes with values: type, address and size of each."""
        _, _, write = _formats[count] if count in _formats else _format(count)
        write(array.buffer, 0, *words)


def _too_big() -> OverflowError:
    return OverflowError("an attribute's type does not fit uint32_t")


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
    rows = tuple(attrs)  # a copy: __index__ may change the list
    count = len(rows)
    array = _array(count)
    address = array.address
    used = 0
    words: list[int] = []
    small: list[bytes] = []
    lent: list[Any] = []
    try:
        for attr in rows:
            if not isinstance(attr, tuple) or len(attr) != 2:
                raise TypeError("each attribute must be a tuple of two")
            kind, value = attr
            number = index(kind)
            if number >> 32:
                raise _too_big()
            if type(value) is bytes and used + len(value) <= _ROOM_NBYTES:
                # To copy short values together takes less time than to ask for the address of each.
                small.append(value)
                size = len(value)
                words += (number, address + used, size)
                used += size
            else:
                view = _from_buffer(value)
                lent.append(view)
                words += (number, int(_cast(_WORD, view)), len(view))
        if used:
            _memmove(array.room, b"".join(small), used)
        _give(array, words, count)
        digest: int = _attrs_digest(array.attrs, count)
    finally:
        for view in lent:
            _release(view)
        _rest(array)
    return digest


def attrs_get(types: "Iterable[SupportsIndex]", /) -> list[tuple[int, bytes]]:
    """Return an attribute ``(type, value)`` for each type in a sequence.

    The value of type t has t modulo 64 bytes, each of them t modulo 256. One native call asks
    for all sizes, a second one fetches all values.

    Raises `LookupError` if a type is above 4096; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``, or ``types`` is not a sequence.
    """
    numbers = []
    for kind in tuple(types):
        number = index(kind)
        if number >> 32:
            raise _too_big()
        numbers.append(number)
    count = len(numbers)
    array = _array(count)
    _ask(array, numbers)
    status: int = _attrs_get(array.attrs, count)
    if status:
        raise failure(status)
    sizes = _sizes(array, count)
    nbytes = sum(sizes)
    if nbytes <= _ROOM_NBYTES:
        values, address = array.values, array.address
    else:
        _, values, address = _room(nbytes)  # the buffer keeps the memory alive
    words = array.words
    word = _VALUE
    for size in sizes:
        words[word] = address
        address += size
        word += _STEP
    status = _attrs_get(array.attrs, count)
    if status:
        raise failure(status)
    result = []
    begin = 0
    for i in range(count):
        end = begin + sizes[i]
        result.append((numbers[i], values[begin:end]))
        begin = end
    _rest(array)
    return result
