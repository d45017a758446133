# SPDX-License-Identifier: Apache-2.0
"""ctypes' types for those of the model. Every pointer is a ``c_void_p``: the trial gives addresses."""

from __future__ import annotations

import ctypes
from typing import Any

from cside_wrap.header.model import Header, Type

__all__ = ["Types"]

INTEGERS = {
    (1, True): ctypes.c_int8,
    (1, False): ctypes.c_uint8,
    (2, True): ctypes.c_int16,
    (2, False): ctypes.c_uint16,
    (4, True): ctypes.c_int32,
    (4, False): ctypes.c_uint32,
    (8, True): ctypes.c_int64,
    (8, False): ctypes.c_uint64,
}


class Types:
    """The types of one header; structs are made once each."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.records: dict[str, Any] = {}

    def of(self, kind: Type) -> Any:
        """The type, None for void. Raises `TypeError` for one that ctypes has not."""
        if kind.kind == "void":
            return None
        if kind.kind == "bool":
            return ctypes.c_bool
        if kind.kind in ("int", "enum"):
            return INTEGERS[kind.size, kind.signed]
        if kind.kind == "float":
            return {4: ctypes.c_float, 8: ctypes.c_double}[kind.size]
        if kind.kind in ("pointer", "array"):
            return ctypes.c_void_p
        if kind.record and kind.name in self.header.structs:
            return self.record(kind.name)
        raise TypeError(f"ctypes has no type for {kind.spelling}")

    def field(self, kind: Type) -> Any:
        """The type of a field: arrays are there in full."""
        return self.field(kind.pointee) * kind.count if kind.kind == "array" else self.of(kind)

    def record(self, name: str) -> Any:
        """The struct or union of this name."""
        if name not in self.records:
            struct = self.header.structs[name]
            fields: list[Any] = []
            for number, one in enumerate(struct.fields):
                named = one.name or f"_unnamed{number}"
                its = (named, self.field(one.type))
                fields.append(its if one.bits is None else (*its, one.bits))
            base = ctypes.Union if struct.union else ctypes.Structure
            made = type(name.replace(" ", "_"), (base,), {"_fields_": fields})
            if ctypes.sizeof(made) != struct.size:
                raise TypeError(f"ctypes lays {name} out in {ctypes.sizeof(made)} bytes, not in {struct.size}")
            self.records[name] = made
        return self.records[name]
