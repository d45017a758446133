# SPDX-License-Identifier: Apache-2.0
"""The first pass over a header: executes directives, and leaves code that keeps its line and column.

Comments, directives and code that a condition excludes become blanks. Macros that only rename (``#define count
ulCount``, ``#define CK_PTR *``, ``#define CK_ENTRY``) and function-like macros are replaced in the code, except for
those of the two conventions, which the grammar reads. A file is read once, however often it is included: pkcs11.h
includes pkcs11f.h several times, the last times as the body of a struct, and reading it once gives all declarations.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from parsimonious.nodes import Node

from cside_headers.errors import HeaderError, Place, Source
from cside_headers.expansion import Token, expand, tokens
from cside_headers.macro_values import Macro, Number, Values
from cside_headers.peg import Unexpected, match

__all__ = ["DEFINED", "LISTS", "Code", "Preprocessor", "Span"]

DEFINED: Mapping[str, str] = {
    "CK_NEED_ARG_LIST": "1",  # pkcs11f.h: with arguments
    "CK_PKCS11_3_0": "1",  # NSS: with the functions of 3.0
    "CK_PKCS11_3_2": "1",  # NSS: with the functions of 3.2
}
"""Macros that are defined before the first line. No others are, in particular not ``_WIN32``, ``__cplusplus`` and
``__GNUC__``.
"""

LISTS = (("CK_PKCS11_2_0_ONLY", (2, 40)), ("CK_PKCS11_3_0_ONLY", (3, 0)), ("CK_PKCS11_3_2_ONLY", (3, 2)))
"""Macros that end the list of functions early, each with the version of that shorter list. Each condition is evaluated
without these macros and once more with each of them. A function belongs to the first list that contains it."""

CONVENTIONS = frozenset(
    {
        "CK_PKCS11_FUNCTION_INFO",
        "_CK_DECLARE_FUNCTION",
        "CK_DECLARE_FUNCTION",
        "CK_DEFINE_FUNCTION",
        "CK_CALLBACK_FUNCTION",
        "CK_DECLARE_FUNCTION_POINTER",
    }
)
"""Function-like macros that declarations.peg reads. What they stand for depends on the compiler, and carries no more
facts."""

RENAMING = re.compile(r"(?:[A-Za-z_]\w*\b\s*|\*\s*)*")
"""Matches bodies of macros that only rename. The \\b keeps matching linear: a name is matched as a whole or not at
all."""


@dataclass(frozen=True, slots=True)
class Span:
    """Facts that hold from `start` in the code on: which of :data:`LISTS` contain it, and how structs are packed."""

    start: int
    lists: tuple[bool, ...]
    pack: int | None


@dataclass
class Code:
    """The code that is left of a file, with the mapping to places in the file."""

    source: Source
    text: str = ""
    pieces: list[tuple[int, int, bool]] = field(default_factory=list)
    """Where each piece starts in the code and in the source, in ascending order, and whether it replaces a macro.

    All of a replacement is from the place of the macro's name.
    """
    spans: list[Span] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    """The text of each comment, by the line on which it ends."""

    def place(self, offset: int) -> Place:
        """The place in the source of a character of the code."""
        here, there, replaced = self.pieces[bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1]
        return self.source.place(there if replaced else min(there + offset - here, len(self.source.text)))

    def span(self, offset: int) -> Span:
        """The span that a character of the code is in."""
        return self.spans[bisect_right(self.spans, offset, key=lambda span: span.start) - 1]


@dataclass
class _Condition:
    """One open ``#if``.

    `shown` and `taken` have one value for each evaluation: without :data:`LISTS`, then with each.
    """

    place: Place
    shown: tuple[bool, ...]
    taken: tuple[bool, ...]
    guards: str = ""
    """For ``#ifndef name``, the name."""


