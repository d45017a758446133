# SPDX-License-Identifier: Apache-2.0
"""Packing and unpacking whole structs at once.

`struct` reads and writes a struct several times faster than its ctypes attributes do. Its formats are
computed here from the ctypes structs, so that each layout is declared once.
"""

from __future__ import annotations

from ctypes import Array, Structure, c_char, c_void_p, sizeof
from struct import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["layout", "packer", "unpacker"]

_UNSIGNED = {1: "B", 2: "H", 4: "I", 8: "Q"}


def _code(kind: Any) -> str:
    """The format of one field."""
    nbytes = sizeof(kind)
    if issubclass(kind, (Array, Structure, c_char)):
        return f"{nbytes}s"
    code = _UNSIGNED[nbytes]
    return code if kind is c_void_p or kind(-1).value > 0 else code.lower()


def layout(struct: Any, /) -> Struct:
    """The format of a ctypes struct; nested structs and arrays are bytes of their size."""
    parts = ["="]
    end = 0
    for name, kind in struct._fields_:
        offset = getattr(struct, name).offset
        parts.append("x" * (offset - end))
        parts.append(_code(kind))
        end = offset + sizeof(kind)
    parts.append("x" * (sizeof(struct) - end))
    return Struct("".join(parts))


def packer(struct: Any, /) -> Callable[..., bytes]:
    """Makes the bytes of a struct out of its fields."""
    return layout(struct).pack


def unpacker(struct: Any, /) -> tuple[Callable[[Any], tuple[Any, ...]], int]:
    """What takes a struct apart, and its size."""
    made = layout(struct)
    return made.unpack_from, made.size
