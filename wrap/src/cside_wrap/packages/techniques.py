# SPDX-License-Identifier: Apache-2.0
"""The techniques: each is a folder of templates with a technique.toml. One more is one more folder."""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler
from cside_wrap.packages.description import Binding, Call

__all__ = ["TEMPLATES", "Needs", "Technique", "buildable", "chosen", "features", "techniques"]

TEMPLATES = Path(__file__).with_name("templates")
DESCRIPTION = "technique.toml"


@dataclass(frozen=True)
class Needs:
    """A program of the system that building needs beside a C compiler."""

    what: str
    """As ``a C++ compiler``."""
    variable: str
    """The environment variable that names it, as ``CXX``."""
    programs: tuple[str, ...]
    """Those of which the first one that there is is used without the variable."""
    arguments: tuple[str, ...]
    """With these and `input` it ends with exit code 0 where it can be used."""
    input: str
    install: str
    """The commands that install it."""

    def missing(self) -> str:
        """What is missing, and what to type; empty where nothing is. It is found out once."""
        return _missing(self)


@dataclass(frozen=True)
class Technique:
    """A technique of binding."""

    name: str
    title: str
    functions: str
    """The module of the package that has the functions and classes."""
    lacks: dict[str, str]
    """The reason for each of `features` that it cannot do."""
    softly: frozenset[str]
    """Those of `lacks` without which the function is bound nevertheless."""
    suffix: str
    """What the names of classes end in inside the compiled module, where they would clash with functions without it."""
    links: bool
    """Whether its packages have a compiled module that is linked to the library."""
    requires: tuple[str, ...]
    """What building needs, for packages whose pyproject.toml is the shared one."""
    shared: tuple[str, ...]
    """Files of the folder ``shared`` that its packages have, beside those that all have."""
    single: str = ""
    """Why a process cannot load one of its packages twice, from copies of its files; empty where it can."""
    needs: Needs | None = None
    """What building needs beside a C compiler."""

    def gaps(self, binding: Binding) -> dict[str, list[str]]:
        """The functions that the technique leaves out or does in another way, by the reason."""
        found: dict[str, list[str]] = {}
        for call in binding.calls:
            for feature in sorted(features(call) & set(self.lacks)):
                found.setdefault(self.lacks[feature], []).append(call.symbol)
        return found

    def binds(self, call: Call) -> bool:
        """Whether it can bind the function."""
        return not features(call) & (set(self.lacks) - self.softly)


def features(call: Call) -> set[str]:
    """What a function needs that not every technique may do."""
    found = {"gil-held"} if call.held else set()
    if any(one.source == "callback" for one in call.passed):
        found.add("callback")
    return found


def techniques() -> dict[str, Technique]:
    """All techniques, by name."""
    found = {}
    for path in sorted(TEMPLATES.glob(f"*/{DESCRIPTION}")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        found[path.parent.name] = Technique(
            path.parent.name,
            table["title"],
            table["functions"],
            dict(table.get("lacks", {})),
            frozenset(table.get("bound-nevertheless", [])),
            table.get("suffix-of-objects", ""),
            table.get("links", True),
            tuple(table.get("requires", ["setuptools>=77"])),
            tuple(table.get("shared", [])),
            table.get("single", ""),
            _needs(table["needs"]) if "needs" in table else None,
        )
    return found


def chosen(names: Collection[str]) -> list[Technique]:
    """The techniques of these names; all for none. Raises `WrapError` for a name that is none."""
    known = techniques()
    if wrong := [name for name in names if name not in known]:
        raise WrapError(f"there is no technique {', '.join(wrong)}", f"There are: {', '.join(known)}.")
    return [known[name] for name in known if not names or name in names]


def buildable(names: Collection[str]) -> tuple[list[Technique], list[str]]:
    """Those of `chosen` that this machine can build, and a line for all that need the same program, which is missing.

    Raises `WrapError` where one of them is asked for by name, and with ``CI=true``.
    """
    these = chosen(names)
    lacking: dict[str, list[str]] = {}
    for one in these:
        if one.needs is not None and (missing := one.needs.missing()):
            lacking.setdefault(missing, []).append(one.name)
    lines = [f"left out: {', '.join(without)}: {missing}" for missing, without in lacking.items()]
    if lines and (names or os.environ.get("CI") == "true"):
        raise WrapError("\n".join(line.removeprefix("left out: ") for line in lines))
    left_out = {name for without in lacking.values() for name in without}
    return [one for one in these if one.name not in left_out], lines


def _needs(table: dict[str, Any]) -> Needs:
    lists = {name: tuple(table[name]) for name in ("programs", "arguments")}
    return Needs(**{**table, **lists})


@functools.cache
def _missing(its: Needs) -> str:
    if sys.platform == "win32":  # build backends find Visual C++ by themselves, outside the PATH
        return ""
    words = shlex.split(os.environ.get(its.variable, "")) or [one for one in its.programs if shutil.which(one)][:1]
    try:
        found = bool(words) and compiler.run([*words, *its.arguments], its.input).returncode == 0
    except WrapError:
        found = False
    return "" if found else f"missing: {its.what}. Install it: {its.install}"