class Preprocessor:
    """Executes the directives of all files of a set, one file after the other."""

    def __init__(self, define: Mapping[str, str], include: Callable[[Source, str], None]) -> None:
        nowhere = Source(Path("defined beforehand"), "").place(0)
        self.macros: dict[str, Macro] = {name: Macro(name, body, nowhere, nowhere) for name, body in define.items()}
        self.given = frozenset(define)
        self.redefined: list[tuple[Macro, Macro]] = []
        self._include = include
        self._packs: list[int | None] = [None]
        self._replaced: dict[str, Macro] = {}
        """The macros that are replaced in code."""

    def read(self, source: Source) -> Code:
        """The code of a file. Raise :class:`HeaderError` for an invalid directive or comment."""
        code = Code(source)
        conditions: list[_Condition] = []
        try:
            tree = match("source", "file", source.text)
        except Unexpected as error:
            raise HeaderError(f"expected {error.expected}", source.place(error.pos)) from error
        if tree.end < len(source.text):
            raise HeaderError('expected "*/", the end of this comment', source.place(tree.end))
        parts: list[str] = []
        length = 0
        pending: list[
            Token
        ] = []  # code since the last directive: the arguments of a macro may hold comments and strings

        def emit(text: str, start: int, replaced: bool = False) -> None:
            nonlocal length
            code.pieces.append((length, start, replaced))
            parts.append(text)
            length += len(text)

        def flush() -> None:
            for text, start, replaced in _joined(expand(pending, self._replaced, source.place)):
                emit(text, start, replaced)
            pending.clear()

        for item in tree.children:
            node = item.children[0]
            shown = self._shown(conditions)
            if node.expr_name == "directive":
                flush()
                self._directive(source, node, conditions)
                if (span := Span(length, self._shown(conditions), self._packs[-1])) != (
                    code.spans[-1] if code.spans else None
                ):
                    code.spans.append(span)
                emit(re.sub(r"[^\n]", " ", node.text), node.start)
            elif node.expr_name != "comment" and any(shown):
                pending += tokens(node.text.replace("\\\n", " \n"), node.start)
            else:
                if node.expr_name == "comment":
                    code.comments[source.place(node.end).line] = node.text
                pending.append(Token(re.sub(r"[^\n]", " ", node.text), node.start))
        flush()
        if conditions:
            raise HeaderError("this condition has no #endif", conditions[-1].place)
        code.text = "".join(parts)
        code.spans.insert(0, Span(0, (True,) * (len(LISTS) + 1), None))
        return code

    def _shown(self, conditions: list[_Condition]) -> tuple[bool, ...]:
        worlds = (True,) * (len(LISTS) + 1)
        for condition in conditions:
            worlds = tuple(a and b for a, b in zip(worlds, condition.shown, strict=True))
        return worlds

    def _directive(self, source: Source, node: Node, conditions: list[_Condition]) -> None:
        keyword, body = node.children[1].text, node.children[2]
        place = source.place(node.start)
        start = body.start + len(body.text) - len(body.text.lstrip())
        text = _without_comments(body).strip()
        if keyword in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self._conditional(keyword, text, place, source.place(start), conditions)
        elif self._shown(conditions)[0]:
            match keyword:
                case "define":
                    self._define(text, source, start, {condition.guards for condition in conditions})
                case "undef":
                    self.macros.pop(text, None)
                    self._replaced.pop(text, None)
                case "include" if text.startswith('"'):
                    self._include(source, text.strip('"'))
                case "pragma":
                    self._pragma(text)
                case "error":
                    raise HeaderError(f"the header says: {text}", place)

    def _define(self, text: str, source: Source, start: int, guards: set[str]) -> None:
        found = re.match(r"(\w+)(\(([^()]*)\))?\s*", text)
        if found is None:
            raise HeaderError("expected the name of a macro", source.place(start))
        name, body = found[1], text[found.end() :]
        parameters = None if found[2] is None else tuple(p.strip() for p in found[3].split(",") if p.strip())
        place = source.place(start), source.place(start + found.end())
        macro = Macro(name, body, *place, parameters, name in guards)
        old = self.macros.get(name)
        if old is not None and name not in self.given and (old.body, old.parameters) != (body, parameters):
            self.redefined.append((old, macro))
        self.macros[name] = macro
        self._replaced.pop(name, None)
        if _is_replaced(macro):
            self._replaced[name] = macro

    def _conditional(self, keyword: str, text: str, place: Place, at: Place, conditions: list[_Condition]) -> None:
        if keyword in ("if", "ifdef", "ifndef"):
            if not text:
                raise HeaderError(f"#{keyword} without a condition", place)
            shown = self._worlds(keyword, text, at) if any(self._shown(conditions)) else (False,) * (len(LISTS) + 1)
            negated = re.fullmatch(r"!\s*defined\s*\(?\s*(\w+)\s*\)?", text)
            guards = text.split()[0] if keyword == "ifndef" else negated[1] if negated else ""
            conditions.append(_Condition(place, shown, shown, guards))
            return
        if not conditions:
            raise HeaderError(f"#{keyword} without #if", place)
        condition = conditions[-1]
        if keyword == "endif":
            conditions.pop()
            return
        outer = self._shown(conditions[:-1])
        more = (True,) * len(outer) if keyword == "else" else self._worlds("if", text, at) if any(outer) else outer
        condition.shown = tuple(m and not t for m, t in zip(more, condition.taken, strict=True))
        condition.taken = tuple(s or t for s, t in zip(condition.shown, condition.taken, strict=True))
        condition.guards = ""

    def _worlds(self, keyword: str, text: str, place: Place) -> tuple[bool, ...]:
        worlds: list[bool] = []
        for name in (None, *(name for name, _ in LISTS)):
            macros: Mapping[str, Macro] = self.macros
            if name is not None:
                if name not in text and worlds:
                    worlds.append(worlds[0])
                    continue
                macros = {**self.macros, name: Macro(name, "1", place, place)}
            if keyword in ("ifdef", "ifndef"):
                worlds.append((text.split()[0] in macros) is (keyword == "ifdef"))
            else:
                value = Values(macros, {}, condition=True).compute(text, place)
                worlds.append(isinstance(value, Number) and value.value != 0)
        return tuple(worlds)

    def _pragma(self, text: str) -> None:
        """Execute ``pack(push, 1)``, ``pack(push, name, 1)``, ``pack(1)``, ``pack()`` or ``pack(pop)``."""
        if (found := re.match(r"pack\s*\(([^)]*)\)", text)) is None:
            return
        words = [part.strip() for part in found[1].split(",") if part.strip()]
        number = next((int(part) for part in words if part.isdigit()), None)
        if "pop" in words:
            self._packs = self._packs[:-1] or [None]
        elif "push" in words:
            self._packs.append(self._packs[-1] if number is None else number)
        else:
            self._packs[-1] = number


def _is_replaced(macro: Macro) -> bool:
    if macro.parameters is not None:
        return macro.name not in CONVENTIONS
    return RENAMING.fullmatch(macro.body) is not None


def _joined(expanded: Iterable[Token]) -> Iterator[tuple[str, int, bool]]:
    """The text of tokens that follow each other in the source, or that replace the same macro; their offset; which."""
    for (replaced, start), group in groupby(_numbered(expanded), key=lambda item: item[0]):
        members = [token for _, token in group]
        yield "".join(token.text for token in members), start if replaced else members[0].start, replaced


def _numbered(expanded: Iterable[Token]) -> Iterator[tuple[tuple[bool, int], Token]]:
    """Each token with a key that it shares with its neighbours of the same piece."""
    end = first = -1
    for token in expanded:
        if not token.replaced and token.start != end:
            first = token.start
        end = -1 if token.replaced else token.start + len(token.text)
        yield (token.replaced, token.start if token.replaced else first), token


def _without_comments(node: Node) -> str:
    if node.expr_name in ("comment", "splice"):
        return " " if node.expr_name == "comment" else ""
    if not node.children:
        return str(node.text)
    return "".join(_without_comments(child) for child in node.children)
