# SPDX-License-Identifier: Apache-2.0
"""Drafts what a function returns: whether it is new or borrowed is asked, but where its name or type says it."""

from __future__ import annotations

from cside_wrap.header.model import Function, Header, Type
from cside_wrap.roles.lifetimes import Lifetimes
from cside_wrap.roles.vocabulary import RETURN, Argument, Confidence, Role

__all__ = ["drafted_result", "has_pointers"]

CERTAIN, LIKELY, GUESS = Confidence.CERTAIN, Confidence.LIKELY, Confidence.GUESS


def has_pointers(header: Header, kind: Type) -> bool:
    """Whether a field is a pointer, or has one in it."""
    if kind.kind == "array":
        return has_pointers(header, kind.pointee)
    if kind.record:
        struct = header.structs.get(kind.name)
        return struct is None or any(has_pointers(header, one.type) for one in struct.fields)
    return not kind.arithmetic


def drafted_result(function: Function, header: Header, lifetimes: Lifetimes) -> Argument:
    """A draft of what a function returns."""
    kind = function.returns

    def made(role: Role, confidence: Confidence, reason: str, topic: str = "", **attributes: object) -> Argument:
        given = {name: value for name, value in attributes.items() if value not in ("", None)}
        return Argument(RETURN, kind, role, confidence, reason, given, topic)

    if kind.kind == "void":
        return made(Role.NOTHING, CERTAIN, "returns nothing")
    if kind.arithmetic:
        return made(Role.VALUE, CERTAIN, "a number")
    if kind.record:
        struct = header.structs.get(kind.name)
        if struct is None or any(has_pointers(header, one.type) for one in struct.fields):
            return made(Role.STRUCT, GUESS, "a struct with pointers in it", f"returned struct {kind.name}")
        return made(Role.STRUCT, LIKELY, "a struct of numbers by value")
    to = kind.pointee
    if kind.kind == "pointer" and to.record:
        opaque = not to.complete or lifetimes.is_object(to.name)
        if opaque and to.const:
            return made(
                Role.HANDLE, LIKELY, "a constant object, which the library keeps", owner="library", nullable=True
            )
        if opaque:
            close = lifetimes.close_of(to.name)
            if close and lifetimes.makes(function, to.name):
                return made(Role.HANDLE, LIKELY, f"a new object by its name, freed by {close}", owner=close)
            why = (
                f"an object, which may be new (freed by {close}) or borrowed"
                if close
                else "an object, of which nothing says who frees it"
            )
            return made(Role.HANDLE, GUESS, why, f"returned {to.name}", owner="library", nullable=True)
        if (
            to.const
            and to.name in header.structs
            and not any(has_pointers(header, one.type) for one in header.structs[to.name].fields)
        ):
            return made(
                Role.STRUCT, LIKELY, "a constant struct, which the library keeps", owner="library", nullable=True
            )
        return made(
            Role.STRUCT, GUESS, "a pointer to a struct, of which nothing says who frees it", f"returned {to.name} *"
        )
    if kind.kind == "pointer" and to.character and to.const:
        return made(
            Role.TEXT,
            LIKELY,
            "constant text, which the library keeps",
            owner="library",
            nullable=True,
            encoding="utf-8",
        )
    if kind.kind == "pointer" and to.character:
        return made(
            Role.TEXT,
            GUESS,
            "text that may have to be freed",
            "returned char *",
            owner="library",
            nullable=True,
            encoding="utf-8",
        )
    if kind.kind == "pointer" and to.byte:
        return made(
            Role.ADDRESS,
            GUESS,
            "memory of which nothing says how much and whose",
            f"returned {kind.written}",
            nullable=True,
        )
    return made(Role.ADDRESS, GUESS, "no rule knows this type", f"returned {kind.written}", nullable=True)
