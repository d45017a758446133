# SPDX-License-Identifier: Apache-2.0
"""Compares two versions of the headers, and tells which way of binding would notice each kind of change, and when.

Functions, arguments, fields and types are compared by their binary representation: ``unsigned char *`` equals
``CK_BYTE_PTR``, and an argument that is only renamed has not changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from cside_headers.model import Argument, Model, Role
from cside_headers.struct_layouts import LLP64, LP64, DataModel, Layouts

__all__ = ["NOTICED", "TECHNIQUES", "Change", "Kind", "Moment", "canonical", "compare"]


class Kind(StrEnum):
    """Kinds of changes, with the harmless ones first."""

    FUNCTION_ADDED = "functions added"
    CONSTANT_ADDED = "constants added"
    STRUCT_ADDED = "structs added"
    TYPE_ADDED = "types added"
    FUNCTION_REMOVED = "functions removed"
    FUNCTION_MOVED = "functions moved in their list"
    FUNCTION_CHANGED = "functions with other arguments"
    CALLBACK_CHANGED = "callbacks with other arguments"
    CONSTANT_REMOVED = "constants removed"
    CONSTANT_CHANGED = "constants with other values"
    STRUCT_REMOVED = "structs removed"
    STRUCT_LAYOUT = "structs laid out differently"
    STRUCT_RENAMED = "structs with fields renamed"
    TYPE_REMOVED = "types removed"
    TYPE_CHANGED = "types of another width or kind"


class Moment(StrEnum):
    """When a way of binding notices a change."""

    BUILD = "at build"
    IMPORT = "at import"
    CALL = "at call"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `before` is empty for an addition, `after` for a removal."""

    kind: Kind
    name: str
    before: str = ""
    after: str = ""


INCLUDED = "C that includes the header"
WRAPPED = "an interface file, compiled with the header"
VERIFIED = "declarations repeated, and verified by a compiler"
COPIED = "declarations copied, no compiler"
GENERATED = "declarations generated from the header, no compiler"

TECHNIQUES: Mapping[str, str] = {
    INCLUDED: "names, sizes and values come from the header each time it is built",
    WRAPPED: "the interface names what it wraps; the generated C takes sizes and values from the header",
    VERIFIED: "the compiler compares the declarations with the header, and struct layouts are checked again on import",
    COPIED: "at run time it knows only the declarations that were copied by hand",
    GENERATED: "it knows only the declarations that were generated last; generate --check compares them at build",
}
"""Ways of binding, and what each knows of the header."""

