# SPDX-License-Identifier: Apache-2.0
"""The intermediate form: what a binding of each function does, decided once, for every technique.

It has, per function, the parameters that Python sees, what the library is given for each of its arguments in C's order,
what is checked before the call, what is returned, when the call has failed, what has to stay alive and until when, and
which object is closed. A template writes these down and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cside_wrap.header.model import Header, Type
from cside_wrap.roles.vocabulary import Role

__all__ = ["Check", "Given", "Keep", "Library", "Object", "Parameter", "Plan", "Result", "Status"]

Source = Literal[
    "parameter",  # the parameter itself
    "address",  # the address of the struct, or of a cell that starts with the parameter's number
    "buffer",  # the address of `room` fresh bytes, all zero
    "cell",  # the address of a fresh number, which starts with `value`, or of a fresh NULL pointer
    "expression",  # the number `value`
    "null",
    "callback",  # a C function that calls the parameter
    "user-data",  # what the callback of the parameter needs to find it
]


@dataclass(frozen=True)
class Parameter:
    """What Python gives."""

    name: str
    role: Role
    type: Type
    nullable: bool = False
    encoding: str = ""
    writable: bool = False
    """Of bytes: the function changes them, so that a writable buffer is asked for."""
    buffers: tuple[tuple[str, str], ...] = ()
    """Of a struct: its pointer fields, each with the field that has the size. A pointer to constant bytes is an input,
    another a writable buffer of the user's. Pointer fields that are not named here are NULL."""


@dataclass(frozen=True)
class Given:
    """What the library is given for one of its arguments."""

    argument: str
    type: Type
    source: Source
    parameter: str = ""
    value: str = ""
    room: str = ""


@dataclass(frozen=True)
class Check:
    """What has to hold before the call, else the binding raises ValueError: ``len(parameter)`` against `size`."""

    parameter: str
    size: str
    exact: bool
    """Whether more bytes than `size` are refused too: for fixed sizes, not for lengths that another argument gives."""


@dataclass(frozen=True)
class Result:
    """One of the values returned to Python: the function's own, or what an argument was set to."""

    argument: str
    """The C argument, or `RETURN`."""
    role: Role
    type: Type
    filled: str = ""
    """Of bytes: how many are valid, an expression over ``result``, arguments and cells."""
    nullable: bool = False
    encoding: str = ""
    owner: str = ""
    """library: borrowed, so it is copied, or, of an object, not closed. A function's name: that frees it."""


@dataclass(frozen=True)
class Status:
    """When a call succeeded, as an expression over ``result``, and the function that names a failure."""

    ok: str
    message: str = ""


@dataclass(frozen=True)
class Keep:
    """`kept`, a parameter, has to stay alive as long as `holder` says: a parameter, `RETURN`, or forever."""

    kept: str
    holder: str


@dataclass(frozen=True)
class Plan:
    """What a binding of one function does."""

    symbol: str
    declaration: str
    documentation: str
    parameters: tuple[Parameter, ...]
    given: tuple[Given, ...]
    checks: tuple[Check, ...]
    results: tuple[Result, ...]
    status: Status | None
    keeps: tuple[Keep, ...]
    closes: str
    """The parameter whose object the call frees, so that a later use of it raises ValueError; empty for none."""
    returns: Type


@dataclass(frozen=True)
class Object:
    """A type of which Python has handles."""

    type: str
    allocated: int
    """Bytes that the binding allocates, all zero, for an object that a function sets up; 0 where the library does."""
    makers: tuple[str, ...]
    """The functions that return one, by their result or an argument, or that set one up; fewest parameters first."""
    close: str
    """The function that frees one; empty where none does."""


@dataclass(frozen=True)
class Library:
    """The form of a library: plans of the functions that are bound, and what became of the others."""

    plans: dict[str, Plan]
    objects: dict[str, Object]
    asked: dict[str, tuple[str, ...]]
    """The names of open arguments, by function."""
    refused: dict[str, str]
    header: Header
