# SPDX-License-Identifier: Apache-2.0
"""The call descriptions: each function as a template writes it, with every name and number that it needs.

Expressions are kept as text in the language of `roles.expressions`; `spelling` writes them in Python or C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cside_wrap.header.model import Constant, Type

__all__ = [
    "Binding",
    "Call",
    "Callback",
    "Check",
    "Handle",
    "Integer",
    "Kind",
    "Member",
    "Passed",
    "Record",
    "Returned",
    "Taken",
]

Kind = Literal["integer", "float", "bool", "bytes", "buffer", "text", "handle", "record", "address", "callback"]
"""What a parameter or a result is in Python. `bytes` are read and `buffer` is written to; both have a buffer."""


@dataclass(frozen=True)
class Integer:
    """A C integer type: `fixed` is its type of fixed width, as ``uint64_t``; `name` is what errors call it."""

    name: str
    fixed: str
    low: int
    high: int

    @property
    def bits(self) -> int:
        """The width in bits."""
        return int("".join(one for one in self.fixed if one.isdigit()))

    @property
    def signed(self) -> bool:
        """Whether it has negative values."""
        return self.low < 0


@dataclass(frozen=True)
class Member:
    """A field of a struct that Python sees.

    `kind` is integer, float, bool, an array of `count` bytes (`bytes`), or a `buffer`: a pointer, which is given an
    object with a buffer, and `size`, the member that is set to its length. `writable` says which kind of buffer.
    """

    name: str
    kind: Kind
    type: Type
    integer: Integer | None = None
    count: int = 0
    size: str = ""
    writable: bool = False


@dataclass(frozen=True)
class Record:
    """A struct with declared fields: a class of the package with a writable attribute for each member.

    Members that are the size of a buffer are set by the binding and are no attributes (`attributes` leaves them out).
    """

    name: str
    """The class in Python."""
    spelling: str
    """The type in C, as ``struct tm`` or ``XXH128_hash_t``."""
    members: tuple[Member, ...]
    documentation: str
    whole: bool = True
    """Whether `members` are all fields of the struct; else the others are zero."""

    @property
    def attributes(self) -> tuple[Member, ...]:
        """The members that the class has."""
        sizes = {one.size for one in self.members if one.size}
        return tuple(one for one in self.members if one.name not in sizes)

    def member(self, name: str) -> Member:
        """The member of this name."""
        return next(one for one in self.members if one.name == name)

    @property
    def buffers(self) -> tuple[Member, ...]:
        """The members that are buffers."""
        return tuple(one for one in self.members if one.kind == "buffer")


@dataclass(frozen=True)
class Handle:
    """A class of Python whose objects hold the address of an object of the library."""

    name: str
    spelling: str
    """The type in C."""
    allocated: int
    """Bytes of the object that the class itself allocates, all zero, and that a function sets up; 0 where the library
    makes the objects, and calling the class raises TypeError."""
    align: int
    close: str
    """The C function that frees one; empty where none does."""
    makers: tuple[str, ...]


@dataclass(frozen=True)
class Callback:
    """A type of C functions that call Python: numbers are given as numbers, pointers as addresses (int, or None)."""

    name: str
    """An identifier, the same for all parameters of this type."""
    spelling: str
    """The type of the function's address in C."""
    result: Type
    integer: Integer | None
    """Of the result."""
    parameters: tuple[Type, ...]


@dataclass(frozen=True)
class Taken:
    """A parameter of the function in Python; all are positional only, in C's order."""

    name: str
    kind: Kind
    type: Type
    nullable: bool = False
    """Whether None is allowed, which is NULL, of length 0."""
    encoding: str = "utf-8"
    integer: Integer | None = None
    handle: str = ""
    """The class of a handle."""
    record: Record | None = None
    changed: bool = False
    """Of a record: whether the function may change it, so that its attributes are read back."""
    kept: bool = False
    """Whether C may use it after the call: see `Call.keeps`."""
    counted: bool = False
    """Whether an expression uses its value or its length."""
    callback: Callback | None = None


@dataclass(frozen=True)
class Passed:
    """What C is given for one of its arguments.

    taken      the parameter `taken`: its number, the address of its bytes, of its text, of its object, or the struct
    pointer    the address of the struct `taken`
    cell       the address of a number that starts with `value`, or of a pointer that starts with NULL
    buffer     the address of `room` fresh bytes
    number     the number `value`
    null       NULL
    callback   a C function that calls the parameter `taken`; user-data: what it needs to find it
    """

    name: str
    source: Literal["taken", "pointer", "cell", "record", "buffer", "number", "null", "callback", "user-data"]
    type: Type
    taken: str = ""
    value: str = ""
    room: str = ""
    integer: Integer | None = None
    """Of numbers, and of the number in a cell."""
    record: Record | None = None
    """Of a fresh struct that the function fills."""


@dataclass(frozen=True)
class Returned:
    """One of the values that Python gets; `source` is the name of a `Passed`, or ``result``."""

    source: str
    kind: Kind
    type: Type
    filled: str = ""
    """Of bytes: how many, as an expression."""
    nullable: bool = False
    """Whether NULL is None; else NULL raises the package's Error. Text, bytes and addresses that are NULL are None."""
    encoding: str = "utf-8"
    handle: str = ""
    owned: bool = False
    """Of a handle: whether it frees its object when it is closed."""
    freed: str = ""
    """Of text and bytes: the C function that frees the memory after it was copied."""
    integer: Integer | None = None
    record: Record | None = None


@dataclass(frozen=True)
class Check:
    """``len(taken)`` has to be at least `size`, or `exact`; else ValueError."""

    taken: str
    size: str
    exact: bool


@dataclass(frozen=True)
class Call:
    """One function.

    In this order a binding: converts the parameters from left to right; computes numbers that follow from them; makes
    the checks; allocates; calls; raises Error unless `ok`; keeps alive; marks what was closed; makes the results.
    """

    symbol: str
    declaration: str
    documentation: str
    taken: tuple[Taken, ...]
    passed: tuple[Passed, ...]
    checks: tuple[Check, ...]
    returned: tuple[Returned, ...]
    """None in Python for none, the value for one, a tuple for several."""
    result: Type
    ok: str
    """The condition of success, an expression; empty where every call succeeds."""
    message: str
    """The C function that names a failure; empty for none."""
    keeps: tuple[tuple[str, str], ...]
    """The parameter that is kept, and what keeps it: a parameter that is a handle, ``made`` (the new handle), or
    ``forever``."""
    closes: str
    """The parameter whose object the call frees."""
    held: bool
    """Whether the call keeps the GIL, by the setting ``gil-held``; else it is released."""

    def named(self, name: str) -> Taken:
        """The parameter of this name."""
        return next(one for one in self.taken if one.name == name)


@dataclass(frozen=True)
class Binding:
    """A library as a template writes it."""

    name: str
    headers: tuple[str, ...]
    libraries: tuple[str, ...]
    """For the linker: names as after ``-l``, or the paths of files."""
    sonames: tuple[str, ...]
    """For the loader: a name that it finds, or a path."""
    unlinked: tuple[str, ...]
    """Those that a compiled module has to find loaded, since no file has the name that the linker took from them."""
    include: tuple[str, ...]
    define: tuple[str, ...]
    calls: tuple[Call, ...]
    handles: tuple[Handle, ...]
    records: tuple[Record, ...]
    constants: tuple[Constant, ...]
    callbacks: tuple[Callback, ...] = ()
    raw: tuple[Call, ...] = ()
    """Functions that expressions, messages and closing use and that are not among `calls`."""
