# SPDX-License-Identifier: Apache-2.0
"""Which functions make objects and which free them, by their names and the types that they take."""

from __future__ import annotations

import re
from collections import defaultdict

from cside_wrap.header.model import Function, Header

__all__ = ["INIT", "Lifetimes"]


def _named(*words: str) -> re.Pattern[str]:
    """A pattern that finds one of these words in a name, in either of C's ways to join words."""
    either = "|".join(f"{word}|{word.capitalize()}" for word in words)
    return re.compile(rf"(^|_|[a-z])({either})($|_|[A-Z]|\d)")


MAKE = _named("create", "new", "open", "alloc", "make", "copy", "dup", "clone", "begin", "init")
CLOSE = _named("free", "destroy", "close", "delete", "finalize", "release", "unref", "dispose", "cleanup", "finish")
INIT = _named("init")
END = _named("free", "destroy", "clear", "end", "final", "close", "update")


class Lifetimes:
    """What the functions of a header make and free."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.closers: dict[str, list[str]] = defaultdict(list)
        self.by_address: dict[str, list[str]] = defaultdict(list)
        init: dict[str, str] = {}
        end: dict[str, str] = {}
        for one in header.functions.values():
            first = one.parameters[0].type if one.parameters else None
            if first is None or first.kind != "pointer":
                continue
            to = first.pointee
            if to.record and len(one.parameters) == 1 and CLOSE.search(one.name):
                self.closers[to.name].append(one.name)
            elif to.kind == "pointer" and to.pointee.record and len(one.parameters) == 1 and CLOSE.search(one.name):
                self.by_address[to.pointee.name].append(one.name)
            if to.record and to.complete and not to.const:
                if INIT.search(one.name):
                    init.setdefault(to.name, one.name)
                elif END.search(one.name):
                    end.setdefault(to.name, one.name)
        made = {
            one.returns.pointee.name: one.name for one in reversed(header.functions.values()) if MAKE.search(one.name)
        }
        self.objects = {name: (init[name], end[name]) for name in init if name in end}
        self.objects |= {name: (made[name], self.closers[name][0]) for name in made if self.closers.get(name)}
        """Structs that a function makes or sets up and another ends, so that nobody else touches the fields."""

    def is_object(self, name: str) -> bool:
        """Whether a struct with declared fields is handled as an object."""
        return name in self.objects

    def why(self, name: str) -> str:
        """The reason of `is_object`."""
        return f"{self.objects[name][0]} makes it and {self.objects[name][1]} ends it"

    def closes(self, function: str, name: str, *, by_address: bool = False) -> bool:
        """Whether this function frees objects of this type."""
        return function in (self.by_address if by_address else self.closers)[name]

    def close_of(self, name: str) -> str | None:
        """The function that frees objects of this type: the shortest name, and of these the first."""
        found = self.closers.get(name, [])
        return min(found, key=len) if found else None

    def makes(self, function: Function, name: str) -> bool:
        """Whether a function that returns an object of this type makes it, by its name."""
        return MAKE.search(function.name) is not None and function.returns.pointee.name == name