# fmt: off
NOTICED: Mapping[Kind, Mapping[str, tuple[Moment, str]]] = {
    Kind.FUNCTION_ADDED: {
        INCLUDED:  (Moment.NEVER, "nothing calls it yet"),
        WRAPPED:   (Moment.NEVER, "the interface does not name it yet"),
        VERIFIED:  (Moment.NEVER, "nothing declares it yet"),
        COPIED:    (Moment.NEVER, "nothing declares it yet"),
        GENERATED: (Moment.BUILD, "it appears in the generated files"),
    },
    Kind.FUNCTION_REMOVED: {
        INCLUDED:  (Moment.BUILD, "its name is not declared"),
        WRAPPED:   (Moment.BUILD, "its name is not declared"),
        VERIFIED:  (Moment.BUILD, "its name is not declared"),
        COPIED:    (Moment.CALL, "by symbol it is missing; by position in the list another function is called"),
        GENERATED: (Moment.BUILD, "it disappears from the generated files"),
    },
    Kind.FUNCTION_MOVED: {
        INCLUDED:  (Moment.BUILD, "once built again, it has the new position; an old binary calls another function"),
        WRAPPED:   (Moment.BUILD, "once built again, it has the new position; an old binary calls another function"),
        VERIFIED:  (Moment.IMPORT, "the list's layout is not the declared one"),
        COPIED:    (Moment.NEVER, "it calls another function, with these arguments"),
        GENERATED: (Moment.BUILD, "the generated list changes"),
    },
    Kind.FUNCTION_CHANGED: {
        INCLUDED:  (Moment.BUILD, "the call does not fit the prototype"),
        WRAPPED:   (Moment.BUILD, "the call does not fit the prototype"),
        VERIFIED:  (Moment.BUILD, "the declaration does not fit the prototype"),
        COPIED:    (Moment.NEVER, "the old arguments are passed: a wrong result, or a crash"),
        GENERATED: (Moment.BUILD, "the generated signature changes"),
    },
    Kind.CALLBACK_CHANGED: {
        INCLUDED:  (Moment.BUILD, "the function does not fit the pointer's type"),
        WRAPPED:   (Moment.BUILD, "the function does not fit the pointer's type"),
        VERIFIED:  (Moment.BUILD, "the function does not fit the pointer's type"),
        COPIED:    (Moment.NEVER, "it is called with arguments that it takes for others"),
        GENERATED: (Moment.BUILD, "the generated type changes"),
    },
    Kind.CONSTANT_ADDED: {
        INCLUDED:  (Moment.NEVER, "nothing uses it yet"),
        WRAPPED:   (Moment.NEVER, "the interface does not name it yet, unless it takes whatever the header has"),
        VERIFIED:  (Moment.NEVER, "nothing declares it yet"),
        COPIED:    (Moment.NEVER, "nothing declares it yet"),
        GENERATED: (Moment.BUILD, "it appears in the generated files"),
    },
    Kind.CONSTANT_REMOVED: {
        INCLUDED:  (Moment.BUILD, "its name is not declared"),
        WRAPPED:   (Moment.BUILD, "its name is not declared"),
        VERIFIED:  (Moment.BUILD, "its name is not declared"),
        COPIED:    (Moment.NEVER, "it keeps the number"),
        GENERATED: (Moment.BUILD, "it disappears from the generated files"),
    },
    Kind.CONSTANT_CHANGED: {
        INCLUDED:  (Moment.BUILD, "once built again, it has the new value; an old binary keeps the old value"),
        WRAPPED:   (Moment.BUILD, "once built again, it has the new value; an old binary keeps the old value"),
        VERIFIED:  (Moment.BUILD, "the compiler gives the new value, or refuses the declared one"),
        COPIED:    (Moment.NEVER, "it keeps the old number"),
        GENERATED: (Moment.BUILD, "the generated number changes"),
    },
    Kind.STRUCT_ADDED: {
        INCLUDED:  (Moment.NEVER, "nothing uses it yet"),
        WRAPPED:   (Moment.NEVER, "the interface does not name it yet"),
        VERIFIED:  (Moment.NEVER, "nothing declares it yet"),
        COPIED:    (Moment.NEVER, "nothing declares it yet"),
        GENERATED: (Moment.BUILD, "it appears in the generated files"),
    },
    Kind.STRUCT_REMOVED: {
        INCLUDED:  (Moment.BUILD, "its name is not declared"),
        WRAPPED:   (Moment.BUILD, "its name is not declared"),
        VERIFIED:  (Moment.BUILD, "its name is not declared"),
        COPIED:    (Moment.NEVER, "it keeps the layout, which the library does not have any more"),
        GENERATED: (Moment.BUILD, "it disappears from the generated files"),
    },
    Kind.STRUCT_LAYOUT: {
        INCLUDED:  (Moment.BUILD, "once built again, it has the new offsets; a removed field does not compile"),
        WRAPPED:   (Moment.BUILD, "the generated C has the new offsets; a removed field does not compile"),
        VERIFIED:  (Moment.IMPORT, "sizes and offsets are not the declared ones"),
        COPIED:    (Moment.NEVER, "it reads and writes at the old offsets"),
        GENERATED: (Moment.BUILD, "the generated fields change"),
    },
    Kind.STRUCT_RENAMED: {
        INCLUDED:  (Moment.BUILD, "the old field is not declared"),
        WRAPPED:   (Moment.BUILD, "the old field is not declared"),
        VERIFIED:  (Moment.BUILD, "the old field is not declared"),
        COPIED:    (Moment.NEVER, "the bytes are the same, and it keeps the old name"),
        GENERATED: (Moment.BUILD, "the generated fields change"),
    },
    Kind.TYPE_ADDED: {
        INCLUDED:  (Moment.NEVER, "nothing uses it yet"),
        WRAPPED:   (Moment.NEVER, "the interface does not name it yet"),
        VERIFIED:  (Moment.NEVER, "nothing declares it yet"),
        COPIED:    (Moment.NEVER, "nothing declares it yet"),
        GENERATED: (Moment.BUILD, "it appears in the generated files, where they name types"),
    },
    Kind.TYPE_REMOVED: {
        INCLUDED:  (Moment.BUILD, "its name is not declared"),
        WRAPPED:   (Moment.BUILD, "its name is not declared"),
        VERIFIED:  (Moment.BUILD, "its name is not declared"),
        COPIED:    (Moment.NEVER, "types have no names at run time"),
        GENERATED: (Moment.BUILD, "it disappears from the generated files, where they name types"),
    },
    Kind.TYPE_CHANGED: {
        INCLUDED:  (Moment.BUILD, "once built again, it has the new width"),
        WRAPPED:   (Moment.BUILD, "the generated C has the new width; conversions follow it"),
        VERIFIED:  (Moment.BUILD, "the width is not the declared one"),
        COPIED:    (Moment.NEVER, "it passes and reads the old width"),
        GENERATED: (Moment.BUILD, "the generated types change"),
    },
}
"""When each way of binding notices a kind of change, and the reason. A binding that is not built again notices
nothing."""
# fmt: on


