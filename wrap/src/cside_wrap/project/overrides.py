# SPDX-License-Identifier: Apache-2.0
"""overrides.toml: the user's rules, and the recipes by which trials get values."""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from cside_wrap.errors import WrapError
from cside_wrap.roles.rules import Rule, read_rule

__all__ = ["EMPTY", "NAME", "Overrides", "Recipe", "add", "read"]

NAME = "overrides.toml"

EMPTY = """\
# What you decided. One line is one rule; of several about the same argument, the later wins.
#   functions  a name, a pattern such as ZSTD_*, or a list of these
#   argument   its name in the header, arg0, arg1, … where it has none, "return" for the result
#   role       value, bytes-in, text-in, bytes-out, bytes-inout, value-out, value-inout, struct, handle, handle-out,
#              callback, hidden, address; of results also text, bytes, status
# `cside review` asks for what is needed and writes the rules.
rules = [
]

# How `cside try` gets values: for the handles of a type, or for one argument.
recipes = [
]
"""


@dataclass(frozen=True)
class Recipe:
    """How a trial gets a value: of a handle's type, or of one argument of functions.

    `make` is an expression: a call of a bound function as Python sees it, with literals, and ``handle("type")`` for
    other objects; ``[0]`` takes the first of several results. Further ones are evaluated for what they do; ``it`` is
    the value of the first.
    """

    make: tuple[str, ...]
    type: str = ""
    functions: str = ""
    argument: str = ""


@dataclass
class Overrides:
    """The rules and recipes of a file."""

    rules: list[Rule] = field(default_factory=list)
    recipes: list[Recipe] = field(default_factory=list)
    lines: int = 0
    """Lines that are neither empty nor comments."""


def read(path: Path) -> Overrides:
    """Read overrides.toml; one that does not exist is empty. Raises `WrapError` where it is wrong."""
    if not path.exists():
        return Overrides()
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrapError(f"{path} is no TOML: {error}", "Correct the line; nothing was changed.") from error
    if unknown := set(table) - {"rules", "recipes"}:
        raise WrapError(f"{path} has {', '.join(sorted(unknown))}; it may have rules and recipes")
    rules = [read_rule(number, one) for number, one in enumerate(_tables(path, table, "rules"), 1)]
    recipes = [_recipe(number, one) for number, one in enumerate(_tables(path, table, "recipes"), 1)]
    lines = [line.strip() for line in text.splitlines()]
    return Overrides(rules, recipes, sum(1 for line in lines if line and not line.startswith("#")))


def _tables(path: Path, table: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = table.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise WrapError(f"{path}: {name} has to be a list of tables, each on a line: {{ … }},")
    return found


def _recipe(number: int, table: Mapping[str, Any]) -> Recipe:
    said = f"recipe {number} of overrides.toml"
    if unknown := set(table) - {"make", "type", "functions", "argument", "why"}:
        raise WrapError(f"{said} has {', '.join(sorted(unknown))}, which no recipe has")
    make = table.get("make", [])
    steps = tuple(make) if isinstance(make, list) else (make,)
    if not all(isinstance(one, str) for one in (*steps, *(one for name, one in table.items() if name != "make"))):
        raise WrapError(f"{said}: make has to be text or a list of texts, and the rest text")
    if not steps or bool(table.get("type")) == bool(table.get("argument")):
        raise WrapError(f"{said} needs make, and either type or argument")
    return Recipe(steps, table.get("type", ""), table.get("functions", "*"), table.get("argument", ""))


def add(path: Path, rules: Sequence[Mapping[str, Any]]) -> None:
    """Append rules, each on a line of its own. The rest of the file stays as it is. Raises `WrapError` for wrong ones.

    The file is replaced in one step, after what will be in it was read again.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else EMPTY
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise WrapError(f"{path} is no TOML: {error}", "Correct the line; nothing was changed.") from error
    if "rules" not in document:
        document["rules"] = tomlkit.array()
    array = document["rules"]
    if not isinstance(array, tomlkit.items.Array):
        raise WrapError(f"{path} has its rules as [[rules]]", "Write them as rules = [ { … }, ], one a line.")
    for number, rule in enumerate(rules, len(array) + 1):
        read_rule(number, rule)
        line = tomlkit.inline_table()
        for name, value in rule.items():
            line.append(name, value)
        array.add_line(line, indent="  ")
    array.add_line(indent="")
    written = re.sub(r"\n[ \t]*\n\]", "\n]", tomlkit.dumps(document))  # tomlkit leaves an empty line at the end
    tomllib.loads(written)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".overrides-")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(written)
    os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
    os.replace(name, path)
