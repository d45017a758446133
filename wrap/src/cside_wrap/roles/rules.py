# SPDX-License-Identifier: Apache-2.0
"""The user's rules: which arguments one is about, and what it says of them. The later rule wins."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.header.model import Header
from cside_wrap.roles import expressions
from cside_wrap.roles.vocabulary import ATTRIBUTES, RETURN, Argument, Confidence, Described, Role

__all__ = ["Rule", "apply", "read_rule"]

SELECT = {"functions", "argument", "type"}
OTHER = {"role", "why", "refuse"}
EXPRESSIONS = ("size", "room", "filled", "value", "ok")
FOR_RESULTS = {
    Role.NOTHING,
    Role.VALUE,
    Role.STRUCT,
    Role.HANDLE,
    Role.TEXT,
    Role.BYTES,
    Role.STATUS,
    Role.ADDRESS,
    Role.HIDDEN,
}
FOR_ARGUMENTS = set(Role) - {Role.NOTHING, Role.TEXT, Role.BYTES, Role.STATUS}
NEEDS = {Role.BYTES_IN: "size", Role.BYTES_OUT: "room", Role.BYTES_INOUT: "size", Role.BYTES: "size", Role.STATUS: "ok"}
"""Attributes without which a role cannot be bound."""


@dataclass
class Rule:
    """One line of overrides.toml. `number` counts from 1."""

    number: int
    functions: tuple[str, ...]
    argument: str
    type: str
    role: Role | None
    attributes: dict[str, Any]
    why: str
    refuse: str = ""
    matched: int = field(default=0, compare=False)
    """How many arguments, or refused functions, it was applied to."""

    def meets(self, function: str, argument: Argument) -> bool:
        """Whether the rule is about this argument of this function."""
        return (
            any(fnmatchcase(function, one) for one in self.functions)
            and (fnmatchcase(argument.name, self.argument) or argument.name == f"{self.argument}_")
            and (not self.type or self.type in (argument.type.written, argument.type.spelling))
        )

    def __str__(self) -> str:
        return f"rule {self.number} (functions {', '.join(self.functions)}; argument {self.argument})"


def read_rule(number: int, table: Mapping[str, Any]) -> Rule:
    """A rule from its TOML table. Raises `WrapError` for words that it does not know."""
    said = f"rule {number} of overrides.toml"
    if unknown := set(table) - SELECT - OTHER - set(ATTRIBUTES):
        known = ", ".join(sorted(SELECT | OTHER | set(ATTRIBUTES)))
        raise WrapError(f"{said} has {', '.join(sorted(unknown))}, which no rule has", f"There are: {known}.")
    functions = table.get("functions", "*")
    patterns = tuple(functions) if isinstance(functions, list) else (functions,)
    if not patterns or not all(isinstance(one, str) and one for one in patterns):
        raise WrapError(f"{said}: functions has to be a name, a pattern such as ZSTD_*, or a list of these")
    for name in ("argument", "type", "why", "refuse"):
        if not isinstance(table.get(name, ""), str):
            raise WrapError(f"{said}: {name} has to be text")
    attributes: dict[str, Any] = {}
    for name, kind in ATTRIBUTES.items():
        if name in table:
            value = table[name]
            if kind is str and isinstance(value, int) and not isinstance(value, bool):
                value = str(value)
            if not isinstance(value, kind):
                raise WrapError(f"{said}: {name} has to be {'true or false' if kind is bool else kind.__name__}")
            attributes[name] = dict(value) if isinstance(value, dict) else value
    role = None
    if "role" in table:
        try:
            role = Role(table["role"])
        except ValueError:
            raise WrapError(
                f"{said}: there is no role {table['role']!r}", f"There are: {', '.join(sorted(Role))}."
            ) from None
    if "argument" not in table and not table.get("refuse") and not table.get("type"):
        raise WrapError(f"{said} says neither argument nor type nor refuse", 'For results write argument = "return".')
    for name in EXPRESSIONS:
        text = str(attributes.get(name, "")).replace(expressions.PREFIX, "P")
        if text and not text.startswith("user_data("):
            expressions.parse(text)
    return Rule(
        number,
        patterns,
        table.get("argument", "*"),
        table.get("type", ""),
        role,
        attributes,
        table.get("why", ""),
        table.get("refuse", ""),
    )


def apply(drafts: Iterable[Described], rules: Sequence[Rule], header: Header) -> list[str]:
    """Apply rules to drafts, in place. Returns what the user should know: rules that met nothing."""
    numbers = {name for name, one in header.constants.items() if isinstance(one.value, int)}
    counting = {name for name, one in header.functions.items() if one.returns.kind in ("int", "enum", "bool")}
    for one in drafts:
        if one.refused:
            for rule in rules:  # a rule that meets only refused functions is no mistake
                rule.matched += any(rule.meets(one.function.name, each) for each in (*one.arguments, one.result))
            continue
        own = {each.name for each in one.arguments}
        known = numbers | counting | own
        for place, argument in enumerate((*one.arguments, one.result)):
            for rule in rules:
                if not rule.meets(one.function.name, argument):
                    continue
                if rule.refuse:
                    one.refused = rule.refuse
                    rule.matched += 1
                    continue
                if argument.name == RETURN and rule.argument != RETURN and not rule.type:
                    continue
                if (changed := _changed(rule, one, argument, known)) is None:
                    continue
                rule.matched += 1
                argument = changed
            if place < len(one.arguments):
                one.arguments[place] = argument
            else:
                one.result = argument
        if not one.refused:
            settle(one, known)
    return [f"{rule} met nothing: is a name misspelt, or a constant missing?" for rule in rules if not rule.matched]


def _changed(rule: Rule, described: Described, argument: Argument, known: set[str]) -> Argument | None:
    """The argument as the rule says it is; None where the rule's expressions name what this function does not have."""
    attributes = dict(rule.attributes)
    for name in EXPRESSIONS:
        text = attributes.get(name)
        if isinstance(text, str) and text and not text.startswith("user_data("):
            expanded = expressions.expand(text, described.function.name, known.__contains__)
            if expanded is None:
                return None
            attributes[name] = expanded
    role = rule.role or argument.role
    allowed = FOR_RESULTS if argument.name == RETURN else FOR_ARGUMENTS
    if role not in allowed:
        what = "a result" if argument.name == RETURN else "an argument"
        raise WrapError(f"{rule} gives {what} of {described.function.name} the role {role}, which it cannot have")
    if argument.type.arithmetic and role not in (Role.VALUE, Role.HIDDEN, Role.STATUS):
        if "*" in rule.argument or any("*" in one for one in rule.functions):
            return None  # a wide rule about pointers of this name
        raise WrapError(f"{rule} gives {described.function.name}.{argument.name}, a number, the role {role}")
    if argument.type.kind == "pointer" and role == Role.VALUE:
        raise WrapError(f"{rule} gives {described.function.name}.{argument.name}, a pointer, the role value")
    kept = argument.attributes if role == argument.role else {}
    merged = {**kept, **attributes}
    if (needed := NEEDS.get(role)) and not merged.get(needed):
        raise WrapError(
            f"{rule}: {described.function.name}.{argument.name} has the role {role} and no {needed}",
            f'Add {needed} = "…": an argument, a constant, or an expression.',
        )
    return dataclasses.replace(
        argument, role=role, confidence=Confidence.CONFIRMED, reason=rule.why or str(rule), attributes=merged, topic=""
    )


