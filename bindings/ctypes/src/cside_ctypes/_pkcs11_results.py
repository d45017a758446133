# SPDX-License-Identifier: Apache-2.0
"""From C to Python: room for outputs, and what becomes of lengths, lists and versions."""

from __future__ import annotations

from ctypes import c_ulong, sizeof
from struct import unpack_from

from cside_ctypes._convert import finished, fresh
from cside_ctypes._library import PYPY
from cside_ctypes._pkcs11_arguments import reference
from cside_ctypes._pkcs11_types import CK_VERSION, PKCS11Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Output = tuple[c_ulong, Any, Any, Any]

__all__ = [
    "KEPT",
    "NUMBERS",
    "ULONG",
    "VERSIONS",
    "finished",
    "larger",
    "larger_list",
    "make_output",
    "numbers",
    "outputs",
    "overrun",
    "room_for",
    "text_of",
]

BUFFER_TOO_SMALL = 0x150
NUMBERS = 64
"""How many numbers the first call of a list has room for."""
ULONG = sizeof(c_ulong)

KEPT = 16384
"""The most room, in bytes, that is kept from call to call."""

outputs: list[Output] = []
"""Lengths with their references and rooms with their pointers, that are not in use. A call takes one out, and puts it
back when it succeeded: so calls on other threads, and those that callbacks make, have others."""

if PYPY:

    def room_for(nbytes: int, /) -> tuple[Any, Any]:
        """Room for a result: its pointer, which is never NULL, and what ``finished`` takes."""
        return fresh(nbytes or 1)

else:
    room_for = fresh


def make_output() -> Output:
    """Another one for `outputs`."""
    cell = c_ulong()
    # A slice of less than all of it is always another object.
    return (cell, reference(cell), *room_for(KEPT + 1))


def overrun(function: str, what: str, reported: int, room: int, /) -> RuntimeError:
    """The exception for a module that cannot have kept to its room."""
    return RuntimeError(f"{function}: the module reports {reported} {what}, there was room for {room}")


def larger(rv: int, function: str, cell: c_ulong, limit: int, /) -> tuple[int, Any, Any]:
    """Exactly the room that the module asked for, if that is what its return value means; else raise that."""
    wanted = cell.value
    if rv != BUFFER_TOO_SMALL or wanted <= limit:
        raise PKCS11Error(rv, function)
    return (wanted, *room_for(wanted))


def larger_list(rv: int, function: str, cell: c_ulong, limit: int, nbytes: int, /) -> tuple[int, Any, Any]:
    """The same for items of `nbytes` each."""
    wanted = cell.value
    if rv != BUFFER_TOO_SMALL or wanted <= limit:
        raise PKCS11Error(rv, function)
    return (wanted, *room_for(wanted * nbytes))


def numbers(function: str, room: Any, count: int, limit: int, /) -> list[int]:
    """The first `count` numbers in the room."""
    if count > limit:
        raise overrun(function, "items", count, limit)
    return list(unpack_from(f"{count}L", finished(room, count * ULONG) if PYPY else room))


def text_of(raw: bytes, /) -> str:
    """A text of the module's."""
    return raw.decode("utf-8", "surrogateescape")


class _Versions(dict[bytes, CK_VERSION]):
    """All versions met so far, by their two bytes."""

    def __missing__(self, raw: bytes) -> CK_VERSION:
        made = self[raw] = CK_VERSION(*raw)
        return made


VERSIONS = _Versions()
