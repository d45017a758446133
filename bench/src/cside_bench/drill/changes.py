# SPDX-License-Identifier: Apache-2.0
"""Reads from ``changes.toml`` what the drill asks about each change."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files


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


def read() -> dict[str, Change]:
    """Return all changes by id, in their order."""
    told = tomllib.loads(files("cside_bench.drill").joinpath("changes.toml").read_text(encoding="utf-8"))
    return {
        each["id"]: Change(
            each["id"], each["title"], each["says"], tuple(each["names"]), each["ask"], each.get("gained", {})
        )
        for each in told["change"]
    }
