# SPDX-License-Identifier: Apache-2.0
"""Memory that goes to functions of PKCS #11 and comes back: rooms for output, cells for numbers, buffers lent.

What a call needs is taken from a list and put back after it, as everywhere in this binding; `list.pop` and
`list.append` are atomic. Whatever has to be given back in the end, whether the call succeeds or not, is gathered in a
list ``views``, which `done` takes.
"""

from __future__ import annotations

from operator import index
from struct import Struct

from ._core import ffi

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import Any, Final, SupportsIndex

    from typing_extensions import Buffer

    Views = list[Any]

_new = ffi.new
_cast = ffi.cast
_buffer = ffi.buffer
_release = ffi.release
_from_buffer = ffi.from_buffer
_encode = str.encode
allocate = ffi.new_allocator(should_clear_after_alloc=False)
CHARS: Final = ffi.typeof("char[]")
BYTES: Final = ffi.typeof("unsigned char[]")
ULONG: Final = ffi.typeof("CK_ULONG *")
ULONGS: Final = ffi.typeof("CK_ULONG[]")
ADDRESS: Final = ffi.typeof("uintptr_t")
NULL: Final = ffi.NULL
ULONG_NBYTES: Final[int] = ffi.sizeof("CK_ULONG")
BITS: Final[int] = ULONG_NBYTES * 8
"""A ``CK_ULONG`` has as many: what is left of a number that is shifted by them is 0, or it does not fit."""

BLOCK_NBYTES: Final = 8192
LIST_COUNT: Final = 64
"""Room of a first call for a list."""
NOTHING: Final = allocate(BYTES, 8)
"""Where an empty buffer points to: not every exporter has an address for it."""


def block() -> tuple[Any, Any, Any, int]:
    """A cell for a length, room for bytes, the same as a buffer, and its address."""
    room = allocate(CHARS, BLOCK_NBYTES)
    return _new(ULONG), room, _buffer(room), int(_cast(ADDRESS, room))


def numbers() -> tuple[Any, Any, Any]:
    """A cell for a count, room for numbers, and the same as a buffer."""
    room = allocate(ULONGS, LIST_COUNT)
    return _new(ULONG), room, _buffer(room)


blocks: Final = [block()]
lists: Final = [numbers()]
cells: Final = [_new(ULONG)]


_lists: Final = [Struct(f"{count}L").unpack_from for count in range(LIST_COUNT + 1)]


def unpacked(view: Any, count: int) -> list[int]:
    """The first ``count`` numbers of a buffer."""
    if count <= LIST_COUNT:
        return list(_lists[count](view))
    return list(Struct(f"{count}L").unpack_from(view))


def too_big(number: int) -> OverflowError:
    """An exception for a number that is no ``CK_ULONG``."""
    if number < 0:
        return OverflowError("can't convert a negative number to CK_ULONG")
    return OverflowError(f"int too big to convert to CK_ULONG of {BITS} bits")


def ulong(value: SupportsIndex) -> int:
    """A ``CK_ULONG``."""
    number = index(value)
    if number >> BITS:
        raise too_big(number)
    return number


def ulongs(*values: SupportsIndex) -> None:
    """Raise for the leftmost that is no ``CK_ULONG``."""
    for value in values:
        ulong(value)


def overrun(function: str, length: int, room: int, unit: str = "bytes") -> RuntimeError:
    """An exception for a module that reports more than it was given room for."""
    return RuntimeError(f"{function}: the module reports {length} {unit}, there was room for {room}")


def lend(value: Buffer | None, views: Views, writable: bool = False) -> tuple[Any, int]:
    """A pointer to the memory of ``value``, which is locked until `done`, and its size; None is NULL."""
    if value is None:
        return NULL, 0
    try:
        view = _from_buffer(BYTES, value, writable)
    except TypeError as error:
        if isinstance(value, (bytes, bytearray, memoryview)):
            raise
        raise TypeError(f"a bytes-like object or None is required, not '{type(value).__name__}'") from error
    views.append(view)
    nbytes = len(view)
    return view if nbytes else NOTHING, nbytes


