# SPDX-License-Identifier: Apache-2.0
"""Reads from ``changes.toml`` what the drill asks about each change."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from cside_bench.results.drill import DrillError


@dataclass(frozen=True, slots=True)
class Change:
    """A documented change of the native library, as far as the questions about it go; `provision` applies it."""

    id: str
    title: str
    says: str
    names: tuple[str, ...]
    """Names that a message about the change mentions."""
    ask: dict[str, str]
    """Expressions by the names of facts, which are right before and after the change."""
    gained: dict[str, str]
    """Expressions that only the changed interface allows."""

    def named_in(self, message: str) -> bool:
        """Return whether a message is about this change."""
        return any(name in message for name in self.names)


def read(file: Path | None = None) -> dict[str, Change]:
    """Return the changes of a file, or without one those that cside makes, by id, in their order.

    Raises `DrillError` if the file cannot be read, or if an entry lacks what the drill asks by.
    """
    source = files("cside_bench.drill").joinpath("changes.toml") if file is None else file
    try:
        told = tomllib.loads(source.read_text(encoding="utf-8"))
        return _changes(told)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DrillError(f"the changes cannot be read: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise DrillError(f"{source}: an entry [[change]] lacks {error}; docs/drill.md says what it has") from error


def _changes(told: dict[str, Any]) -> dict[str, Change]:
    return {
        each["id"]: Change(
            each["id"], each["title"], each["says"], tuple(each["names"]), each["ask"], each.get("gained", {})
        )
        for each in told["change"]
    }