def canonical(model: Model, spelled: str) -> str:
    """A type with all typedefs resolved, as ``unsigned long *`` for CK_SLOT_ID_PTR."""
    typedefs = {typedef.name: typedef for typedef in model.typedefs}
    stars, seen = spelled.count("*"), set()
    name = spelled.removeprefix("const ").rstrip("* ")
    while name in typedefs and name not in seen:
        seen.add(name)
        stars += typedefs[name].pointers
        name = typedefs[name].target
    words = [word for word in name.split() if word != "int" or name == "int"]
    return " ".join([*(words or ["int"]), *(["*" * stars] if stars else [])])


def compare(old: Model, new: Model) -> list[Change]:
    """Every difference, ordered by kind."""
    order = list(Kind)
    found = [
        *_functions(old, new),
        *_callbacks(old, new),
        *_constants(old, new),
        *_structs(old, new),
        *_types(old, new),
    ]
    return sorted(found, key=lambda change: order.index(change.kind))


def _arguments(model: Model, arguments: tuple[Argument, ...]) -> list[tuple[str, Role]]:
    return [(canonical(model, argument.type), argument.role) for argument in arguments]


def _shown(arguments: tuple[Argument, ...]) -> str:
    return f"({', '.join(f'{a.type} {a.name}: {a.role.value}' for a in arguments)})"


def _functions(old: Model, new: Model) -> Iterator[Change]:
    before, after = ({f.name: f for f in model.functions} for model in (old, new))
    yield from (
        Change(Kind.FUNCTION_REMOVED, name, _shown(f.arguments)) for name, f in before.items() if name not in after
    )
    yield from (Change(Kind.FUNCTION_ADDED, n, "", _shown(f.arguments)) for n, f in after.items() if n not in before)
    for name in (name for name in before if name in after):
        if _arguments(old, before[name].arguments) != _arguments(new, after[name].arguments):
            shown = _shown(before[name].arguments), _shown(after[name].arguments)
            yield Change(Kind.FUNCTION_CHANGED, name, *shown)
    places = [{f.name: (f.version, index) for index, f in enumerate(model.functions)} for model in (old, new)]
    for name, (version, index) in places[0].items():
        if name in places[1] and places[1][name] != (version, index):
            texts = [f"entry {i + 1}, list of {v[0]}.{v[1]}" for v, i in (places[0][name], places[1][name])]
            yield Change(Kind.FUNCTION_MOVED, name, *texts)


