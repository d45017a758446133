# SPDX-License-Identifier: Apache-2.0
"""Computes offset and size of the fields of each struct, for any data model and packing.

The rules are those of the platforms' C ABIs. A field starts at the next multiple of its alignment. The alignment of a
scalar is its size and that of a struct is the largest of its fields; it is never more than the packing. The size of a
struct is a multiple of its alignment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cside_headers.errors import HeaderError
from cside_headers.macro_values import integer
from cside_headers.model import Model, Struct

__all__ = ["ILP32", "LLP64", "LP64", "DataModel", "Layout", "Layouts"]


@dataclass(frozen=True, slots=True)
class DataModel:
    """Sizes of a long and of a pointer in bytes, and the packing of structs for which the header sets none."""

    name: str
    long: int
    pointer: int
    pack: int | None = None

    def packed(self) -> DataModel:
        """The same data model with ``pack(1)``."""
        return replace(self, name=f"{self.name}, pack(1)", pack=1)


LP64 = DataModel("LP64", long=8, pointer=8)
ILP32 = DataModel("ILP32", long=4, pointer=4)
LLP64 = DataModel("Windows (32-bit long), pack(1)", long=4, pointer=8, pack=1)
"""64-bit Windows, for which the standard requires structs packed to one byte (PKCS #11, 2.1)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Size and alignment of a struct, and offset and size of each field, all in bytes."""

    size: int
    align: int
    fields: Mapping[str, tuple[int, int]]


@dataclass
class Layouts:
    """Layouts of a model's structs under one data model."""

    model: Model
    data: DataModel
    _known: dict[str, Layout] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._structs = {struct.name: struct for struct in self.model.structs}
        self._typedefs = {typedef.name: typedef for typedef in self.model.typedefs}
        self._callbacks = {callback.name for callback in self.model.callbacks}

    def of(self, name: str) -> Layout:
        """The layout of a struct, by name."""
        if name not in self._known:
            self._known[name] = self._laid(self._structs[name])
        return self._known[name]

    def all(self) -> dict[str, Layout]:
        """The layout of every struct."""
        return {name: self.of(name) for name in self._structs}

    def measure(self, spelled: str) -> tuple[int, int] | None:
        """Size and alignment of a type; None for a type that is declared and not defined."""
        name = spelled.removeprefix("const ").strip()
        if name.endswith("*") or name in self._callbacks:
            return self.data.pointer, self.data.pointer
        if name in self._structs:
            layout = self.of(name)
            return layout.size, layout.align
        if name in self._typedefs:
            typedef = self._typedefs[name]
            if typedef.pointers:
                return self.data.pointer, self.data.pointer
            return None if typedef.target == name else self.measure(typedef.target)
        size = self._builtin(name.split())
        return None if size is None else (size, size)

    def _builtin(self, words: list[str]) -> int | None:
        if len(words) == 1 and (exact := integer(words)) and words[0].endswith("_t"):
            return exact[0] // 8
        if not set(words) <= {"unsigned", "signed", "long", "short", "int", "char", "double", "float", "__int64"}:
            return None
        if words.count("long") == 2 or "__int64" in words or ("double" in words and "long" not in words):
            return 8
        if "double" in words:
            return 16
        return self.data.long if "long" in words else 2 if "short" in words else 1 if "char" in words else 4

    def _laid(self, struct: Struct) -> Layout:
        pack = struct.pack if struct.pack is not None else self.data.pack
        at, widest, end = 0, 1, 0
        fields = {}
        for member in struct.fields:
            measured = self.measure(member.type)
            if measured is None:
                raise HeaderError(f"{struct.name}.{member.name}: the size of {member.type} is not in these headers")
            size, align = measured[0] * (1 if member.count is None else member.count), measured[1]
            align = align if pack is None else min(align, pack)
            start = 0 if struct.union else -(-at // align) * align
            fields[member.name] = (start, size)
            at, widest = start + size, max(widest, align)
            end = max(end, at)
        return Layout(-(-end // widest) * widest, widest, fields)
