# SPDX-License-Identifier: Apache-2.0
"""Conversion of arguments: numbers, byte strings and texts.

On CPython the native functions have no ``argtypes`` (see ``bound``), so each argument must have its C type already:
bytes and None are pointers, and everything else is made a ctypes object of the right type here. On PyPy all arguments
are plain integers, which the native function converts by its ``argtypes``.

A converter returns the argument, the length in bytes or items, and a hold. The hold keeps the memory at its address
until it is passed to ``let_go`` after the call; it is None if nothing has to be kept.
"""

from __future__ import annotations

from _operator import index
from ctypes import byref, c_char, c_ubyte, c_ulong, c_void_p, memset, sizeof

from cside_ctypes._native import PYPY, addressed, reading, reference, release, writing

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
"""The memory that the pointer to an empty byte string points to."""


def number(value: SupportsIndex, /) -> int:
    """Convert to a ``CK_ULONG`` inside a struct, as a plain int."""
    if type(value) is not int:
        value = index(value)
    if value >> ULONG_BITS:  # -1 for a negative value
        raise OverflowError("int too large to convert to CK_ULONG")
    return value


class Secret:
    """Bytes that were made from a PIN, and are overwritten after the call."""

    __slots__ = ("room",)

    def __init__(self, room: Any) -> None:
        self.room = room

    def release(self) -> None:
        if PYPY:
            self.room[:] = bytes(len(self.room))
        elif len(self.room) > 1:  # CPython has one shared object for each shorter value
            memset(self.room, 0, len(self.room))


def let_go(hold: Any, /) -> Any:
    """Release a hold. Returns None, which callers assign to hold and pointer: a traceback may keep their frame."""
    kind = type(hold)
    if kind is c_char:
        pass  # a hold on a bytearray ends with its last reference
    elif kind is list:
        while hold:  # empties the list, because a traceback may keep it
            let_go(hold.pop())
    elif kind in RELEASED:
        hold.release()
    else:
        release(hold)


RELEASED: set[type] = {Secret}
"""The types of holds that have a method ``release``; `_pkcs11_templates` adds one."""

if TYPE_CHECKING or not PYPY:
    Direct = bytes
    """The only type whose address ctypes takes by itself."""
else:

    class Direct:
        """No object has this type. PyPy's ctypes would copy bytes, so they are converted like other buffers."""


if PYPY:

    class Numbers:
        """Checks the range of ``CK_ULONG`` arguments."""

        def __getitem__(self, value: int) -> Any:
            if value >> ULONG_BITS:
                raise OverflowError("int too large to convert to CK_ULONG")
            return value

    TRUE: Any = 1
    FALSE: Any = 0

    def immediate(raw: bytes, /) -> tuple[Any, Any]:
        """Convert a bytes object that this binding made and only reads: the argument, and a hold."""
        address, _, hold = addressed(raw)
        return address, hold

    def pointer(address: Any, /) -> Any:
        """Convert an address. A bytes object is returned as it is."""
        return address

    _empty_view: Any = memoryview(bytearray(8))
    _EMPTY_ADDRESS = _EMPTY_POINTER = _empty_view._pypy_raw_address()

else:
    _KEPT_NUMBERS = 512

    class Numbers(dict[int, "Any"]):  # type: ignore[no-redef]
        """``CK_ULONG`` arguments, kept because the same handles and small lengths are used many times."""

        def __missing__(self, value: int) -> Any:
            if value >> ULONG_BITS:
                raise OverflowError("int too large to convert to CK_ULONG")
            argument = c_ulong.from_param(value)
            if len(self) >= _KEPT_NUMBERS:
                self.clear()
            self[value] = argument
            return argument

    TRUE = c_ubyte(1)
    FALSE = c_ubyte(0)

    def immediate(raw: bytes, /) -> tuple[Any, Any]:
        """Convert a bytes object that this binding made and only reads: the argument, and a hold."""
        return raw, None

    def pointer(address: Any, /) -> Any:
        """Convert an address. A bytes object is returned as it is."""
        # ctypes would pass a bare int as a C int.
        return c_void_p(address) if type(address) is int else address

    _EMPTY_POINTER = _EMPTY
    _EMPTY_ADDRESS = addressed(_EMPTY)[0]