def _callbacks(old: Model, new: Model) -> Iterator[Change]:
    before, after = ({c.name: c for c in model.callbacks} for model in (old, new))
    for name, callback in before.items():
        if name not in after:
            yield Change(Kind.TYPE_REMOVED, name, _shown(callback.arguments))
        elif _arguments(old, callback.arguments) != _arguments(new, after[name].arguments):
            yield Change(Kind.CALLBACK_CHANGED, name, _shown(callback.arguments), _shown(after[name].arguments))
    yield from (Change(Kind.TYPE_ADDED, n, "", _shown(c.arguments)) for n, c in after.items() if n not in before)


def _constants(old: Model, new: Model) -> Iterator[Change]:
    before, after = ({c.name: c.value for c in model.constants} for model in (old, new))

    def text(value: int | str) -> str:
        return f"{value:#x}" if isinstance(value, int) else repr(value)

    for name, value in before.items():
        if name not in after:
            yield Change(Kind.CONSTANT_REMOVED, name, text(value))
        elif after[name] != value:
            yield Change(Kind.CONSTANT_CHANGED, name, text(value), text(after[name]))
    yield from (Change(Kind.CONSTANT_ADDED, n, "", text(value)) for n, value in after.items() if n not in before)


def _structs_by_name(model: Model) -> dict[str, str]:
    """The name of the struct for each name of a struct, including typedefs."""
    known = {struct.name: struct.name for struct in model.structs}
    aliases = {t.name: canonical(model, t.name) for t in model.typedefs}
    return {**known, **{name: target for name, target in aliases.items() if target in known}}


def _places(model: Model, name: str, data: DataModel) -> tuple[dict[str, tuple[int, int]], int]:
    layout = Layouts(model, data).of(name)
    return dict(layout.fields), layout.size


def _structs(old: Model, new: Model) -> Iterator[Change]:
    before, after = _structs_by_name(old), _structs_by_name(new)
    yield from (Change(Kind.STRUCT_REMOVED, name) for name in before if name not in after)
    yield from (Change(Kind.STRUCT_ADDED, name) for name in after if name not in before)
    for name in before:
        if name not in after:
            continue
        for data in (LP64, LLP64):
            was, now = _places(old, before[name], data), _places(new, after[name], data)
            if was == now:
                continue
            same = (list(was[0].values()), was[1]) == (list(now[0].values()), now[1])
            kind = Kind.STRUCT_RENAMED if same else Kind.STRUCT_LAYOUT
            changed = [f for f in dict.fromkeys([*was[0], *now[0]]) if was[0].get(f) != now[0].get(f)]
            texts = [
                "; ".join(
                    [*(f"{f} at {place[f][0]}, {place[f][1]} bytes" for f in changed if f in place), f"size {size}"]
                )
                for place, size in (was, now)
            ]
            yield Change(kind, name, *texts)
            break


def _types(old: Model, new: Model) -> Iterator[Change]:
    structs = _structs_by_name(old), _structs_by_name(new)
    before, after = (
        {t.name: canonical(model, t.name) for t in model.typedefs if t.name not in known}
        for model, known in zip((old, new), structs, strict=True)
    )
    for name, kind in before.items():
        if name not in after:
            yield Change(Kind.TYPE_REMOVED, name, kind)
        elif after[name] != kind:
            was, now = (text.partition(" ") for text in (kind, after[name]))
            if was[0] in structs[0] and now[0] in structs[1] and was[2] == now[2]:
                continue  # a pointer to a struct, which is compared as a struct
            yield Change(Kind.TYPE_CHANGED, name, kind, after[name])
    yield from (Change(Kind.TYPE_ADDED, n, "", kind) for n, kind in after.items() if n not in before)
