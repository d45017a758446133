# SPDX-License-Identifier: Apache-2.0
"""Results: memory for outputs, and the conversion of lengths, lists and versions."""

from __future__ import annotations

from ctypes import c_ulong, sizeof
from struct import unpack_from

from cside_native.pkcs11_types import CK_VERSION

from cside_ctypes._native import PYPY, finished, fresh
from cside_ctypes._pkcs11_arguments import reference
from cside_ctypes._pkcs11_errors import PKCS11Error

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
"""The number of items that the first call for a list has space for."""
ULONG = sizeof(c_ulong)

KEPT = 16384
"""The largest output, in bytes, that a kept buffer has space for."""

outputs: list[Output] = []
"""Output buffers that are not in use, each with its pointer, a length and a reference to the length.

A call removes one and puts it back when it has succeeded. So calls on other threads, and calls that callbacks make, use
other buffers.
"""

if PYPY:

    def room_for(nbytes: int, /) -> tuple[Any, Any]:
        """Allocate memory for a result: its pointer, which is never NULL, and the object that ``finished`` takes."""
        return fresh(nbytes or 1)

else:
    room_for = fresh


def make_output() -> Output:
    """Make another element of `outputs`."""
    cell = c_ulong()
    # One byte more than is ever used: only a slice of the whole object would be the object itself.
    return (cell, reference(cell), *room_for(KEPT + 1))


def overrun(function: str, what: str, reported: int, room: int, /) -> RuntimeError:
    """The exception for a module that reports more output than there was space for."""
    return RuntimeError(f"{function}: the module reports {reported} {what}, there was room for {room}")


def larger(rv: int, function: str, cell: c_ulong, limit: int, /) -> tuple[int, Any, Any]:
    """Allocate as many bytes as the module asks for. Raises PKCS11Error if `rv` does not ask for more."""
    wanted = cell.value
    if rv != BUFFER_TOO_SMALL or wanted <= limit:
        raise PKCS11Error(rv, function)
    return (wanted, *room_for(wanted))


def larger_list(rv: int, function: str, cell: c_ulong, limit: int, nbytes: int, /) -> tuple[int, Any, Any]:
    """Allocate as many items of `nbytes` as the module asks for. Raises PKCS11Error as ``larger`` does."""
    wanted = cell.value
    if rv != BUFFER_TOO_SMALL or wanted <= limit:
        raise PKCS11Error(rv, function)
    return (wanted, *room_for(wanted * nbytes))


def numbers(function: str, room: Any, count: int, limit: int, /) -> list[int]:
    """The first `count` numbers in the output buffer `room`."""
    if count > limit:
        raise overrun(function, "items", count, limit)
    return list(unpack_from(f"{count}L", finished(room, count * ULONG) if PYPY else room))


def text_of(raw: bytes, /) -> str:
    """Decode a text of the module; bytes that are not UTF-8 become surrogates."""
    return raw.decode("utf-8", "surrogateescape")


class _Versions(dict[bytes, CK_VERSION]):
    """All versions that were met so far, by their two bytes."""

    def __missing__(self, raw: bytes) -> CK_VERSION:
        made = self[raw] = CK_VERSION(*raw)
        return made


VERSIONS = _Versions()
