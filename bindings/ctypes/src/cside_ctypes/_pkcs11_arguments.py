# SPDX-License-Identifier: Apache-2.0
"""From Python to C: numbers, byte strings and texts as arguments.

On CPython the functions have no argument types (see ``bound``), so what they are called with says its own: a bytes
object or None is a pointer, and everything else is made here, of the right ctypes type. On PyPy all arguments are
plain integers, of which the function's own types make what C takes.

A converter gives what C is given, the length, and a hold that ``let_go`` ends after the call, or None.
"""

from __future__ import annotations

from _operator import index
from ctypes import addressof, byref, c_char, c_ubyte, c_ulong, c_void_p, memset, sizeof

from cside_ctypes._convert import addressed, reading, release, writing
from cside_ctypes._library import PYPY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

    Converted = tuple[Any, int, Any]

__all__ = [
    "FALSE",
    "RELEASED",
    "TRUE",
    "ULONG_BITS",
    "Direct",
    "byte_string",
    "c_string",
    "fixed",
    "immediate",
    "let_go",
    "number",
    "padded",
    "pointed",
    "pointed_writable",
    "pointer",
    "reference",
    "roomy",
    "text",
    "ulong",
    "version",
    "writable",
]

ULONG_BITS = 8 * sizeof(c_ulong)

_EMPTY = b"\0"
"""What the pointer to an empty string points at."""


def number(value: SupportsIndex, /) -> int:
    """A ``CK_ULONG`` inside a struct."""
    if type(value) is not int:
        value = index(value)
    if value >> ULONG_BITS:  # -1 for negative ones
        raise OverflowError("int too large to convert to CK_ULONG")
    return value


class Secret:
    """Bytes that were made of a PIN, to be overwritten after use."""

    __slots__ = ("room",)

    def __init__(self, room: Any) -> None:
        self.room = room

    def release(self) -> None:
        if PYPY:
            self.room[:] = bytes(len(self.room))
        elif len(self.room) > 1:  # shorter ones are CPython's own, and shared
            memset(self.room, 0, len(self.room))


def let_go(hold: Any, /) -> Any:
    """End what a converter began. Gives None, to put in the place of hold and pointer: a traceback may keep them."""
    kind = type(hold)
    if kind is c_char:
        pass  # it locks a bytearray, and ends with its last reference
    elif kind is list:
        while hold:  # until it is empty, since a traceback may keep the list
            let_go(hold.pop())
    elif kind in RELEASED:
        hold.release()
    else:
        release(hold)


RELEASED: set[type] = {Secret}
"""Types of holds with a method of their own; `_pkcs11_templates` adds another."""

if TYPE_CHECKING or not PYPY:
    Direct = bytes
    """The one type that ctypes takes the address of by itself."""
else:

    class Direct:
        """Nothing is of this type: PyPy's ctypes would copy bytes."""


if PYPY:

    class Numbers:
        """Checks ``CK_ULONG`` arguments."""

        def __getitem__(self, value: int) -> Any:
            if value >> ULONG_BITS:
                raise OverflowError("int too large to convert to CK_ULONG")
            return value

    reference: Any = addressof
    TRUE: Any = 1
    FALSE: Any = 0

    def immediate(raw: bytes, /) -> tuple[Any, Any]:
        """A struct in a bytes object of our own: what C is given, and a hold."""
        address, _, hold = addressed(raw)
        return address, hold

    def pointer(address: Any, /) -> Any:
        """An address as an argument; a bytes object stays what it is."""
        return address

    _empty_view: Any = memoryview(bytearray(8))
    _EMPTY_ADDRESS = _EMPTY_POINTER = _empty_view._pypy_raw_address()

else:
    _KEPT_NUMBERS = 512

    class Numbers(dict[int, "Any"]):  # type: ignore[no-redef]
        """``CK_ULONG`` arguments, made once: handles and small lengths come again and again."""

        def __missing__(self, value: int) -> Any:
            if value >> ULONG_BITS:
                raise OverflowError("int too large to convert to CK_ULONG")
            argument = c_ulong.from_param(value)
            if len(self) >= _KEPT_NUMBERS:
                self.clear()
            self[value] = argument
            return argument

    reference = byref
    TRUE = c_ubyte(1)
    FALSE = c_ubyte(0)

    def immediate(raw: bytes, /) -> tuple[Any, Any]:
        """A struct in a bytes object of our own: what C is given, and a hold."""
        return raw, None

    def pointer(address: Any, /) -> Any:
        """An address as an argument; a bytes object stays what it is."""
        # A bare int would be passed as a C int.
        return c_void_p(address) if type(address) is int else address

    _EMPTY_POINTER = _EMPTY
    _EMPTY_ADDRESS = addressed(_EMPTY)[0]

