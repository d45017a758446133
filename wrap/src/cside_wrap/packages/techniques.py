# SPDX-License-Identifier: Apache-2.0
"""The techniques: each is a folder of templates with a technique.toml. A sixth is one more folder."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from cside_wrap.errors import WrapError
from cside_wrap.packages.description import Binding, Call

__all__ = ["TEMPLATES", "Technique", "chosen", "features", "techniques"]

TEMPLATES = Path(__file__).with_name("templates")
DESCRIPTION = "technique.toml"


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
        )
    return found


def chosen(names: Collection[str]) -> list[Technique]:
    """The techniques of these names; all for none. Raises `WrapError` for a name that is none."""
    known = techniques()
    if wrong := [name for name in names if name not in known]:
        raise WrapError(f"there is no technique {', '.join(wrong)}", f"There are: {', '.join(known)}.")
    return [known[name] for name in known if not names or name in names]
