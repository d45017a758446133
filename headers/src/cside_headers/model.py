# SPDX-License-Identifier: Apache-2.0
"""The model: the contents of a set of PKCS #11 headers as data, which templates, checks and diffs read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Argument", "Callback", "Constant", "Field", "Function", "Model", "Role", "Struct", "Typedef"]


class Role(StrEnum):
    """The purpose of an argument, from which follows how a binding converts it."""

    SCALAR_IN = "scalar-in"
    """An integer by value: handle, flags, type, or ``CK_BBOOL``."""
    BYTES_IN = "bytes-in"
    """Bytes; `Argument.length` names the argument that has their count."""
    TEXT_IN = "text-in"
    """UTF-8 text; `Argument.length` names its count of bytes. Without a length the text ends with NUL."""
    PADDED_IN = "padded-in"
    """UTF-8 text, padded with blanks to `Argument.width` bytes."""
    STRUCT_IN = "struct-in"
    """Pointer to one struct that the function reads; NULL is allowed if the standard defines its meaning."""
    STRUCTS_IN = "structs-in"
    """Array of structs (a template) that the function reads; `Argument.length` names their count."""
    STRUCTS_INOUT = "structs-inout"
    """Array of structs that the function fills in; `Argument.length` names their count."""
    PARAMETER = "parameter"
    """Parameter of a mechanism as a `void` pointer, which may be written, too; `Argument.length` names its count of
    bytes."""
    SCALAR_OUT = "scalar-out"
    """Pointer to one integer that the function writes."""
    STRUCT_OUT = "struct-out"
    """Pointer to one struct that the function writes."""
    BYTES_OUT = "bytes-out"
    """Bytes; `Argument.length` names a pointer to the count: the room before the call, the length after it. With NULL
    for the bytes, only the length is returned."""
    BYTES_FILLED = "bytes-filled"
    """Bytes that the function fills completely; `Argument.length` names their count, which the caller gives."""
    SCALARS_OUT = "scalars-out"
    """Array of integers; `Argument.length` names a pointer to its count, as for bytes."""
    SCALARS_LIMITED = "scalars-limited"
    """Array of integers; `Argument.limit` names the room, `Argument.length` a pointer to the count written."""
    STRUCTS_OUT = "structs-out"
    """Array of structs; `Argument.length` names a pointer to its count, as for bytes."""
    POINTER_OUT = "pointer-out"
    """Pointer to a pointer that the function sets to memory of the module."""
    LENGTH = "length"
    """The count or the room of another argument."""
    RESERVED = "reserved"
    """Always NULL."""
    INIT_ARGS = "init-args"
    """``CK_C_INITIALIZE_ARGS`` as a `void` pointer."""
    CALLBACK = "callback"
    """Pointer to a function of the application."""
    USER_DATA = "user-data"
    """A pointer that the callback is called with."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function or callback."""

    name: str
    type: str
    """The type as the header spells it, with single blanks: ``CK_BYTE_PTR``."""
    role: Role
    length: str | None = None
    """Name of the argument that has the count of this one."""
    limit: str | None = None
    """Name of the argument that has the room, if that is not the same argument as the length."""
    width: int | None = None
    """Number of bytes of padded text."""
    optional: bool = False
    """Whether the caller may decline this output by NULL for it and for its length."""
    target: str | None = None
    """The type that a pointer points to: ``CK_ATTRIBUTE``."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function, with the version whose function list was the first to have it: (2, 40), (3, 0) or (3, 2)."""

    name: str
    arguments: tuple[Argument, ...]
    version: tuple[int, int]
    doc: str = ""
    """First paragraph of the comment above the function, as one line; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct. For a pointer to several elements, `length` is the field that has their count."""

    name: str
    type: str
    count: int | None = None
    """Number of elements of an array; None for a field that is no array."""
    length: str | None = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct or union, under the name of its typedef.

    An anonymous struct in another struct is called ``OUTER.field``.
    """

    name: str
    fields: tuple[Field, ...]
    union: bool = False
    pack: int | None = None
    """Alignment in bytes that a ``#pragma pack`` of the header sets on every platform; None without one."""


@dataclass(frozen=True, slots=True)
class Typedef:
    """``typedef target name``; `pointers` is the number of stars. The target may be another typedef."""

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
    """A macro whose value is an integer or a string. `expression` is the text from which the value was computed."""

    name: str
    value: int | str
    expression: str

    @property
    def prefix(self) -> str:
        """The part of the name before the first underscore: ``CKM`` of ``CKM_AES_GCM``."""
        return self.name.partition("_")[0]


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that the headers declare, in their order."""

    functions: tuple[Function, ...] = ()
    structs: tuple[Struct, ...] = ()
    typedefs: tuple[Typedef, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    constants: tuple[Constant, ...] = ()
    version: tuple[int, int] = (0, 0)
    """``CRYPTOKI_VERSION_MAJOR`` and ``_MINOR``."""
    sources: tuple[str, ...] = field(default=())
    """Names of the files that were read, without folders."""
