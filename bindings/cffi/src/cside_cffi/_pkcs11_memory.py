# SPDX-License-Identifier: Apache-2.0
"""Memory for calls of PKCS #11: blocks for output, cells for single numbers, arrays of attributes, buffers lent to C.

A call takes what it needs from a list and puts it back afterwards, as everywhere in this binding; `list.pop` and
`list.append` are atomic. What has to be released after the call, whether it succeeds or not, is collected in a list
``views``, which is then given to `done`.
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
"""Number of bits of a ``CK_ULONG``. A number fits if shifting it right by so many bits gives 0."""

BLOCK_NBYTES: Final = 8192
"""Size of the output memory that is kept between calls."""
LIST_COUNT: Final = 64
"""How many numbers the first call for a list has room for."""
NOTHING: Final = allocate(BYTES, 8)
"""The address that C gets for an empty buffer: not every exporter has an address of its own for one."""


def block() -> tuple[Any, Any, Any, int]:
    """Make a cell for a length, memory for output bytes, an ``ffi.buffer`` over that memory, and its address."""
    room = allocate(CHARS, BLOCK_NBYTES)
    return _new(ULONG), room, _buffer(room), int(_cast(ADDRESS, room))


def numbers() -> tuple[Any, Any, Any]:
    """Make a cell for a count, memory for output numbers, and an ``ffi.buffer`` over that memory."""
    room = allocate(ULONGS, LIST_COUNT)
    return _new(ULONG), room, _buffer(room)


blocks: Final = [block()]
lists: Final = [numbers()]
cells: Final = [_new(ULONG)]


_lists: Final = [Struct(f"{count}L").unpack_from for count in range(LIST_COUNT + 1)]


def unpacked(view: Any, count: int) -> list[int]:
    """Return the first ``count`` numbers of a buffer."""
    if count <= LIST_COUNT:
        return list(_lists[count](view))
    return list(Struct(f"{count}L").unpack_from(view))


def too_big(number: int) -> OverflowError:
    """Return the exception for a number that does not fit ``CK_ULONG``."""
    if number < 0:
        return OverflowError("can't convert a negative number to CK_ULONG")
    return OverflowError(f"int too big to convert to CK_ULONG of {BITS} bits")


def ulong(value: SupportsIndex) -> int:
    """Return ``value`` as an int that fits ``CK_ULONG``. Raises `TypeError` or `OverflowError`."""
    number = index(value)
    if number >> BITS:
        raise too_big(number)
    return number


def ulongs(*values: SupportsIndex) -> None:
    """Raise the exception for the leftmost value that is no ``CK_ULONG``; return if there is none."""
    for value in values:
        ulong(value)


def overrun(function: str, length: int, room: int, unit: str = "bytes") -> RuntimeError:
    """Return the exception for a module that reports more output than it had room for."""
    return RuntimeError(f"{function}: the module reports {length} {unit}, there was room for {room}")


def lend(value: Buffer | None, views: Views, writable: bool = False) -> tuple[Any, int]:
    """Return a pointer to the memory of ``value``, which stays locked until `done`, and its size; None is NULL."""
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
    """Return a pointer to UTF-8, and its size. cffi takes a ``bytes`` object itself; a ``str`` is encoded into one."""
    if type(value) is bytes:
        return value, len(value)
    if isinstance(value, str):
        encoded = _encode(value)
        return encoded, len(encoded)
    return lend(value, views)


def c_string(value: str | None) -> Any:
    """Return UTF-8 that ends with a NUL; None is NULL."""
    if value is None:
        return NULL
    if not isinstance(value, str):
        raise TypeError(f"a str or None is required, not '{type(value).__name__}'")
    encoded = _encode(value)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return encoded + b"\0"


def padded(value: str | Buffer, width: int) -> bytes:
    """Return UTF-8, padded with blanks to ``width`` bytes."""
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
    """Memory for an array of ``CK_ATTRIBUTE``, followed by memory for one number per attribute.

    The struct is three words, so `struct` writes and reads the array as words, in one call. ``pointed`` keeps alive
    what the attributes point to, ``views`` are buffers to release after the call, ``inner`` are templates within this.
    """

    __slots__ = ("address", "buffer", "count", "elements", "inner", "memory", "pointed", "views")

    def __init__(self, count: int) -> None:
        self.count = count
        self.memory = allocate(ULONGS, 4 * count)
        self.buffer = _buffer(self.memory)
        self.address = int(_cast(ADDRESS, self.memory))
        attributes = _cast(_ATTRIBUTES, self.memory)
        # One cdata per attribute makes access twice as fast. A longer array, which is rare, is used as it is.
        self.elements: Any = [attributes[i] for i in range(count)] if count == FRAME_COUNT else attributes
        self.pointed: list[Any] = []
        self.views: list[Any] = []
        self.inner: list[Frame] = []

    def write(self, words: list[int]) -> None:
        """Write ``words`` to the beginning of the memory."""
        count = len(words)
        if count < len(_packs):
            _packs[count](self.buffer, 0, *words)
        else:
            Struct(f"{count}L").pack_into(self.buffer, 0, *words)

    def lengths(self, count: int) -> tuple[int, ...]:
        """Return the lengths of the first ``count`` attributes."""
        unpack = _unpacks[count] if count <= FRAME_COUNT else Struct(f"{3 * count}L").unpack_from
        return unpack(self.buffer)[2::3]

    def rest(self) -> None:
        """Release what was lent to the call, and make the frame free for another call."""
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
    """Return a frame for at least ``count`` attributes that no other call is using."""
    if count > FRAME_COUNT:
        return Frame(count)
    try:
        return _frames.pop()
    except IndexError:
        pass
    return Frame(FRAME_COUNT)


def done(views: Views) -> None:
    """Release what was lent to a call."""
    for view in views:
        if type(view) is Frame:
            view.rest()
        else:
            _release(view)
