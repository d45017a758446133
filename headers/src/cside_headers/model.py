# SPDX-License-Identifier: Apache-2.0
"""What a set of PKCS #11 headers says, as data: the form that grammars make, and templates, checks and diffs read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Argument", "Callback", "Constant", "Field", "Function", "Model", "Role", "Struct", "Typedef"]


class Role(StrEnum):
    """What an argument is for, which decides what a binding does with it."""

    SCALAR_IN = "scalar-in"
    """An integer by value: handle, flags, type, or ``CK_BBOOL``."""
    BYTES_IN = "bytes-in"
    """Bytes; `Argument.length` names their count."""
    TEXT_IN = "text-in"
    """UTF-8 text; `Argument.length` names its count of bytes, and where there is none it ends in NUL."""
    PADDED_IN = "padded-in"
    """UTF-8 text, padded with blanks to `Argument.width` bytes."""
    STRUCT_IN = "struct-in"
    """Pointer to one struct that the function reads; NULL is allowed where the standard has a meaning for it."""
    STRUCTS_IN = "structs-in"
    """Array of structs (a template) that the function reads; `Argument.length` names their count."""
    STRUCTS_INOUT = "structs-inout"
    """Array of structs that the function fills in; `Argument.length` names their count."""
    PARAMETER = "parameter"
    """Parameter of a mechanism by `void` pointer, read and perhaps written; `Argument.length` names its bytes."""
    SCALAR_OUT = "scalar-out"
    """Pointer to one integer that the function writes."""
    STRUCT_OUT = "struct-out"
    """Pointer to one struct that the function writes."""
    BYTES_OUT = "bytes-out"
    """Bytes; `Argument.length` names a pointer to their count: room before, length after, NULL asks for the length."""
    BYTES_FILLED = "bytes-filled"
    """Bytes that the function fills in whole; `Argument.length` names their count, given by the caller."""
    SCALARS_OUT = "scalars-out"
    """Array of integers; `Argument.length` names a pointer to its count, as for bytes."""
    SCALARS_LIMITED = "scalars-limited"
    """Array of integers; `Argument.limit` names the room, `Argument.length` a pointer to the count written."""
    STRUCTS_OUT = "structs-out"
    """Array of structs; `Argument.length` names a pointer to its count, as for bytes."""
    POINTER_OUT = "pointer-out"
    """Pointer to a pointer that the function sets to something of its own."""
    LENGTH = "length"
    """Count or room of another argument."""
    RESERVED = "reserved"
    """Always NULL."""
    INIT_ARGS = "init-args"
    """``CK_C_INITIALIZE_ARGS`` behind a `void` pointer."""
    CALLBACK = "callback"
    """Pointer to a function of the application."""
    USER_DATA = "user-data"
    """What the callback is given."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function or callback."""

    name: str
    type: str
    """The type as the header spells it, blanks made single: ``CK_BYTE_PTR``."""
    role: Role
    length: str | None = None
    """Name of the argument that counts this one."""
    limit: str | None = None
    """Name of the argument that gives the room, where that is not the length's pointer."""
    width: int | None = None
    """Bytes of padded text."""
    optional: bool = False
    """An output that the caller may decline by NULL for it and its length."""
    target: str | None = None
    """For a pointer, the type that it points to: ``CK_ATTRIBUTE``."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function, with the version whose list it came with: (2, 40), (3, 0) or (3, 2)."""

    name: str
    arguments: tuple[Argument, ...]
    version: tuple[int, int]
    doc: str = ""
    """First paragraph of the comment above it, as one line; empty without one."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct. `length` is the field that counts it, where it is a pointer to several."""

    name: str
    type: str
    count: int | None = None
    """Elements, for an array."""
    length: str | None = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct, or a union, by its typedef's name. One inside another, without a name, is called ``OUTER.field``."""

    name: str
    fields: tuple[Field, ...]
    union: bool = False
    pack: int | None = None
    """Alignment that a ``#pragma pack`` of the header sets on every platform."""


@dataclass(frozen=True, slots=True)
class Typedef:
    """``typedef target name``; `pointers` counts the stars. Chains are kept as they stand."""

    name: str
    target: str
    pointers: int = 0


@dataclass(frozen=True, slots=True)
class Callback:
    """A pointer to a function of the application, such as ``CK_NOTIFY``."""

    name: str
    arguments: tuple[Argument, ...]
    returns: str = "CK_RV"


@dataclass(frozen=True, slots=True)
class Constant:
    """A macro with a value: an integer, or bytes for a string. `expression` is the text it was computed from."""

    name: str
    value: int | str
    expression: str

    @property
    def prefix(self) -> str:
        """``CKM`` of ``CKM_AES_GCM``."""
        return self.name.partition("_")[0]


@dataclass(frozen=True, slots=True)
class Model:
    """Everything the headers say, in their order."""

    functions: tuple[Function, ...] = ()
    structs: tuple[Struct, ...] = ()
    typedefs: tuple[Typedef, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    constants: tuple[Constant, ...] = ()
    version: tuple[int, int] = (0, 0)
    """``CRYPTOKI_VERSION_MAJOR`` and ``_MINOR``."""
    sources: tuple[str, ...] = field(default=())
    """Names of the files it was read from, without folders."""
