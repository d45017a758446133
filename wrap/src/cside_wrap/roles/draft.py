# SPDX-License-Identifier: Apache-2.0
"""Drafts what each argument is for, by its type, its name and its neighbours.

A draft of something that a mistake makes write out of bounds, free twice or leak (output buffers, ownership) is always
a guess, so that the function is bound only after the user has confirmed it.
"""

from __future__ import annotations

import keyword
import re

from cside_wrap.header.model import Function, Header, Type
from cside_wrap.roles.lifetimes import Lifetimes
from cside_wrap.roles.results import drafted_result, has_pointers
from cside_wrap.roles.vocabulary import Argument, Confidence, Described, Role

__all__ = ["draft", "draft_all", "names_of"]

LENGTH = re.compile(
    r"(len|length|size|sz|bytes?|count|capacity|num|avail|amount)\d*$|^(n|cb|cch|nb)$|^(len|size)([A-Z_]|$)",
    re.IGNORECASE,
)
"""Names of lengths. A number of something else, as nArg and nParam, is none."""
USER_DATA = re.compile(r"(user|data|opaque|arg|ctx|context|cookie|closure|priv|param|app|handle)", re.I)
RESERVED = re.compile(r"reserved|unused", re.I)
TEXT_NAME = re.compile(r"(name|str|string|path|file|url|uri|text|key|sql|encoding|version|msg|message|base|id)", re.I)

CERTAIN, LIKELY, GUESS = Confidence.CERTAIN, Confidence.LIKELY, Confidence.GUESS


def names_of(function: Function) -> list[str]:
    """The names of arguments: ``arg0`` and so on for those without one and for repeated names, ``in_`` for ``in``."""
    names: list[str] = []
    for number, one in enumerate(function.parameters):
        safe = f"{one.name}_" if keyword.iskeyword(one.name) else one.name
        names.append(safe if safe and safe not in names else f"arg{number}")
    return names


def draft_all(header: Header, refused: dict[str, str]) -> dict[str, Described]:
    """A draft of every function of a header; `refused` has the reasons of those that are never bound."""
    lifetimes = Lifetimes(header)
    return {name: draft(one, header, lifetimes, refused.get(name, "")) for name, one in header.functions.items()}


def draft(function: Function, header: Header, lifetimes: Lifetimes, refused: str = "") -> Described:
    """A draft of one function."""
    return _Draft(function, header, lifetimes).described(refused)