def settle(described: Described, known: set[str]) -> None:
    """Hide the arguments that follow from others: lengths of inputs, and what returns the filled part of an output.

    Undoes drafts that hid an argument for a neighbour which a rule has since given another role.
    """
    by_name = {one.name: one for one in described.arguments}
    inputs = (Role.BYTES_IN, Role.BYTES_INOUT)
    for one in described.arguments:
        value = one.get("value")
        if one.role == Role.HIDDEN and one.confidence != Confidence.CONFIRMED:
            other = by_name.get(value.partition("(")[2].removesuffix(")"))
            wrong = other is not None and (
                (value.startswith("len(") and (other.role not in inputs or other.get("size") != one.name))
                or (value.startswith("user_data(") and other.role != Role.CALLBACK)
            )
            if wrong:
                role = Role.VALUE if one.type.arithmetic else Role.ADDRESS
                one.role, one.attributes = role, {}
                one.confidence = Confidence.CERTAIN if one.type.arithmetic else Confidence.GUESS
                one.reason, one.topic = "its neighbour is something else", "pointer whose neighbour has another role"
    for one in described.arguments:
        size = one.get("size")
        if one.role in inputs and size in by_name and by_name[size].role == Role.VALUE:
            length = by_name[size]
            if length.type.arithmetic and length.confidence != Confidence.CONFIRMED:
                length.role, length.attributes = Role.HIDDEN, {"value": f"len({one.name})"}
                length.confidence, length.reason = Confidence.LIKELY, f"the length of {one.name}"
        filled = one.get("filled")
        if one.role == Role.BYTES_OUT and not one.open and filled in by_name:
            cell = by_name[filled]
            if cell.type.kind == "pointer" and cell.confidence != Confidence.CONFIRMED:
                cell.role, cell.attributes = Role.HIDDEN, {"value": one.get("room")}
                cell.confidence, cell.topic = Confidence.CONFIRMED, ""
                cell.reason = f"takes the room of {one.name} and returns what is filled"
        if one.role == Role.CALLBACK and (data := by_name.get(one.get("user-data"))) is not None:
            data.role, data.attributes = Role.HIDDEN, {"value": f"user_data({one.name})"}
            data.confidence, data.topic = Confidence.LIKELY, ""
            data.reason = f"user data of {one.name}"
