# SPDX-License-Identifier: Apache-2.0
"""C_GetAttributeValue: reading attributes of unknown sizes, in one call where possible and in three at most."""

from __future__ import annotations

from cside_ctypes._pkcs11_arguments import ULONG_BITS, number, ulong
from cside_ctypes._pkcs11_callbacks import pending, raise_pending
from cside_ctypes._pkcs11_errors import PKCS11Error
from cside_ctypes._pkcs11_results import BUFFER_TOO_SMALL, overrun
from cside_ctypes._pkcs11_templates import ATTRIBUTE_NBYTES, block, iter_attributes, pack_attribute, pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = ["attributes"]

_NAME = "C_GetAttributeValue"
_ROOM_NBYTES = 256
_UNAVAILABLE = (1 << ULONG_BITS) - 1
_TEMPLATES = frozenset({0x40000211, 0x40000212, 0x40000213})
"""CKA_WRAP_TEMPLATE, CKA_UNWRAP_TEMPLATE and CKA_DERIVE_TEMPLATE. Their values are arrays that contain pointers."""
_INCOMPLETE = frozenset({BUFFER_TOO_SMALL, 0x11, 0x12})
"""CKR_BUFFER_TOO_SMALL, CKR_ATTRIBUTE_SENSITIVE, CKR_ATTRIBUTE_TYPE_INVALID: the other attributes have been read."""


def attributes(call: Callable[..., int], session: Any, obj: Any, types: Iterable[Any], /) -> list[tuple[int, Any]]:
    """Read attributes: their types and values in the order of `types`. `session` and `obj` are converted already."""
    kinds = []
    rooms = []
    for kind in types:
        room = _ROOM_NBYTES
        if type(kind) is not int or kind >> ULONG_BITS:
            if isinstance(kind, tuple):
                kind, room = pair(kind)
                kind, room = number(kind), number(room)
            else:
                kind = number(kind)
        if kind in _TEMPLATES:
            raise ValueError("attributes that are templates cannot be read")
        kinds.append(kind)
        rooms.append(room)
    rv, lengths, values = _read(call, session, obj, kinds, rooms)
    if rv:
        if rv not in _INCOMPLETE:
            raise PKCS11Error(rv, _NAME)
        missing = [i for i, length in enumerate(lengths) if length == _UNAVAILABLE]
        if missing:
            rv = _read_missing(call, session, obj, kinds, missing, values)
        if rv:
            raise PKCS11Error(rv, _NAME, list(zip(kinds, values, strict=True)))
    return list(zip(kinds, values, strict=True))


def _read_missing(
    call: Callable[..., int], session: Any, obj: Any, kinds: list[int], missing: list[int], values: list[bytes | None]
) -> int:
    """Ask for the lengths of the missing attributes, and read those that have one.

    Writes to `values`. Returns the first return value that is not CKR_OK, or CKR_OK.
    """
    first, lengths, _ = _read(call, session, obj, [kinds[i] for i in missing], None)
    if first and first not in _INCOMPLETE:
        return first
    there = [(i, length) for i, length in zip(missing, lengths, strict=True) if length != _UNAVAILABLE]
    if not there:
        return first
    then, _, found = _read(call, session, obj, [kinds[i] for i, _ in there], [length for _, length in there])
    if not then or then in _INCOMPLETE:
        for (i, _), value in zip(there, found, strict=True):
            values[i] = value
    return first or then


def _read(
    call: Callable[..., int], session: Any, obj: Any, kinds: list[int], rooms: list[int] | None
) -> tuple[int, list[int], list[bytes | None]]:
    """Make one call, with `rooms` bytes for each value, or with NULL for all values if `rooms` is None.

    Returns the return value, the lengths, and the values, None for each that did not fit.
    """
    count = len(kinds)
    if not count:
        rv = call(session, obj, None, ulong[0])
        if pending:
            raise_pending()
        return rv, [], []
    offset = count * ATTRIBUTE_NBYTES
    offsets = []
    for nbytes in rooms or ():
        offsets.append(offset)
        offset += nbytes + 7 & -8
    memory = block(offset + 1)
    try:
        room = memory.room
        base = memory.address
        row = 0
        if rooms is None:
            for kind in kinds:
                pack_attribute(room, row, kind, 0, 0)
                row += ATTRIBUTE_NBYTES
        else:
            for kind, start, nbytes in zip(kinds, offsets, rooms, strict=True):
                pack_attribute(room, row, kind, base + start, nbytes)
                row += ATTRIBUTE_NBYTES
        rv = call(session, obj, memory.pointer, ulong[count])
        if pending:
            raise_pending()
        raw = bytes(memory.view[:offset])
    finally:
        memory.release()
    lengths = [length for _, _, length in iter_attributes(raw[: count * ATTRIBUTE_NBYTES])]
    values: list[bytes | None] = []
    if rooms is None:
        return rv, lengths, values
    for length, start, nbytes in zip(lengths, offsets, rooms, strict=True):
        if length <= nbytes:
            values.append(raw[start : start + length])
        elif length != _UNAVAILABLE and (not rv or rv in _INCOMPLETE):
            raise overrun(_NAME, "bytes", length, nbytes)
        else:
            values.append(None)
    return rv, lengths, values