ulong = Numbers()
"""``ulong[n]`` is the argument for the ``CK_ULONG`` `n`, an int."""


def byte_string(data: Buffer | None, /) -> Converted:
    """Convert a byte string that the module reads. None becomes NULL."""
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
    """Convert a buffer that the module may write to."""
    address, nbytes, hold = writing(data)
    if not nbytes:
        return _EMPTY_POINTER, 0, hold
    return pointer(address), nbytes, hold


def pointed(data: Buffer | None, holds: list[Any], /) -> tuple[int, int]:
    """Address and length of a byte string that a struct points to. The hold is appended to `holds`."""
    if data is None:
        return 0, 0
    address, nbytes, hold = addressed(data)
    holds.append(hold)
    return (address, nbytes) if nbytes else (_EMPTY_ADDRESS, 0)


def pointed_writable(data: Buffer | None, holds: list[Any], /) -> tuple[int, int]:
    """Address and length of a buffer that a struct points to and the module may write to. Appends to `holds`."""
    if data is None:
        return 0, 0
    address, nbytes, hold = writing(data)
    holds.append(hold)
    return (address, nbytes) if nbytes else (_EMPTY_ADDRESS, 0)


def roomy(name: str, nbytes: int, nbits: int, /) -> None:
    """Raise ValueError for a buffer that is shorter than the number of bits that the module will write into it."""
    if 8 * nbytes < nbits:
        raise ValueError(f"{name}: {nbits} bits do not fit in {nbytes} bytes")


def fixed(data: Buffer, nbytes: int, /) -> bytes:
    """Convert to the bytes of an array inside a struct, of exactly `nbytes`."""
    raw = _copied(data)
    if len(raw) != nbytes:
        raise ValueError(f"{nbytes} bytes are required, not {len(raw)}")
    return raw


def _copied(data: Buffer, /) -> bytes:
    """A buffer as bytes, which become part of a larger byte string."""
    if type(data) is bytes:
        return data
    with memoryview(data) as view:
        if not view.c_contiguous:
            raise BufferError("buffer is not C-contiguous")
        return bytes(view)


def text(value: str | Buffer | None, /) -> Converted:
    """Convert a PIN or a name. What is made from a str is overwritten after the call."""
    if not isinstance(value, str):
        return byte_string(value)
    raw = str.encode(value)
    if PYPY:
        room: Any = bytearray(raw)
        address, nbytes, hold = writing(room)
        return address or _EMPTY_POINTER, nbytes, [Secret(room), hold]
    return raw, len(raw), Secret(raw)


def c_string(value: str | None, /) -> tuple[Any, Any]:
    """Convert a text that ends with a NUL. None becomes NULL."""
    if value is None:
        return None, None
    if not isinstance(value, str):
        raise TypeError(f"a str or None is required, not '{type(value).__name__}'")
    raw = str.encode(value)
    if 0 in raw:
        raise ValueError("embedded null character")
    return immediate(raw + b"\0")


def padded(value: str | Buffer, width: int, /) -> tuple[Any, Any]:
    """Convert a text of fixed width, padded with spaces."""
    raw = str.encode(value) if isinstance(value, str) else _copied(value)
    if len(raw) > width:
        raise ValueError(f"longer than {width} bytes")
    return immediate(raw.ljust(width))


def version(value: tuple[SupportsIndex, SupportsIndex] | None, /) -> tuple[Any, Any]:
    """Convert to a pointer to a ``CK_VERSION``. None becomes NULL."""
    if value is None:
        return None, None
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError("a version is a pair of integers, or None")
    major, minor = index(value[0]), index(value[1])
    if major >> 8 or minor >> 8:
        raise OverflowError("int too large to convert to CK_BYTE")
    return immediate(bytes((major, minor)))
