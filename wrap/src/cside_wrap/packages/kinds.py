# SPDX-License-Identifier: Apache-2.0
"""What types of C are in Python: numbers, classes, callbacks."""

from __future__ import annotations

import re

from cside_wrap.header.model import Type
from cside_wrap.packages.description import Callback, Integer, Kind
from cside_wrap.roles.form import Library

__all__ = ["callback_of", "class_names", "integer_of", "kind_of"]


def integer_of(kind: Type) -> Integer | None:
    """The integer type; None for what is none. An enumeration and a boolean are integers of C, too."""
    if kind.kind not in ("int", "enum", "bool"):
        return None
    bits = 8 * kind.size
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind.signed else (0, (1 << bits) - 1)
    name = kind.written.removeprefix("const ")
    return Integer(name, f"{'' if kind.signed else 'u'}int{bits}_t", low, high)


def kind_of(kind: Type) -> Kind:
    """What a number is in Python."""
    return "float" if kind.kind == "float" else "bool" if kind.kind == "bool" else "integer"


def class_names(form: Library) -> dict[str, str]:
    """The name in Python of each type of objects and each struct: a typedef that functions use, else its own."""
    names: dict[str, str] = {}
    for one in form.header.functions.values():
        for kind in (one.returns, *(each.type for each in one.parameters)):
            while kind.kind == "pointer":
                kind = kind.pointee
            if kind.record and kind.name:
                written = re.sub(r"\b(const|struct|union|volatile)\s+", "", kind.written).strip()
                own = re.sub(r"\b(struct|union)\s+", "", kind.name)
                if written.isidentifier() and (kind.name not in names or names[kind.name] == own):
                    names[kind.name] = written
    return names


def callback_of(kind: Type, number: int) -> Callback | str:
    """The description of a type of callbacks, or why there is none. `number` makes a name where the type has none."""
    its = kind.callback
    if its is None or its.variadic:
        return f"takes a callback of the type {kind.spelling}"
    parameters = tuple(one.type for one in its.parameters)
    if not (its.pointee.kind == "void" or its.pointee.arithmetic):
        return f"takes a callback that returns a {its.pointee.spelling}"
    if odd := next((one for one in parameters if not (one.arithmetic or one.kind == "pointer")), None):
        return f"takes a callback that takes a {odd.spelling}"
    if any(one.callback is not None for one in parameters):
        return "takes a callback that takes a function"
    written = kind.written.removeprefix("const ").strip()
    name = written if written.isidentifier() else f"callback{number}"
    return Callback(name, kind.spelling, its.pointee, integer_of(its.pointee), parameters)