def text(value: str | Buffer | None, views: Views) -> tuple[Any, int]:
    """UTF-8 and its size. A ``bytes`` object is its own pointer; of a ``str`` Python makes one."""
    if type(value) is bytes:
        return value, len(value)
    if isinstance(value, str):
        encoded = _encode(value)
        return encoded, len(encoded)
    return lend(value, views)


def c_string(value: str | None) -> Any:
    """UTF-8 up to its NUL; None is NULL."""
    if value is None:
        return NULL
    if not isinstance(value, str):
        raise TypeError(f"a str or None is required, not '{type(value).__name__}'")
    encoded = _encode(value)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return encoded + b"\0"


def padded(value: str | Buffer, width: int) -> bytes:
    """UTF-8, padded with blanks to ``width`` bytes."""
    if isinstance(value, str):
        encoded = _encode(value)
    else:
        try:
            view = _from_buffer(value)
        except TypeError:
            raise TypeError(f"a str or a bytes-like object is required, not '{type(value).__name__}'") from None
        encoded = bytes(_buffer(view))
        _release(view)
    if len(encoded) > width:
        raise ValueError(f"label longer than {width} bytes")
    return encoded.ljust(width)


FRAME_COUNT: Final = 32
_ATTRIBUTES: Final = ffi.typeof("CK_ATTRIBUTE *")
_packs: Final = [Struct(f"{count}L").pack_into for count in range(4 * FRAME_COUNT + 1)]
_unpacks: Final = [Struct(f"{3 * count}L").unpack_from for count in range(FRAME_COUNT + 1)]


class Frame:
    """Memory for an array of ``CK_ATTRIBUTE``, behind it room for a number each, and what its pointers lead to.

    The struct is three words, so the array is written and read as words, by `struct`, in one call. ``pointed`` is kept
    alive, ``views`` are lent and have to be released, ``inner`` are templates within this one.
    """

    __slots__ = ("address", "buffer", "count", "elements", "inner", "memory", "pointed", "views")

    def __init__(self, count: int) -> None:
        self.count = count
        self.memory = allocate(ULONGS, 4 * count)
        self.buffer = _buffer(self.memory)
        self.address = int(_cast(ADDRESS, self.memory))
        attributes = _cast(_ATTRIBUTES, self.memory)
        # As cdata of their own they are reached twice as fast; of a long array few are.
        self.elements: Any = [attributes[i] for i in range(count)] if count == FRAME_COUNT else attributes
        self.pointed: list[Any] = []
        self.views: list[Any] = []
        self.inner: list[Frame] = []

    def write(self, words: list[int]) -> None:
        """Fill it from the beginning."""
        count = len(words)
        if count < len(_packs):
            _packs[count](self.buffer, 0, *words)
        else:
            Struct(f"{count}L").pack_into(self.buffer, 0, *words)

    def lengths(self, count: int) -> tuple[int, ...]:
        """Lengths of the first ``count`` attributes."""
        unpack = _unpacks[count] if count <= FRAME_COUNT else Struct(f"{3 * count}L").unpack_from
        return unpack(self.buffer)[2::3]

    def rest(self) -> None:
        """Give up what was lent, and become free for another call."""
        self.pointed = []
        if self.views:
            done(self.views)
            self.views = []
        if self.inner:
            done(self.inner)
            self.inner = []
        if self.count == FRAME_COUNT:
            _frames.append(self)


_frames: Final[list[Frame]] = []


def frame(count: int) -> Frame:
    """A free one of at least ``count`` attributes."""
    if count > FRAME_COUNT:
        return Frame(count)
    try:
        return _frames.pop()
    except IndexError:
        pass
    return Frame(FRAME_COUNT)


def done(views: Views) -> None:
    """Give up what was lent to a call."""
    for view in views:
        if type(view) is Frame:
            view.rest()
        else:
            _release(view)
