# SPDX-License-Identifier: Apache-2.0
"""Loads the three grammars, and describes what a grammar expected where it did not match."""

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
"""Names of grammar rules as messages show them. Rules that are not listed are left out of messages."""

WHOLE = ("declaration", "operand", "field")
"""If one of these rules failed, the message names it and not the parts that it consists of."""


@cache
def grammar(name: str) -> Grammar:
    """The grammar of this name: ``source``, ``declarations`` or ``expressions``."""
    return Grammar(files(__package__).joinpath("grammar", f"{name}.peg").read_text(encoding="utf-8"))


class Unexpected(ParseError):
    """A parse error that records every rule that failed at the furthest position; parsimonious itself records one."""

    furthest = -1
    expr: Any = None

    def __init__(self, text: str) -> None:
        self.rules: set[str] = set()
        super().__init__(text)

    @property
    def pos(self) -> int:
        """The furthest position, as an offset."""
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
        """What was expected at the furthest position, as ``"," or ";"``."""
        for rule in WHOLE:
            if rule in self.rules:
                return SPELLED[rule]
        words = sorted({SPELLED[rule] for rule in self.rules if rule in SPELLED}) or ["something else"]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def match(name: str, rule: str, text: str, start: int = 0) -> Node:
    """Match `rule` at `start`, and return its tree, which need not reach the end.

    Raise :class:`Unexpected` without a match.
    """
    error = Unexpected(text)
    memory: Any = defaultdict(dict)  # results by position, so that nothing is matched twice
    node = grammar(name)[rule].match_core(text, start, memory, error)
    if node is None:
        raise error
    return node


def pick(node: Node, *rules: str) -> Iterator[Node]:
    """The nearest descendants that match one of `rules`, in order. Descendants of these are not searched."""
    for child in node.children:
        if child.expr_name in rules:
            yield child
        else:
            yield from pick(child, *rules)


def word(node: Node, rule: str) -> str:
    """The text of the first `rule` in a node, without surrounding blanks; an empty string if there is none."""
    return next((child.text.strip() for child in pick(node, rule)), "")
