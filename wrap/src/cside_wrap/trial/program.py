# SPDX-License-Identifier: Apache-2.0
"""Records how a trial came to call a function: the calls that made its values, and the values themselves.

The record is a program without this package: other processes repeat it on packages of the library, whose objects they
make themselves. Values are written as :mod:`cside_suite.subjects.library` reads them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from cside_wrap.project.overrides import Recipe
from cside_wrap.roles.form import Library, Parameter, Plan
from cside_wrap.roles.vocabulary import Role
from cside_wrap.trial.call import Caller, Failed, Handle, NoValue
from cside_wrap.trial.run import Outcome, Tell, process
from cside_wrap.trial.values import Values

__all__ = ["REPEATS", "Program", "record"]

REPEATS = 20
"""How often a recorded call is repeated, with the same values, to see whether it can be."""
SMALLEST_ADDRESS = 1 << 16
"""Integers from here on that an earlier call returned are taken for what it returned, and not for numbers."""


@dataclass
class Program:
    """The calls that prepare a function's values, and its values; `failed` says why there is none."""

    function: str
    size: int
    steps: list[dict[str, Any]] = field(default_factory=list)
    arguments: list[Any] = field(default_factory=list)
    varies: bool = False
    """Whether its results differ from call to call."""
    failed: str = ""


class _Recording(Caller):
    """A caller that writes down what it calls."""

    def record(self, classes: Mapping[str, str]) -> None:
        """Begin."""
        self.classes = classes
        self.steps: list[dict[str, Any]] = []
        self.results: list[list[object]] = []

    def call(self, plan: Plan, values: Sequence[object]) -> list[object]:
        """Call, and write it down."""
        written = self.written(plan, values)
        found = super().call(plan, values)
        self.steps.append({"function": plan.symbol, "arguments": written})
        self.results.append(found)
        return found

    def written(self, plan: Plan, values: Sequence[object]) -> list[Any]:
        """The values of a call for JSON."""
        return [self._value(one, value) for one, value in zip(plan.parameters, values, strict=True)]

    def _value(self, parameter: Parameter, value: object) -> Any:
        if value is None and not parameter.nullable:
            raise NoValue(f"{parameter.name} is None in its recipe, and no rule says that it may be: nullable = true")
        if value is None or isinstance(value, float | bool):
            return value
        for number, results in enumerate(self.results):
            for place, one in enumerate(results):
                known = isinstance(one, int) and isinstance(value, int) and one == value >= SMALLEST_ADDRESS
                if one is value or known:
                    return {"step": number, "result": None if len(results) == 1 else place}
        if isinstance(value, Handle):
            return {"make": self._class(value.type), "values": {}}
        if parameter.role == Role.STRUCT:
            kind = parameter.type.pointee if parameter.type.kind == "pointer" else parameter.type
            fields = {one.name: one for one in self.form.header.structs[kind.name].fields}
            content = value if isinstance(value, bytes) else b""
            buffers = {
                name: _bytes(content, writable=not fields[name].type.pointee.const) for name, _ in parameter.buffers
            }
            return {"make": self._class(kind.name), "values": buffers}
        if parameter.role == Role.CALLBACK:
            return {"callback": None}
        if isinstance(value, bytes):
            if parameter.role == Role.TEXT_IN:
                return {"text": value.decode(parameter.encoding or "utf-8")}
            return _bytes(value, writable=parameter.role == Role.BYTES_INOUT)
        if isinstance(value, int):
            return value
        raise NoValue(f"{parameter.name} is {value!r}, which cannot be written down")

    def _class(self, name: str) -> str:
        if name not in self.classes:
            raise NoValue(f"{name} has no class in Python")
        return self.classes[name]


def _bytes(content: bytes, *, writable: bool) -> dict[str, str]:
    return {"buffer" if writable else "bytes": base64.b64encode(content).decode()}


def record(
    form: Library,
    plan: Plan,
    libraries: Sequence[Path],
    recipes: Sequence[Recipe],
    size: int,
    classes: Mapping[str, str],
) -> Program:
    """Call a function in a process of its own, more than once with the same values, and return how.

    `size` is that of its free inputs in bytes; `classes` has the name in Python of each type of objects and each
    struct. Raises `WrapError` for a wrong recipe.
    """
    outcome, said = process(partial(_work, form, plan, libraries, recipes, size, classes))
    if outcome != Outcome.RAN:
        return Program(plan.symbol, size, failed=said or str(outcome))
    return Program(plan.symbol, size, **json.loads(said))


def _work(
    form: Library,
    plan: Plan,
    libraries: Sequence[Path],
    recipes: Sequence[Recipe],
    size: int,
    classes: Mapping[str, str],
    tell: Tell,
) -> None:
    """In the process: make values, call, call again."""
    caller = _Recording(form, libraries)
    caller.record(classes)
    values = Values(form, caller, recipes, size)
    tell("preparing", "")
    try:
        given = values.of_plan(plan)
        arguments = caller.written(plan, given)
        steps = list(caller.steps)
        tell("calling", "")
        results = [_plain(caller.call(plan, given)) for _ in range(REPEATS)]
    except (NoValue, Failed) as error:
        tell("done", json.dumps([Outcome.FAILED, str(error)]))
        return
    varies = any(one != results[0] for one in results)
    told = json.dumps({"steps": steps, "arguments": arguments, "varies": varies})
    tell("done", json.dumps([Outcome.RAN, told]))


def _plain(results: list[object]) -> list[object]:
    return [one.type if isinstance(one, Handle) else one for one in results]
