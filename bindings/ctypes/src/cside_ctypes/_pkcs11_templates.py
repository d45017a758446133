# SPDX-License-Identifier: Apache-2.0
"""Templates: arrays of ``CK_ATTRIBUTE``, which contain pointers to values.

The array and the small values are written into one block of memory, one after the other. Buffers are not copied: the
array points to them. Reading a template may run the caller's code (``__index__``, ``__buffer__``, iterators), which may
use templates too, so a block belongs to one template from the first item to the end of the call.
"""

from __future__ import annotations

from _operator import index
from struct import Struct, error
from sys import byteorder

from cside_ctypes import _native
from cside_ctypes._native import PYPY
from cside_ctypes._pkcs11_arguments import RELEASED, ULONG_BITS, let_go, number, pointed
from cside_ctypes._pkcs11_layout import layout
from cside_ctypes._pkcs11_structs import CK_ATTRIBUTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Converted = tuple[Any, int, Any]

__all__ = [
    "ATTRIBUTE_NBYTES",
    "Block",
    "block",
    "iter_attributes",
    "pack_attribute",
    "pair",
    "template",
    "ulong_bytes",
]

_attribute = layout(CK_ATTRIBUTE)
pack_attribute = _attribute.pack_into
iter_attributes = _attribute.iter_unpack
ATTRIBUTE_NBYTES = _attribute.size

_ULONG_NBYTES = ULONG_BITS // 8
_ALIGNMENT = 8
_KEPT = 4096
"""The size in bytes of the blocks that are kept for further calls."""

_VALUE_NBYTES = 32
"""The space for each value of a large template. Values that do not fit into the block get memory of their own."""

_DEEPEST = 100
"""The depth to which templates may be nested. Close to the end of the stack, PyPy may raise another exception than
`RecursionError`, so the end of the stack is no limit to rely on."""

_pack_ulong = Struct("L").pack_into


class Block(_native.Block):
    """Memory at a fixed address, and the holds on the buffers whose addresses are written into it."""

    __slots__ = ("holds",)

    def __init__(self, nbytes: int) -> None:
        super().__init__(nbytes)
        self.holds: list[Any] = []

    def release(self) -> None:
        """Release the holds, and keep the block for another call."""
        holds = self.holds
        if holds:
            let_go(holds)
        if len(self.room) == _KEPT:
            _idle.append(self)


RELEASED.add(Block)
_idle: list[Block] = []


def block(nbytes: int, /) -> Block:
    """Take or make a block of at least `nbytes`."""
    if nbytes > _KEPT:
        if PYPY and nbytes >> 48:
            raise MemoryError  # the size of PyPy's bytearray would overflow, and it would succeed
        return Block(nbytes)
    try:
        return _idle.pop()
    except IndexError:
        return Block(_KEPT)


def ulong_bytes(value: int, /) -> bytes:
    """The bytes of a ``CK_ULONG`` as this machine stores it."""
    return number(value).to_bytes(_ULONG_NBYTES, byteorder)


def pair(item: Any, /) -> tuple[Any, Any]:
    """Check that an item is a pair, and return it."""
    if not isinstance(item, tuple) or len(item) != 2:
        raise TypeError(f"an item of a template is a tuple of two, not {item!r:.80}")
    return item


def template(pairs: Iterable[Any], depth: int = 0, /) -> Converted:
    """Convert a template that the module reads. An empty one becomes NULL."""
    if depth > _DEEPEST:
        raise RecursionError("a template is nested too deep")
    items = list(pairs)
    count = len(items)
    if not count:
        return None, 0, None
    used = count * ATTRIBUTE_NBYTES
    memory = block(used + count * _VALUE_NBYTES)
    room = memory.room
    base = memory.address
    holds = memory.holds
    end = len(room) - _ULONG_NBYTES
    offset = 0
    kind = value = 0
    try:
        for item in items:
            kind, value = item if type(item) is tuple and len(item) == 2 else pair(item)
            if value is True or value is False:
                if used > end:
                    address, nbytes = pointed(b"\1" if value else b"\0", holds)
                else:
                    room[used] = value
                    address = base + used
                    nbytes = 1
                    used += _ALIGNMENT
            elif isinstance(value, int):
                if used > end:
                    address, nbytes = pointed(ulong_bytes(value), holds)
                else:
                    _pack_ulong(room, used, value)
                    address = base + used
                    nbytes = _ULONG_NBYTES
                    used += _ALIGNMENT
            elif isinstance(value, str):
                raw = str.encode(value)
                nbytes = len(raw)
                stop = used + nbytes
                if stop > end:
                    address, nbytes = pointed(raw, holds)
                else:
                    room[used:stop] = raw
                    address = base + used
                    used = stop + _ALIGNMENT - 1 & -_ALIGNMENT
            else:
                address, nbytes = _other(value, holds, depth)
            pack_attribute(room, offset, kind, address, nbytes)
            offset += ATTRIBUTE_NBYTES
    except BaseException as refused:
        memory.release()
        if isinstance(refused, (error, ValueError)):  # PyPy's struct raises ValueError
            _check(kind, value)
        raise
    return memory.pointer, count, memory


def _check(kind: Any, value: Any, /) -> None:
    """Raise the exception of the contract for a value that `struct` refused."""
    number(kind)
    if isinstance(value, int):
        number(value)


def _other(value: Any, holds: list[Any], depth: int, /) -> tuple[int, int]:
    """Address and length of a value that is neither an integer nor a str."""
    if isinstance(value, (list, tuple)):
        items = list(value)
        if items and isinstance(items[0], tuple):
            _, count, hold = template(items, depth + 1)
            holds.append(hold)
            return hold.address, count * ATTRIBUTE_NBYTES
        return pointed(b"".join([ulong_bytes(index(item)) for item in items]), holds)
    try:
        return pointed(value, holds)
    except TypeError:
        if not hasattr(type(value), "__index__"):
            raise TypeError(f"a value of a template cannot be of type '{type(value).__name__}'") from None
    return pointed(ulong_bytes(index(value)), holds)
