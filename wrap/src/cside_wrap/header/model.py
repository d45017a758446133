# SPDX-License-Identifier: Apache-2.0
"""What a header declares: types, functions, structs, enumerations and constants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Constant", "Field", "Function", "Header", "Kind", "Parameter", "Struct", "Type", "reached"]

Kind = Literal["void", "bool", "int", "float", "enum", "struct", "union", "pointer", "array", "function", "other"]


@dataclass(frozen=True)
class Type:
    """A C type, all typedefs resolved; `spelling` and `written` are C, with and without typedefs resolved."""

    kind: Kind
    spelling: str
    written: str
    size: int = 0
    """In bytes; 0 for void, functions and incomplete types."""
    signed: bool = False
    const: bool = False
    name: str = ""
    """Of a struct, union or enumeration: the name by which C code writes it, as ``ZSTD_CCtx`` or ``struct tm``."""
    complete: bool = True
    """False for a struct or union whose fields are not declared."""
    target: Type | None = None
    """Of a pointer or an array: what it points to or consists of. Of a function: what it returns."""
    count: int = 0
    """Of an array: its elements."""
    parameters: tuple[Parameter, ...] = ()
    """Of a function."""
    variadic: bool = False

    @property
    def pointee(self) -> Type:
        """What a pointer or an array points to; void for other types."""
        return self.target if self.target is not None else VOID

    @property
    def arithmetic(self) -> bool:
        """Whether it is a number: an integer, a boolean, an enumeration or a floating-point type."""
        return self.kind in ("bool", "int", "float", "enum")

    @property
    def record(self) -> bool:
        """Whether it is a struct or a union."""
        return self.kind in ("struct", "union")

    @property
    def byte(self) -> bool:
        """Whether it is one byte wide, as char, unsigned char and uint8_t, or void, to which bytes are passed."""
        return self.kind == "void" or (self.kind == "int" and self.size == 1)

    @property
    def character(self) -> bool:
        """Whether it is plain char, or a typedef of it."""
        return self.kind == "int" and self.spelling.removeprefix("const ") == "char"

    @property
    def callback(self) -> Type | None:
        """The type of the function that a pointer points to, or None."""
        return self.target if self.kind == "pointer" and self.pointee.kind == "function" else None


VOID = Type("void", "void", "void")


@dataclass(frozen=True)
class Parameter:
    """An argument of a function; `name` is empty where the header gives none."""

    name: str
    type: Type


@dataclass(frozen=True)
class Function:
    """A declared function. `file` and `line` are those of its first declaration."""

    name: str
    returns: Type
    parameters: tuple[Parameter, ...]
    variadic: bool
    comment: str
    declaration: str
    """As a C programmer writes it, on one line."""
    spelling: str
    """Its type with typedefs resolved, by which the compiler proves it."""
    file: str
    line: int
    inline: bool = False
    noreturn: bool = False


@dataclass(frozen=True)
class Field:
    """A field; `offset` is in bits."""

    name: str
    type: Type
    offset: int
    bits: int | None = None
    """The width of a bit-field, else None."""


@dataclass(frozen=True)
class Struct:
    """A struct or union whose fields are declared; `size` and `align` in bytes."""

    name: str
    union: bool
    size: int
    align: int
    fields: tuple[Field, ...]
    comment: str = ""


@dataclass(frozen=True)
class Constant:
    """A macro or an enumerator with its value."""

    name: str
    value: int | float | str
    group: str = ""
    """The enumeration, or empty for a macro."""


@dataclass
class Header:
    """All that a header declares and that may belong to its library."""

    functions: dict[str, Function] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    """Macros that are another name of a function: no constants."""
    not_exported: int = 0
    """Functions of the library's header files that it does not export."""
    unread: tuple[str, ...] = ()
    """Object-like macros that are no value."""


def reached(kind: Type) -> Iterable[Type]:
    """A type and all types that it refers to."""
    yield kind
    if kind.target is not None:
        yield from reached(kind.target)
    for one in kind.parameters:
        yield from reached(one.type)
