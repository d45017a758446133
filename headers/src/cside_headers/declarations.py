# SPDX-License-Identifier: Apache-2.0
"""The second pass: parses code into declarations, which keep the spelling of C and their places in the header."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from parsimonious.nodes import Node

from cside_headers.errors import HeaderError, Place
from cside_headers.peg import Unexpected, match, pick, word
from cside_headers.preprocess import LISTS, Code

__all__ = ["Alias", "Declaration", "Enum", "Named", "Pointer", "Prototype", "Record", "read", "standard_names"]


@cache
def standard_names() -> Mapping[str, list[str]]:
    """The names of the arguments of the standard's functions and callbacks, by function, for headers without names."""
    return tomllib.loads(files(__package__).joinpath("argument_names.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Named:
    """An argument or a field, as ``CK_BYTE_PTR pData`` or ``CK_BYTE iv[16]``. Stars are part of the type."""

    name: str
    type: str
    place: Place
    sizes: tuple[str, ...] = ()
    """The dimensions of an array, as expressions."""


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function. `version` is that of the first function list that has it; None if only the newest list has it."""

    name: str
    arguments: tuple[Named, ...]
    place: Place
    version: tuple[int, int] | None
    doc: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """A typedef of a pointer to a function."""

    name: str
    arguments: tuple[Named, ...]
    place: Place
    returns: str


@dataclass(frozen=True, slots=True)
class Record:
    """A struct or union with its fields."""

    tag: str
    fields: tuple[Named, ...]
    place: Place
    union: bool
    pack: int | None


@dataclass(frozen=True, slots=True)
class Alias:
    """``typedef type name``."""

    name: str
    type: str
    place: Place


@dataclass(frozen=True, slots=True)
class Enum:
    """Names and values of an enumeration."""

    members: tuple[tuple[str, str], ...]
    place: Place


Declaration = Prototype | Pointer | Record | Alias | Enum


def read(code: Code) -> list[Declaration]:
    """All declarations of a file, in order. Raise :class:`HeaderError` for text that the grammar does not match."""
    reader = _Reader(code)
    at = len(code.text) - len(code.text.lstrip())
    while at < len(code.text):
        try:
            # one declaration at a time, so that errors are precise and memory is small
            node = match("declarations", "declaration", code.text, at)
        except Unexpected as error:
            raise HeaderError(f"expected {error.expected}", code.place(error.pos)) from error
        reader.declaration(node.children[0])
        at = node.end
    return reader.found


@dataclass
class _Reader:
    code: Code
    found: list[Declaration] = field(default_factory=list)

    def declaration(self, node: Node) -> None:
        place = self.code.place(node.start)
        match node.expr_name:
            case "function" | "listed":
                self.found.append(self._prototype(word(node, "name"), node, place))
            case "prototype":
                name = [part.text.strip() for part in pick(next(pick(node, "wrapped_name", "plain_name")), "name")][-1]
                self.found.append(self._prototype(name, node, place))
            case "callback":
                self._pointer(next(pick(node, "wrapped_ptr", "plain_ptr")), node, "", place)
            case "typedef":
                self._typedef(node, place)
            case "record_alone":
                self._type(node, "")

    def _prototype(self, name: str, node: Node, place: Place) -> Prototype:
        shown = self.code.span(node.start).lists[1:]
        version = next((version for (_, version), seen in zip(LISTS, shown, strict=True) if seen), None)
        return Prototype(name, self._arguments(node, name), place, version, self._doc(place))

    def _pointer(self, head: Node, node: Node, name: str, place: Place) -> str:
        name = name or [part.text.strip() for part in pick(head, "name")][-1]
        result = " ".join(next(pick(head, "result")).text.split())
        self.found.append(Pointer(name, self._arguments(node, name), place, result))
        return name

    def _typedef(self, node: Node, place: Place) -> None:
        declarators = _declarators(node)
        spelled = self._type(node, word(declarators[0], "name"))
        for declarator in declarators:
            if any(pick(declarator, "array")):
                raise HeaderError("a typedef of an array is not supported", self.code.place(declarator.start))
            self.found.append(Alias(word(declarator, "name"), _starred(spelled, declarator), place))

    def _arguments(self, node: Node, owner: str) -> tuple[Named, ...]:
        made = []
        for number, argument in enumerate(pick(next(pick(node, "arguments"), node), "argument"), 1):
            spelled = _starred(self._type(argument, f"{owner}.{number}"), argument) + " *" * sum(
                1 for _ in pick(argument, "array")
            )
            where = self.code.place(argument.start)
            name = next((part.text.strip() for part in pick(argument, "type", "name") if part.expr_name == "name"), "")
            made.append(Named(name, spelled, where))
        known = standard_names().get("C_" + owner.removeprefix("CK_C_") if owner.startswith("CK_C_") else owner, ())
        names = known if len(known) == len(made) else [f"argument{number}" for number in range(1, len(made) + 1)]
        return tuple(replace(a, name=a.name or name) for a, name in zip(made, names, strict=True))

    def _type(self, node: Node, anonymous: str) -> str:
        """The type of a node as text. Structs, unions and enumerations with bodies are added as declarations."""
        spelled = next(pick(node, "type", "record", "enum"))
        kind = spelled if spelled.expr_name != "type" else next(pick(spelled, "record", "enum", "builtin", "name"))
        outside = pick(spelled, "qualifier", "record")  # those of fields are not included
        const = "const " if any(part.text.startswith("const") for part in outside) else ""
        match kind.expr_name:
            case "record":
                union = kind.text.startswith("union")
                tag = kind.children[2].text.strip() or anonymous
                body = next(pick(kind, "body"), None)
                if body is not None:
                    fields = tuple(self._fields(body, tag))
                    pack = self.code.span(kind.start).pack
                    self.found.append(Record(tag, fields, self.code.place(kind.start), union, pack))
                return f"{const}{'union' if union else 'struct'} {tag}"
            case "enum":
                members = [(word(part, "name"), word(part, "size")) for part in pick(kind, "enumerator")]
                self.found.append(Enum(tuple(members), self.code.place(kind.start)))
                return f"{const}unsigned int"
            case _:
                return const + " ".join(kind.text.split())

    def _fields(self, body: Node, tag: str) -> Iterator[Named]:
        for part in pick(body, "method", "plain_field"):
            place = self.code.place(part.start)
            if part.expr_name == "method":
                name = [child.text.strip() for child in pick(next(pick(part, "plain_ptr")), "name")][-1]
                yield Named(name, self._pointer(next(pick(part, "plain_ptr")), part, f"{tag}.{name}", place), place)
                continue
            declarators = _declarators(part)
            name = word(declarators[0], "name") if declarators else ""
            spelled = self._type(part, f"{tag}.{name}")
            if not declarators:
                raise HeaderError("a field without a name is not supported", place)
            for declarator in declarators:
                sizes = tuple(word(array, "size") for array in pick(declarator, "array"))
                where = self.code.place(declarator.start)
                yield Named(word(declarator, "name"), _starred(spelled, declarator), where, sizes)

    def _doc(self, place: Place) -> str:
        """The first paragraph of the comment that ends on the line above."""
        comment = self.code.comments.get(place.line - 1, "")
        lines = [re.sub(r"^\s*\*+(?!/)", "", line).strip() for line in re.sub(r"^/\*+|\*+/$", "", comment).split("\n")]
        return " ".join(" ".join(lines).split("  ")[0].split()) if lines else ""


def _declarators(node: Node) -> list[Node]:
    """The declarators of a typedef or field, without those in the body of its type."""
    return [part for part in pick(node, "type", "declarator") if part.expr_name == "declarator"]


def _starred(spelled: str, node: Node) -> str:
    """A type with the stars of a declarator: ``CK_BYTE *``."""
    stars = []
    for pointer in pick(node, "pointer"):
        if pointer.text.startswith("CK_CONST_PTR") and not spelled.startswith("const "):
            spelled = f"const {spelled}"
        stars.append("*")
    return f"{spelled} {''.join(stars)}" if stars else spelled
