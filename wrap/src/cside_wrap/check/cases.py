# SPDX-License-Identifier: Apache-2.0
"""The cases of each function: good values, other kinds of the same, and each kind of bad ones, one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from cside_wrap.check.values import NoTree, Tree, Trees
from cside_wrap.packages.description import Binding, Call, Taken
from cside_wrap.project.overrides import Recipe
from cside_wrap.roles.form import Library

__all__ = ["bad_values", "cases", "other_kinds"]


def cases(
    form: Library, binding: Binding, recipes: Sequence[Recipe], sizes: Mapping[str, Collection[int]]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The cases, as plain data for the runner, and why functions have none.

    `sizes` has the sizes of free inputs, in bytes, at which each function may be called; one that is not in it is not
    called with good values, and gets bad ones only.
    """
    found: list[dict[str, Any]] = []
    without: dict[str, str] = {}
    trees = {
        size: Trees(form, binding, recipes, size) for size in sorted({one for ones in sizes.values() for one in ones})
    }
    for call in binding.calls:
        chosen = sorted(sizes.get(call.symbol, ()))
        if not chosen:
            continue
        try:
            good = {size: trees[size].of_call(call) for size in chosen}
        except NoTree as why:
            without[call.symbol] = str(why)
            continue
        found += [_case(call, f"{size} bytes", values) for size, values in good.items()]
        found[-1]["leak"] = all(holder != "forever" for _, holder in call.keeps)  # what is kept forever is no leak
        values = good[chosen[-1]]
        for place, one in enumerate(call.taken):
            for what, tree in other_kinds(one, values[place]):
                found.append(_case(call, f"{one.name} is {what}", [*values[:place], tree, *values[place + 1 :]]))
            for what, tree in bad_values(one, values[place]):
                bad = [*values[:place], tree, *values[place + 1 :]]
                found.append(_case(call, f"{one.name} is {what}", bad, bad=True))
        found.append(_case(call, "one argument more", [*values, {"int": 0}], bad=True))
        if values:
            found.append(_case(call, "one argument fewer", values[:-1], bad=True))
    return found, without


def _case(call: Call, what: str, args: list[Tree], *, bad: bool = False) -> dict[str, Any]:
    kinds = [one.kind for one in call.returned]
    return {"function": call.symbol, "what": what, "args": args, "bad": bad, "kinds": kinds}


def other_kinds(one: Taken, good: Tree) -> Iterator[tuple[str, Tree]]:
    """The same value as an object of another type, which has to give the same."""
    if one.kind == "integer" and "int" in good:
        yield "an object with __index__", {"index": good["int"]}
    if one.kind == "float":
        yield "an int", {"int": 1}
    if one.kind == "bytes" and "bytes" in good:
        yield "a bytearray", good | {"as": "bytearray"}
        yield "a memoryview", good | {"as": "memoryview"}
    if one.kind == "bytes" and isinstance(size := good.get("bytes"), int) and size % 4 == 0:
        yield "an array of four-byte items", good | {"as": "array"}


def bad_values(one: Taken, good: Tree) -> Iterator[tuple[str, Tree]]:
    """Values that have to be refused before the library is called."""
    if one.kind == "integer" and one.integer is not None:
        yield "a float", {"float": 1.5}
        yield "None", {"none": 1}
        yield "a str", {"text": "1"}
        yield "too large", {"int": one.integer.high + 1}
        yield "too small", {"int": one.integer.low - 1}
    elif one.kind == "float":
        yield "None", {"none": 1}
        yield "a str", {"text": "1"}
    elif one.kind in ("bytes", "buffer"):
        if not one.nullable:
            yield "None", {"none": 1}
        yield "a str", {"text": "text"}
        yield "an int", {"int": 4}
        yield "not contiguous", {"bytes": 16, "as": "strided", "writable": one.kind == "buffer"}
        if one.kind == "buffer":
            yield "read-only", good | {"as": "bytes"}
    elif one.kind == "text":
        if not one.nullable:
            yield "None", {"none": 1}
        yield "bytes", {"raw": "6161"}
        yield "text with a NUL", {"text": "a\0b"}
        yield "a lone surrogate", {"surrogate": 1}
        yield "an int", {"int": 4}
    elif one.kind == "handle":
        if not one.nullable:
            yield "None", {"none": 1}
        yield "an int", {"int": 4}
        yield "another object", {"object": 1}
        if "none" not in good:
            yield "closed", good | {"closed": 1}
    elif one.kind == "record":
        if not one.nullable:
            yield "None", {"none": 1}
        yield "another object", {"object": 1}
    elif one.kind == "address":
        yield "a str", {"text": "1"}
        yield "negative", {"int": -1}
    elif one.kind == "callback":
        if not one.nullable:
            yield "None", {"none": 1}
        yield "an int", {"int": 4}
