# SPDX-License-Identifier: Apache-2.0
"""The words in which arguments are described. GObject's annotations have most of them under other names."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cside_wrap.header.model import Function, Type

__all__ = ["ATTRIBUTES", "RETURN", "Argument", "Confidence", "Described", "Role", "State"]

RETURN = "return"
"""What a rule calls the result of a function."""


class Role(StrEnum):
    """What an argument, or the result of a function, is for."""

    NOTHING = "nothing"
    """The function returns void."""
    VALUE = "value"
    """A number."""
    BYTES_IN = "bytes-in"
    """Bytes that the function reads; `size` says how many."""
    TEXT_IN = "text-in"
    """NUL-terminated text that the function reads."""
    BYTES_OUT = "bytes-out"
    """A buffer that the function fills: `room` bytes are allocated, `filled` of them returned."""
    BYTES_INOUT = "bytes-inout"
    """A buffer that the function reads and changes; `size` says how many bytes."""
    VALUE_OUT = "value-out"
    """The address of one number, which the function sets."""
    VALUE_INOUT = "value-inout"
    """The address of one number, which the function reads and sets."""
    STRUCT = "struct"
    """A struct with declared fields, by value or by address."""
    HANDLE = "handle"
    """The address of an object whose fields are the library's affair."""
    HANDLE_OUT = "handle-out"
    """The address of a pointer, which the function sets to a new object."""
    CALLBACK = "callback"
    """A function of the user's."""
    HIDDEN = "hidden"
    """No argument in Python: `value` says what the library is given."""
    TEXT = "text"
    """A result: NUL-terminated text."""
    BYTES = "bytes"
    """A result: the address of `size` bytes, which are copied."""
    STATUS = "status"
    """A result that says whether the call succeeded: `ok` says when."""
    ADDRESS = "address"
    """A pointer that nobody looks behind, as an integer; NULL is None."""


class Confidence(StrEnum):
    """How much is known of a draft. A function with a guess is not bound."""

    CERTAIN = "certain"
    """The type leaves nothing else."""
    LIKELY = "likely"
    """A rule on types and names that cannot make a binding write where it must not."""
    GUESS = "guess"
    """An output buffer, an ownership, or anything of which a mistake corrupts memory: the user confirms it."""
    CONFIRMED = "confirmed"
    """A rule of overrides.toml says so."""


class State(StrEnum):
    """What becomes of a function."""

    BOUND = "bound"
    ASKED = "asked"
    REFUSED = "refused"


ATTRIBUTES = {
    "size": str,  # an expression: bytes of an input
    "room": str,  # an expression: bytes of an output
    "filled": str,  # an expression: bytes of an output that are valid afterwards; `result` is the function's own
    "value": str,  # an expression: what a hidden argument is given; NULL
    "encoding": str,
    "nullable": bool,
    "owner": str,  # library; caller; the function that frees
    "closes": bool,  # of a handle: the call frees the object
    "keep": str,  # call; handle; forever
    "user-data": str,  # of a callback: an argument, or what sets it; none
    "destroy": str,  # the argument that is called when the callback is given up
    "direction": str,  # of a struct: in, out, inout
    "buffers": dict,  # of a struct: its pointer fields and the fields with their sizes
    "ok": str,  # of a status: an expression over `result`
    "message": str,  # of a status: the function that names it
}
"""The attributes of roles, and the Python type of each in overrides.toml."""


@dataclass
class Argument:
    """An argument, or the result, of one function."""

    name: str
    """As in the header; ``arg2`` for the third where it gives none; `RETURN` for the result."""
    type: Type
    role: Role
    confidence: Confidence
    reason: str
    attributes: dict[str, Any] = field(default_factory=dict)
    topic: str = ""
    """What is asked, in a few words that are the same for alike questions."""

    def get(self, attribute: str) -> str:
        """An attribute's text; empty where it is not given."""
        return str(self.attributes.get(attribute, ""))

    @property
    def nullable(self) -> bool:
        """Whether None, as NULL, may be given or is returned."""
        return bool(self.attributes.get("nullable", False))

    @property
    def open(self) -> bool:
        """Whether the user has to say what it is."""
        return self.confidence == Confidence.GUESS


@dataclass
class Described:
    """A function with what each of its arguments is for."""

    function: Function
    arguments: list[Argument]
    result: Argument
    refused: str = ""
    """Why it cannot be bound; empty where it can."""

    @property
    def open(self) -> list[Argument]:
        """The arguments that the user has to say something of, the result last."""
        return [one for one in (*self.arguments, self.result) if one.open]

    @property
    def state(self) -> State:
        """What becomes of the function."""
        if self.refused:
            return State.REFUSED
        return State.ASKED if self.open else State.BOUND

    def named(self, name: str) -> Argument | None:
        """The argument of this name."""
        return next((one for one in (*self.arguments, self.result) if one.name == name), None)
