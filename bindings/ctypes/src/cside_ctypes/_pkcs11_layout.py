# SPDX-License-Identifier: Apache-2.0
"""Formats of the module `struct` for ctypes structs, to pack and unpack a whole struct at once.

`struct` reads and writes a struct several times faster than the attributes of a ctypes object do. The formats are
computed from the ctypes structs, so that each layout is declared only once.
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
    """The format of a ctypes struct. Nested structs and arrays are byte strings of their size."""
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
    """The function that makes the bytes of a struct from the values of its fields."""
    return layout(struct).pack


def unpacker(struct: Any, /) -> tuple[Callable[[Any], tuple[Any, ...]], int]:
    """The function that reads the fields of a struct from memory, and the size of the struct in bytes."""
    made = layout(struct)
    return made.unpack_from, made.size