class _Draft:
    """The drafting of one function: arguments that stand for a neighbour's length or user data are claimed by it."""

    def __init__(self, function: Function, header: Header, lifetimes: Lifetimes) -> None:
        self.function = function
        self.header = header
        self.lifetimes = lifetimes
        self.names = names_of(function)
        self.types = [one.type for one in function.parameters]
        self.claimed: dict[int, Argument] = {}
        self.rooms: dict[int, str] = {}
        """The buffer by the number of the argument that may be its room."""

    def described(self, refused: str) -> Described:
        for index, kind in enumerate(self.types):  # neighbours are claimed first
            if kind.callback is not None and index not in self.claimed:
                self.claimed[index] = self.callback(index, kind)
        drafts = [self.argument(index) for index in range(len(self.types))]
        drafts = [self.claimed.get(index, one) for index, one in enumerate(drafts)]
        if left := self.length_left():
            for one in drafts:
                if one.role == Role.TEXT_IN:  # it may be bytes, which a missing NUL would read past
                    one.confidence, one.reason = GUESS, f"constant char: is {left} its length?"
                    one.topic = f"text, or bytes with a length elsewhere {one.name}"
        return Described(self.function, drafts, drafted_result(self.function, self.header, self.lifetimes), refused)

    def made(
        self, index: int, role: Role, confidence: Confidence, reason: str, topic: str = "", **attributes: object
    ) -> Argument:
        given = {name.replace("_", "-"): value for name, value in attributes.items() if value not in ("", None)}
        return Argument(self.names[index], self.types[index], role, confidence, reason, given, topic)

    def length_of(self, index: int) -> int | None:
        """The neighbour that is the length of the buffer at `index`: the next argument, else the one before."""
        own = self.function.parameters[index].name
        for other in (index + 1, index - 1):
            if not 0 <= other < len(self.types) or other in self.claimed:
                continue
            kind = self.types[other]
            if kind.kind != "int" or kind.size < 2:
                continue
            name = self.function.parameters[other].name
            if name and (LENGTH.search(name) or (own and name.lower().startswith(own.lower()))):
                return other
            if not name and other > index:
                return other
        if len(own) > 1:  # not beside it, but with its name in front: src, dst, srcSize
            for other, one in enumerate(self.function.parameters):
                alike = one.name.lower().startswith(own.lower()) and LENGTH.search(one.name)
                if alike and one.type.kind == "int" and one.type.size >= 2 and other not in self.claimed:
                    return other
        return None

    def length_left(self) -> str:
        """An integer named as a length that no buffer has."""
        for other, one in enumerate(self.function.parameters):
            number = one.type.kind == "int" and one.type.size >= 2
            if number and other not in self.claimed and other not in self.rooms and LENGTH.search(one.name):
                return one.name
        return ""

    def argument(self, index: int) -> Argument:
        if index in self.claimed:
            return self.claimed[index]
        kind = self.types[index]
        if kind.arithmetic:
            return self.made(index, Role.VALUE, CERTAIN, "a number passed by value")
        if kind.record:
            return self.struct(index, kind, "in")
        if kind.kind == "pointer":
            return self.pointer(index, kind.pointee)
        if kind.kind == "array":
            return self.array(index, kind)
        return self.made(index, Role.ADDRESS, GUESS, "no rule knows this type", f"type {kind.written}")

    def pointer(self, index: int, to: Type) -> Argument:
        name = self.function.parameters[index].name
        if to.record:
            return self.record(index, to)
        if to.byte:
            return self.bytes(index, to, name)
        if to.arithmetic and to.const:
            reason = "the address of constant numbers, of which nothing says how many"
            return self.made(index, Role.BYTES_IN, GUESS, reason, "numbers without a count")
        if to.arithmetic:
            return self.number(index, to, name)
        if to.kind == "pointer":
            return self.double(index, to)
        return self.made(index, Role.ADDRESS, GUESS, "no rule knows this type", f"type {self.types[index].written}")

    def array(self, index: int, kind: Type) -> Argument:
        total = str(kind.count * kind.pointee.size)
        if not kind.count or not kind.pointee.arithmetic:
            return self.made(index, Role.ADDRESS, GUESS, "an array", f"array {kind.written}")
        if kind.pointee.const:
            return self.made(index, Role.BYTES_IN, LIKELY, f"a constant array of {total} bytes", size=total)
        reason = f"an array of {total} bytes, which the function may fill or change"
        return self.made(index, Role.BYTES_OUT, GUESS, reason, f"output array {kind.written}", room=total, filled=total)

    def record(self, index: int, to: Type) -> Argument:
        if not to.complete or self.lifetimes.is_object(to.name):
            if self.lifetimes.closes(self.function.name, to.name):
                return self.made(
                    index, Role.HANDLE, LIKELY, "the object that the function frees", closes=True, nullable=True
                )
            why = "a pointer to a type without declared fields" if not to.complete else self.lifetimes.why(to.name)
            return self.made(index, Role.HANDLE, LIKELY, why)
        return self.struct(index, to, "in" if to.const else "inout")

    def struct(self, index: int, to: Type, direction: str) -> Argument:
        struct = self.header.structs.get(to.name)
        if struct is None:
            return self.made(index, Role.STRUCT, GUESS, "a struct without a name", "struct without a name")
        if pointers := [one.name for one in struct.fields if has_pointers(self.header, one.type)]:
            reason = f"a struct with pointers in it ({', '.join(pointers[:4])}): who owns what they point to?"
            return self.made(index, Role.STRUCT, GUESS, reason, f"struct {to.name}", direction=direction)
        if direction == "inout":
            reason = "a struct of numbers that the function may change: is it one, or the first of several?"
            return self.made(index, Role.STRUCT, GUESS, reason, f"changed struct {to.name}", direction=direction)
        return self.made(index, Role.STRUCT, LIKELY, "a struct of numbers", direction=direction)

    def bytes(self, index: int, to: Type, name: str) -> Argument:
        length = self.length_of(index)
        where = f"{self.names[length]}" if length is not None else ""
        if to.const:
            if length is not None and (not to.character or self.function.parameters[length].name):
                self.claimed[length] = self.made(
                    length, Role.HIDDEN, LIKELY, f"the length of {self.names[index]}", value=f"len({self.names[index]})"
                )
                return self.made(
                    index, Role.BYTES_IN, LIKELY, f"constant bytes beside their length {where}", size=where
                )
            if length is not None:
                reason = "text or bytes beside a number that may be its length"
                return self.made(index, Role.BYTES_IN, GUESS, reason, "text with a number beside it", size=where)
            if to.character:
                return self.made(index, Role.TEXT_IN, LIKELY, "constant char without a length", encoding="utf-8")
            return self.made(
                index,
                Role.BYTES_IN,
                GUESS,
                "constant bytes, of which nothing says how many",
                f"input without a size {name}",
            )
        if RESERVED.search(name):
            return self.made(index, Role.HIDDEN, LIKELY, "its name says that it is not used", value="NULL")
        if length is not None:
            self.rooms[length] = name
            reason = f"a buffer that the function may fill, beside {where}, which may be its room"
            return self.made(
                index,
                Role.BYTES_OUT,
                GUESS,
                reason,
                f"output buffer {name}",
                room=where,
                filled="result" if self.counts() else "",
            )
        if to.kind == "void" and (USER_DATA.search(name) or not name):
            return self.made(index, Role.ADDRESS, GUESS, "a pointer that the library may keep", f"pointer {name}")
        for step in (index + 1, index - 1):
            if 0 <= step < len(self.types) and self.types[step].kind == "pointer":
                its = self.types[step].pointee
                if its.kind == "int" and its.size >= 4 and not its.const:
                    reason = f"a buffer beside {self.names[step]}, which may take its room and return what is filled"
                    return self.made(
                        index,
                        Role.BYTES_OUT,
                        GUESS,
                        reason,
                        f"output buffer {name} beside a size by address",
                        filled=self.names[step],
                    )
        return self.made(index, Role.BYTES_OUT, GUESS, "a buffer without a size", f"buffer without a size {name}")

    def counts(self) -> bool:
        """Whether the function returns something that may be how much it wrote."""
        return self.function.returns.kind == "int" and self.function.returns.size >= 4

    def number(self, index: int, to: Type, name: str) -> Argument:
        for step in (index - 1, index + 1):
            if not 0 <= step < len(self.types):
                continue
            kind = self.types[step]
            if (
                kind.kind == "pointer"
                and kind.pointee.byte
                and not kind.pointee.const
                and to.kind == "int"
                and to.size >= 4
            ):
                reason = f"beside the buffer {self.names[step]}: it may take the room, or only return what is filled"
                return self.made(index, Role.VALUE_INOUT, GUESS, reason, f"size by address {name}")
            if kind.kind == "int" and step > index and LENGTH.search(self.function.parameters[step].name or "-"):
                reason = f"numbers of which {self.names[step]} may be the count"
                return self.made(
                    index,
                    Role.BYTES_OUT,
                    GUESS,
                    reason,
                    f"array of numbers {name}",
                    room=f"{self.names[step]} * {to.size}",
                )
        return self.made(index, Role.VALUE_OUT, LIKELY, "the address of one number", nullable=False)

    def double(self, index: int, to: Type) -> Argument:
        inner = to.pointee
        if inner.record and (not inner.complete or self.lifetimes.is_object(inner.name)):
            close = self.lifetimes.close_of(inner.name)
            if self.lifetimes.closes(self.function.name, inner.name, by_address=True):
                return self.made(
                    index,
                    Role.HANDLE,
                    GUESS,
                    "the address of an object that the function frees",
                    f"frees by address {inner.name}",
                )
            reason = f"the address of a pointer to {inner.name}, which the function may make"
            return self.made(index, Role.HANDLE_OUT, GUESS, reason, f"new {inner.name} by address", owner=close or "")
        return self.made(index, Role.ADDRESS, GUESS, "the address of a pointer", f"address of {to.written}")

    def callback(self, index: int, kind: Type) -> Argument:
        takes = kind.callback
        assert takes is not None
        odd = [
            one.type.spelling
            for one in takes.parameters
            if one.type.kind == "other" or "__va_list" in one.type.spelling
        ]
        if takes.variadic or odd:
            return self.made(
                index,
                Role.HIDDEN,
                GUESS,
                "a callback that takes va_list or any number of arguments",
                "callback with va_list",
                value="NULL",
            )
        inside = [one for one in takes.parameters if one.type.kind == "pointer" and one.type.pointee.kind == "void"]
        for other in (index + 1, index - 1):
            if not 0 <= other < len(self.types) or other in self.claimed:
                continue
            its = self.types[other]
            if (
                its.kind == "pointer"
                and its.pointee.kind == "void"
                and inside
                and not (self.length_of(other) not in (None, index))
            ):
                if len(takes.parameters) == 1 and takes.pointee.kind == "void":
                    reason = f"a function that may be called when {self.names[other]} is given up"
                    return self.made(index, Role.HIDDEN, GUESS, reason, "destructor of user data", value="NULL")
                self.claimed[other] = self.made(
                    other,
                    Role.HIDDEN,
                    LIKELY,
                    f"user data of {self.names[index]}",
                    value=f"user_data({self.names[index]})",
                )
                return self.made(
                    index,
                    Role.CALLBACK,
                    LIKELY,
                    f"a function pointer beside its user data {self.names[other]}",
                    user_data=self.names[other],
                    nullable=True,
                )
        if len(takes.parameters) == 1 and inside and takes.pointee.kind == "void":
            reason = "a function that may be called when another argument is given up"
            return self.made(index, Role.HIDDEN, GUESS, reason, "destructor of an argument", value="NULL")
        reason = "a function pointer without user data of its own"
        return self.made(index, Role.CALLBACK, GUESS, reason, "callback without user data", nullable=True)
