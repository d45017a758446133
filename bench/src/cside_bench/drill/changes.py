# SPDX-License-Identifier: Apache-2.0
"""What the drill asks about each change, from ``changes.toml``."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Change:
    """A documented change of the native library, as far as asking goes; applying it is the builder's business."""

    id: str
    title: str
    says: str
    names: tuple[str, ...]
    """What a message about it mentions."""
    ask: dict[str, str]
    """Expressions, by names of facts, that are right before the change and after it."""
    gained: dict[str, str]
    """Expressions that only the changed interface allows."""

    def named_in(self, message: str) -> bool:
        """Whether a message is about this change."""
        return any(name in message for name in self.names)


def read() -> dict[str, Change]:
    """All changes by id, in their order."""
    told = tomllib.loads(files("cside_bench.drill").joinpath("changes.toml").read_text(encoding="utf-8"))
    return {
        each["id"]: Change(
            each["id"], each["title"], each["says"], tuple(each["names"]), each["ask"], each.get("gained", {})
        )
        for each in told["change"]
    }
