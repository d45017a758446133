# SPDX-License-Identifier: Apache-2.0
"""What a process of :mod:`cside_suite.process.threads.measure` is asked, and how its time is divided among cells."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

THREADS: Final = (1, 2, 4, 8)
SHORTEST_NS: Final = 40_000_000
LONGEST_NS: Final = 100_000_000
"""Of an ordinary cell."""
STEP_NS: Final = 1_000_000
NATIVE_SHARE: Final = 0.6
"""Of a cell's time that the native ceiling gets: no GIL has to change hands in it."""
TURNS: Final = 3
"""Times that each thread could have the GIL for a whole switch interval in a cell, where a call holds it: with fewer,
who had one turn more would decide which thread looks slow."""
BUDGET_MS: Final = 25_000.0


@dataclass(frozen=True, slots=True)
class Request:
    """One process's work."""

    interpreter: str
    out: str
    """Path of the file to write."""
    seed: int = 0
    rounds: int = 3
    """At most; fewer where the budget does not hold them."""
    budget_ms: float = BUDGET_MS
    """For all timed cells; the shortest cells in a single round may take more."""
    bindings: list[str] = field(default_factory=list)
    """Full names; empty for all bindings without their variants."""
    only: list[str] = field(default_factory=list)
    """Parts of calls' names; empty for all."""
    threads: list[int] = field(default_factory=lambda: list(THREADS))
    exclude: list[tuple[str, str]] = field(default_factory=list)
    """(call, subject) pairs that took an earlier process down."""
    library_sha256: str = ""
    """Of the library that was built; a binding that loads another is void. Empty: not checked."""
    apart: bool = False
    """Whether these bindings are known to switch the GIL on."""

    def save(self, path: Path) -> None:
        """Write to a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a request. `TypeError` for a key that there is not."""
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        raw["exclude"] = [tuple(pair) for pair in raw.get("exclude", [])]
        found = cls(**raw)
        if 1 not in found.threads or found.rounds < 1:
            raise ValueError("speed-ups refer to one thread, in at least one round")
        return found


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides how long a cell lasts."""

    threads: int
    gil: str
    """``held``, ``released``, ``off`` or ``none``."""
    native: bool

    def lasting(self, cell_ns: int, switch_s: float) -> int:
        """ns of this cell where an ordinary one has ``cell_ns``: more where many threads take turns with the GIL."""
        if self.native:
            return int(cell_ns * NATIVE_SHARE)
        return max(cell_ns, int(TURNS * self.threads * switch_s * 1e9)) if self.gil == "held" else cell_ns


def divide(shapes: Iterable[Shape], request: Request, switch_s: float) -> tuple[int, int]:
    """(rounds, ns of an ordinary cell): the longest cells with which all rounds fit into the budget, else fewer rounds
    of the shortest, one at least. ``switch_s`` is the interpreter's switch interval.
    """
    members = list(shapes)

    def fits(rounds: int, cell_ns: int) -> bool:
        return rounds * sum(it.lasting(cell_ns, switch_s) for it in members) <= request.budget_ms * 1e6

    for rounds in range(request.rounds, 0, -1):
        if fits(rounds, SHORTEST_NS):
            return rounds, max(ns for ns in range(SHORTEST_NS, LONGEST_NS + 1, STEP_NS) if fits(rounds, ns))
    return 1, SHORTEST_NS
