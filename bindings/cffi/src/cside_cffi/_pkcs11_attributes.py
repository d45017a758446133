# SPDX-License-Identifier: Apache-2.0
"""Reading attributes: ``C_GetAttributeValue``, which allocates memory for values whose sizes are not known yet."""

from __future__ import annotations

from operator import index

from ._core import ffi
from ._pkcs11_callbacks import callers, check, raised
from ._pkcs11_functions import Functions
from ._pkcs11_memory import (
    ADDRESS,
    BITS,
    BLOCK_NBYTES,
    CHARS,
    NULL,
    allocate,
    block,
    blocks,
    frame,
    overrun,
    too_big,
    ulong,
)

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final, SupportsIndex

_cast = ffi.cast
_buffer = ffi.buffer
_UNAVAILABLE: Final = (1 << BITS) - 1
_NESTED: Final = frozenset({0x40000211, 0x40000212, 0x40000213})
"""``CKA_WRAP_TEMPLATE``, ``CKA_UNWRAP_TEMPLATE``, ``CKA_DERIVE_TEMPLATE``: their values contain pointers."""
_OK: Final = 0
_PARTIAL: Final = frozenset({0x150, 0x11, 0x12})
"""``CKR_BUFFER_TOO_SMALL``, ``CKR_ATTRIBUTE_SENSITIVE``, ``CKR_ATTRIBUTE_TYPE_INVALID``: the module has read the other
attributes all the same."""
_ROOM_ALIGN: Final = 8
"""Alignment of the memory for a value, into which the module may write a number."""


def _wanted(items: Iterable[Any], address: int, refused: frozenset[int]) -> tuple[list[int], int]:
    """Return an array of ``CK_ATTRIBUTE`` as words, with memory for values from ``address`` on, and where that ends."""
    words: list[int] = []
    for item in tuple(items):
        nbytes = 256
        if type(item) is int:
            kind = item
        elif isinstance(item, tuple):
            if len(item) != 2:
                raise TypeError(f"each attribute must be a type or a pair of type and size, not {len(item)} items")
            kind = ulong(item[0])
            nbytes = ulong(item[1])
        else:
            kind = index(item)
        if kind >> BITS:
            raise too_big(kind)
        if kind in refused:
            raise ValueError("templates within objects cannot be read")
        words += (kind, address, nbytes)
        address += nbytes + -nbytes % _ROOM_ALIGN
    return words, address


class Attributes(Functions):
    """The functions of PKCS #11 with the one that reads attributes; `Module` adds the rest."""

    __slots__ = ()

    def C_GetAttributeValue(
        self, hSession: SupportsIndex, hObject: SupportsIndex, pTemplate: Iterable[int | tuple[int, int]], /
    ) -> list[tuple[int, bytes | None]]:
        """Read attributes into the template. One that is not to be had gets CK_UNAVAILABLE_INFORMATION as its
        length; the others are filled in all the same.
        """
        hSession = index(hSession)
        if hSession >> BITS:
            raise too_big(hSession)
        hObject = index(hObject)
        if hObject >> BITS:
            raise too_big(hObject)
        try:
            place = blocks.pop()
        except IndexError:
            place = block()
        _, out, view, address = place
        words, end = _wanted(pTemplate, address, _NESTED)
        nbytes = end - address
        if nbytes > BLOCK_NBYTES:
            out = allocate(CHARS, nbytes)
            view = _buffer(out)
            moved = int(_cast(ADDRESS, out)) - address
            words[1::3] = [begin + moved for begin in words[1::3]]
            address += moved
        rv, lengths = self._read(hSession, hObject, words)
        values: list[tuple[int, bytes | None]] = []
        if not rv:
            kinds = iter(words)
            for kind, at, room, got in zip(kinds, kinds, kinds, lengths, strict=True):
                if got <= room:
                    values.append((kind, view[at - address : at - address + got]))
                elif got == _UNAVAILABLE:
                    values.append((kind, None))
                else:
                    raise overrun("C_GetAttributeValue", got, room)
        elif rv in _PARTIAL:
            rv = self._read_more(hSession, hObject, rv, words, lengths, view, address, values)
        blocks.append(place)
        if rv:
            check(rv, "C_GetAttributeValue", values or None)
        return values

    def _read(self, session: int, obj: int, words: list[int]) -> tuple[int, tuple[int, ...]]:
        """Call the module with an array of attributes; return its return value and the lengths that it wrote."""
        count = len(words) // 3
        if not count:
            rv = self._C_GetAttributeValue(session, obj, NULL, 0)
            if raised:
                check(_OK, "C_GetAttributeValue")
            return rv, ()
        attributes = frame(count)
        attributes.write(words)
        rv = self._C_GetAttributeValue(session, obj, attributes.memory, count)
        lengths = attributes.lengths(count)
        attributes.rest()
        if raised:
            check(_OK, "C_GetAttributeValue")
        return rv, lengths

    def _read_more(
        self,
        session: int,
        obj: int,
        rv: int,
        words: list[int],
        lengths: tuple[int, ...],
        view: Any,
        address: int,
        values: list[tuple[int, bytes | None]],
    ) -> int:
        """Complete ``values`` after a call that read only some: ask for the other lengths, read those attributes."""
        kinds = words[0::3]
        found: list[bytes | None] = []
        for at, room, got in zip(words[1::3], words[2::3], lengths, strict=True):
            found.append(view[at - address : at - address + got] if got <= room else None)
        missing = [i for i, got in enumerate(lengths) if got == _UNAVAILABLE]
        if missing:
            asked: list[int] = []
            for i in missing:
                asked += (kinds[i], 0, 0)
            rv, lengths = self._read(session, obj, asked)
            there = [(i, got) for i, got in zip(missing, lengths, strict=True) if got != _UNAVAILABLE]
            if there and (not rv or rv in _PARTIAL):
                last = self._read_exactly(session, obj, kinds, there, found)
                rv = rv or last
        values += zip(kinds, found, strict=True)
        return rv

    def _read_exactly(
        self, session: int, obj: int, kinds: list[int], there: list[tuple[int, int]], found: list[bytes | None]
    ) -> int:
        """Read attributes whose lengths are known, and put their values into ``found``."""
        words: list[int] = []
        end = 0
        for i, room in there:
            words += (kinds[i], end, room)
            end += room + -room % _ROOM_ALIGN
        out = allocate(CHARS, end + 1)
        view = _buffer(out)
        address = int(_cast(ADDRESS, out))
        words[1::3] = [begin + address for begin in words[1::3]]
        rv, lengths = self._read(session, obj, words)
        if not rv or rv in _PARTIAL:
            for (i, room), at, got in zip(there, words[1::3], lengths, strict=True):
                if got <= room:
                    found[i] = view[at - address : at - address + got]
                elif not rv and got != _UNAVAILABLE:
                    raise overrun("C_GetAttributeValue", got, room)
        return rv


callers.append(globals())
