# SPDX-License-Identifier: Apache-2.0
"""Computes the values of macros: integer expressions with the widths and signs of C (C11, 6.3.1.8 and 6.4.4.1)."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from parsimonious.nodes import Node

from cside_headers.errors import HeaderError, Place
from cside_headers.peg import Unexpected, match, pick, word

__all__ = ["Macro", "Number", "Unevaluated", "Values", "integer"]

LONG = 64
"""Bits of a long in these computations; struct_layouts.py has other data models."""

RANKS = ("||", "&&", "|", "^", "&", ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
"""Operators by precedence, the lowest first. All of them are left-associative."""

WORDS = re.compile(r"""\bdefined\s*\(?\s*\w+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|(?<![\w.])[A-Za-z_]\w*""")
"""Matches words that may be macros. The operand of ``defined``, strings and characters are matched as a whole, so that
no macro is replaced in them."""

OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "|": int.__or__, "^": int.__xor__, "&": int.__and__, "+": int.__add__, "-": int.__sub__, "*": int.__mul__,
    "<<": int.__lshift__, ">>": int.__rshift__, "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, ">": int.__gt__,
    "<=": int.__le__, ">=": int.__ge__,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Macro:
    """A ``#define``, with the places of its name and of its body.

    `parameters` is None for a macro without parentheses.
    """

    name: str
    body: str
    place: Place
    at: Place
    parameters: tuple[str, ...] | None = None
    setting: bool = False
    """Whether it is inside an ``#ifndef`` of its own name, so that a program may define another value."""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer with its width in bits and whether it is signed."""

    value: int
    bits: int = 32
    signed: bool = True

    def promoted(self) -> Number:
        """The number after C's integer promotion: an operand that is narrower than an int becomes an int."""
        return Number(self.value) if self.bits < 32 else self

    def cast(self, bits: int, signed: bool) -> Number:
        """The number converted as in C: modulo two to the power of the width."""
        value = self.value & ((1 << bits) - 1)
        return Number(value - (1 << bits) if signed and value >> (bits - 1) else value, bits, signed)


def integer(words: list[str]) -> tuple[int, bool] | None:
    """Bits and signedness of a built-in integer type as ``unsigned long`` or ``uint32_t``; None for other types."""
    if len(words) == 1 and (found := re.fullmatch(r"(u?)int(8|16|32|64)_t", words[0])):
        return int(found[2]), not found[1]
    if not words or not set(words) <= {"unsigned", "signed", "long", "short", "int", "char"}:
        return None
    bits = LONG if "long" in words else 16 if "short" in words else 8 if "char" in words else 32
    return bits, "unsigned" not in words


class Unevaluated(HeaderError):
    """A macro has no value, since it is neither a number nor a string."""


def _unquoted(text: str, place: Place) -> str:
    """The value of a string or character literal. Escapes that Python does not have in common with C are errors."""
    if re.search(r"\\[^abfnrtvx0-7\\'\"]|\\x(?![0-9a-fA-F]{2})", text):
        raise Unevaluated(f"an escape that is not known in {text}", place)
    return str(literal_eval(text))


def _ranks(operator: Node, rank: int) -> bool:
    spelled = operator.text.strip()
    return spelled in (RANKS[rank] if isinstance(RANKS[rank], tuple) else (RANKS[rank],))


@cache
def _parsed(text: str) -> Node:
    """Parse one expression. Raise :class:`Unexpected` if the text is not exactly one."""
    return next(pick(match("expressions", "whole", text), "expression"))


@dataclass
class Values:
    """Computes the values of the macros of a set of headers."""

    macros: Mapping[str, Macro]
    types: Mapping[str, tuple[int, bool]]
    """Bits, and whether it is signed, of each integer type; used for casts."""
    condition: bool = False
    """Whether to evaluate as in ``#if``, where a name that is not defined is 0."""

    def of(self, name: str) -> Number | str:
        """The value of a macro. Raise :class:`Unevaluated` if it has none."""
        macro = self.macros[name]
        return self.compute(macro.body, macro.at, (name,))

    def compute(self, text: str, place: Place, within: tuple[str, ...] = ()) -> Number | str:
        """The value of an expression at a place, which is in the body of the macros in `within`."""
        expanded = self._expanded(text, within)
        try:
            return self._value(_parsed(expanded), place)
        except Unexpected as error:
            shown = "" if expanded == text else f", which becomes {expanded!r}"
            where = Place(place.source, place.line, place.column + (error.pos if expanded == text else 0))
            raise Unevaluated(f"expected {error.expected} in the value {text!r}{shown}", where) from error

    def _expanded(self, text: str, within: tuple[str, ...]) -> str:
        """A text with its macros expanded as in C: without added parentheses, and no macro within itself."""

        def replaced(found: re.Match[str]) -> str:
            macro = self.macros.get(found[0])
            if macro is None or macro.parameters is not None or macro.name in within:
                return found[0]
            return self._expanded(macro.body, (*within, macro.name))

        return WORDS.sub(replaced, text)

    def _value(self, node: Node, place: Place) -> Number | str:
        parts = list(pick(node, "operand", "operator"))
        return self._ranked(parts, 0, place)

    def _ranked(self, parts: list[Node], rank: int, place: Place) -> Number | str:
        if len(parts) == 1:
            return self._operand(parts[0].children[0], place)
        while True:
            at = next((i for i in range(len(parts) - 2, 0, -2) if _ranks(parts[i], rank)), None)
            if at is not None:
                break
            rank += 1
        operator = parts[at].text.strip()
        left = self._number(self._ranked(parts[:at], rank, place), place)
        if operator in ("&&", "||") and bool(left.value) is (operator == "||"):
            return Number(int(operator == "||"))
        return self._binary(operator, left, self._number(self._ranked(parts[at + 1 :], rank, place), place), place)

    def _binary(self, operator: str, left: Number, right: Number, place: Place) -> Number:
        if operator in ("&&", "||"):
            return Number(int(bool(right.value)))
        left, right = left.promoted(), right.promoted()
        if operator in ("<<", ">>"):
            bits, signed = left.bits, left.signed  # the type of the right operand does not matter
            if not 0 <= right.value < bits:
                raise Unevaluated(f"a shift of {bits} bits by {right.value}", place)
        else:
            bits = max(left.bits, right.bits)
            signed = all(n.signed or n.bits < bits for n in (left, right))
            left, right = left.cast(bits, signed), right.cast(bits, signed)
        if operator in ("/", "%"):
            if right.value == 0:
                raise Unevaluated("division by zero", place)
            quotient = abs(left.value) // abs(right.value) * (1 if left.value * right.value >= 0 else -1)
            return Number(quotient if operator == "/" else left.value - quotient * right.value, bits, signed)
        result = int(OPERATIONS[operator](left.value, right.value))
        if operator in ("==", "!=", "<", ">", "<=", ">="):
            return Number(result)
        return Number(result, bits, signed).cast(bits, signed)

    def _number(self, value: Number | str, place: Place) -> Number:
        if isinstance(value, str):
            raise Unevaluated("a string where a number belongs", place)
        return value

    def _operand(self, node: Node, place: Place) -> Number | str:
        match node.expr_name:
            case "number":
                return self._literal(node.text.strip(), place)
            case "text":
                return "".join(_unquoted(part.text, place) for part in pick(node, "quoted"))
            case "character":
                return Number(ord(_unquoted(node.text.strip(), place)))
            case "group":
                return self._value(next(pick(node, "expression")), place)
            case "sign":
                value = self._number(self._operand(next(pick(node, "operand")).children[0], place), place)
                if node.text[0] == "!":
                    return Number(int(not value.value))
                value = value.promoted()
                worth = {"-": -value.value, "+": value.value, "~": ~value.value}[node.text[0]]
                return Number(worth, value.bits, value.signed).cast(value.bits, value.signed)
            case "cast":
                value = self._number(self._operand(next(pick(node, "operand")).children[0], place), place)
                return value.cast(*self._type(word(node, "type"), place))
            case "defined":
                return Number(int(word(node, "name") in self.macros))
            case "call":
                return self._call(word(node, "name"), [e.text.strip() for e in pick(node, "expression")], place)
            case _:
                return self._name(node.text.strip(), place)

    def _name(self, name: str, place: Place) -> Number | str:
        if self.condition:
            return Number(0)
        if name in self.macros:
            raise Unevaluated(f"{name} is defined by itself, or needs arguments", place)
        raise Unevaluated(f"{name} is not defined in these headers", place)

    def _call(self, name: str, arguments: Iterable[str], place: Place) -> Number | str:
        macro = self.macros.get(name)
        if macro is None or macro.parameters is None:
            if self.condition:  # __has_attribute(x) and similar
                return Number(0)
            raise Unevaluated(f"{name}() is not a macro of these headers", place)
        given = dict(zip(macro.parameters, (f"({argument})" for argument in arguments), strict=False))
        return self.compute(re.sub(r"\b\w+\b", lambda m: given.get(m[0], m[0]), macro.body), place)

    def _type(self, spelled: str, place: Place) -> tuple[int, bool]:
        words = [part for part in spelled.split() if part != "const"]
        found = self.types.get(words[0]) or integer(words)
        if found is None:
            raise Unevaluated(f"{spelled} is neither a macro nor an integer type of these headers", place)
        return found

    def _literal(self, text: str, place: Place) -> Number:
        digits = text.rstrip("uUlL")
        suffix = text[len(digits) :].lower()
        decimal = not digits.startswith("0")
        if re.fullmatch(r"0[0-7]*[89].*", digits):
            raise Unevaluated(f"{text} begins with 0, which makes it octal, and has a digit that is not", place)
        value = int(digits, 0 if decimal or digits[1:2] in ("x", "X") else 8)
        for bits in (LONG,) if "l" in suffix else (32, 64):
            if "u" not in suffix and value < 1 << (bits - 1):
                return Number(value, bits, True)
            if ("u" in suffix or not decimal) and value < 1 << bits:
                return Number(value, bits, False)
        return Number(value, 64, False)