ulong = Numbers()
"""``ulong[n]`` is the argument for a ``CK_ULONG``; `n` is an int."""


def byte_string(data: Buffer | None, /) -> Converted:
    """A byte string to be read; None is NULL."""
    if data is None:
        return None, 0, None
    if type(data) is bytearray and data and not PYPY:
        cell = c_char.from_buffer(data)
        return byref(cell), len(data), cell
    address, nbytes, hold = reading(data)
    if not nbytes:
        return _EMPTY_POINTER, 0, hold
    return pointer(address), nbytes, hold


def writable(data: Buffer, /) -> Converted:
    """A byte string that the module may write."""
    address, nbytes, hold = writing(data)
    if not nbytes:
        return _EMPTY_POINTER, 0, hold
    return pointer(address), nbytes, hold


def pointed(data: Buffer | None, holds: list[Any], /) -> tuple[int, int]:
    """Address and length of a byte string inside a struct."""
    if data is None:
        return 0, 0
    address, nbytes, hold = addressed(data)
    holds.append(hold)
    return (address, nbytes) if nbytes else (_EMPTY_ADDRESS, 0)


def pointed_writable(data: Buffer | None, holds: list[Any], /) -> tuple[int, int]:
    """The same for one that the module may write."""
    if data is None:
        return 0, 0
    address, nbytes, hold = writing(data)
    holds.append(hold)
    return (address, nbytes) if nbytes else (_EMPTY_ADDRESS, 0)


def roomy(name: str, nbytes: int, nbits: int, /) -> None:
    """Refuse a buffer that is shorter than the bits that will be written into it."""
    if 8 * nbytes < nbits:
        raise ValueError(f"{name}: {nbits} bits do not fit in {nbytes} bytes")


def fixed(data: Buffer, nbytes: int, /) -> bytes:
    """The bytes of an array inside a struct."""
    raw = _copied(data)
    if len(raw) != nbytes:
        raise ValueError(f"{nbytes} bytes are required, not {len(raw)}")
    return raw


def _copied(data: Buffer, /) -> bytes:
    """A byte string that becomes part of a larger one."""
    if type(data) is bytes:
        return data
    with memoryview(data) as view:
        if not view.c_contiguous:
            raise BufferError("buffer is not C-contiguous")
        return bytes(view)


def text(value: str | Buffer | None, /) -> Converted:
    """A PIN or a name: what was made of a str is wiped afterwards."""
    if not isinstance(value, str):
        return byte_string(value)
    raw = str.encode(value)
    if PYPY:
        room: Any = bytearray(raw)
        address, nbytes, hold = writing(room)
        return address or _EMPTY_POINTER, nbytes, [Secret(room), hold]
    return raw, len(raw), Secret(raw)


def c_string(value: str | None, /) -> tuple[Any, Any]:
    """A text that ends in NUL; None is NULL."""
    if value is None:
        return None, None
    if not isinstance(value, str):
        raise TypeError(f"a str or None is required, not '{type(value).__name__}'")
    raw = str.encode(value)
    if 0 in raw:
        raise ValueError("embedded null character")
    return immediate(raw + b"\0")


def padded(value: str | Buffer, width: int, /) -> tuple[Any, Any]:
    """A text of fixed width, with blanks at its end."""
    raw = str.encode(value) if isinstance(value, str) else _copied(value)
    if len(raw) > width:
        raise ValueError(f"longer than {width} bytes")
    return immediate(raw.ljust(width))


def version(value: tuple[SupportsIndex, SupportsIndex] | None, /) -> tuple[Any, Any]:
    """A ``CK_VERSION``; None is NULL."""
    if value is None:
        return None, None
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError("a version is a pair of integers, or None")
    major, minor = index(value[0]), index(value[1])
    if major >> 8 or minor >> 8:
        raise OverflowError("int too large to convert to CK_BYTE")
    return immediate(bytes((major, minor)))
