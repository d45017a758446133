# SPDX-License-Identifier: Apache-2.0
"""Reads the catalogue of mistakes, which is in the folder ``hazards`` of the checkout."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cside_bench.results.hazards import HazardError

FILE: Final = "hazards.toml"
MEASURES: Final = ("value", "memory", "at_exit")


@dataclass(frozen=True, slots=True)
class Approach:
    """A way to bind the small library; ``hazards.toml`` explains the fields."""

    name: str
    title: str
    cases: str
    module: str = ""
    file: str = ""
    generate: Sequence[str] = ()
    options: Sequence[str] = ()
    sources: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Hazard:
    """One mistake; ``hazards.toml`` explains the fields."""

    id: str
    title: str
    wrong: str
    instead: str
    right: Any = None
    raises: Sequence[str] = ()
    misleading: Sequence[str] = ()
    measure: str = "value"
    impossible: Mapping[str, str] = field(default_factory=dict)
    impossible_pypy: Mapping[str, str] = field(default_factory=dict)

    def reason(self, approach: str, label: str) -> str:
        """Why this approach does not let one write it on this interpreter; empty where it does."""
        own = self.impossible_pypy.get(approach, "") if label.startswith("pypy") else ""
        return self.impossible.get(approach, "") or own


def read(sources: Path, only: Sequence[str] = ()) -> list[Hazard]:
    """Read the catalogue, or the named part of it. Raises `HazardError` for a name or a field that it does not know."""
    known = {each.name for each in approaches(sources)}
    try:
        found = [Hazard(**each) for each in _told(sources)["hazard"]]
    except (KeyError, TypeError) as error:
        raise HazardError(f"{sources / FILE} cannot be read: {error}") from error
    for each in found:
        if each.measure not in MEASURES or {*each.impossible, *each.impossible_pypy} - known:
            raise HazardError(f"{each.id}: measure or approach is not known")
    if unknown := sorted(set(only) - {each.id for each in found}):
        raise HazardError(f"no hazard {', '.join(unknown)}; there are: {', '.join(each.id for each in found)}")
    return [each for each in found if not only or each.id in only]


def approaches(sources: Path, only: Sequence[str] = ()) -> list[Approach]:
    """Read the approaches, or the named ones. Raises `HazardError` for a name or a field that it does not know."""
    try:
        found = [Approach(**each) for each in _told(sources)["approach"]]
    except (KeyError, TypeError) as error:
        raise HazardError(f"{sources / FILE} cannot be read: {error}") from error
    if unknown := sorted(set(only) - {each.name for each in found}):
        raise HazardError(f"no approach {', '.join(unknown)}; there are: {', '.join(each.name for each in found)}")
    return [each for each in found if not only or each.name in only]


def _told(sources: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((sources / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise HazardError(f"{sources / FILE} cannot be read: {error}") from error


def digest(sources: Path) -> str:
    """Return the SHA-256 over the catalogue and the sources of all cases, by which one sees that they have changed."""
    total = hashlib.sha256()
    for file in sorted(sources.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            name = file.relative_to(sources).as_posix()
            total.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()
