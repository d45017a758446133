# SPDX-License-Identifier: Apache-2.0
"""The three grammars, and how a parse that fails says what it expected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from parsimonious.exceptions import ParseError
from parsimonious.grammar import Grammar
from parsimonious.nodes import Node

__all__ = ["Unexpected", "grammar", "match", "pick", "word"]

SPELLED = {
    "opening": '"("', "closing": '")"', "open_brace": '"{"', "close_brace": '"}"', "open_bracket": '"["',
    "close_bracket": '"]"', "comma": '","', "semicolon": '";"', "name": "a name", "type": "a type", "size": "a size",
    "pointer": '"*"', "operator": "an operator", "operand": "a value", "declaration": "a declaration",
    "arguments": "arguments in brackets", "field": "a field", "comment_end": '"*/"', "end": "the end",
}  # fmt: skip
"""Rules that mean something to a reader, in the words for them. What other rules expected is left out."""

WHOLE = ("declaration", "operand", "field")
"""Rules whose failure makes those of their parts uninteresting."""


@cache
def grammar(name: str) -> Grammar:
    """One of ``source``, ``declarations`` and ``expressions``."""
    return Grammar(files(__package__).joinpath("grammar", f"{name}.peg").read_text(encoding="utf-8"))


class Unexpected(ParseError):
    """A parse error that keeps every rule that failed at the furthest place, where the library keeps one."""

    furthest = -1
    expr: Any = None

    def __init__(self, text: str) -> None:
        self.rules: set[str] = set()
        super().__init__(text)

    @property
    def pos(self) -> int:
        """Offset of the furthest place."""
        return self.furthest

    @pos.setter
    def pos(self, value: int) -> None:
        if value > self.furthest:
            self.rules.clear()
        self.furthest = value
        if self.expr is not None:
            self.rules.add(self.expr.name)

    @property
    def expected(self) -> str:
        """``"," or ";"``."""
        for rule in WHOLE:
            if rule in self.rules:
                return SPELLED[rule]
        words = sorted({SPELLED[rule] for rule in self.rules if rule in SPELLED}) or ["something else"]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def match(name: str, rule: str, text: str, start: int = 0) -> Node:
    """The tree of `rule` from `start` on, as far as it goes. Raise :class:`Unexpected` where it does not match."""
    error = Unexpected(text)
    memory: Any = defaultdict(dict)  # what was matched where, so that nothing is matched twice
    node = grammar(name)[rule].match_core(text, start, memory, error)
    if node is None:
        raise error
    return node


def pick(node: Node, *rules: str) -> Iterator[Node]:
    """Nearest descendants that are one of `rules`, in order; it does not look into those it finds."""
    for child in node.children:
        if child.expr_name in rules:
            yield child
        else:
            yield from pick(child, *rules)


def word(node: Node, rule: str) -> str:
    """Text of the first `rule` in a node, without blanks around it; empty without one."""
    return next((child.text.strip() for child in pick(node, rule)), "")
