# SPDX-License-Identifier: Apache-2.0
"""The request to a process of :mod:`cside_suite.process.threads.measure`, and how its time is divided among cells."""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

THREADS: Final = (1, 2, 4, 8)
"""The numbers of threads that are measured, where there are CPUs for half of them."""

SHORTEST_NS: Final = 25_000_000
"""The shortest duration of an ordinary cell."""

LONGEST_NS: Final = 100_000_000
"""The longest duration of an ordinary cell."""

STEP_NS: Final = 1_000_000
"""The step in which durations between these two are tried."""

NATIVE_SHARE: Final = 0.6
"""The duration of a cell of the native ceiling, as a share of an ordinary one: its threads pass no GIL around."""

TURNS: Final = 3
"""Switch intervals per thread in a cell whose call holds the GIL.

With fewer of them, one turn more or less with the GIL would decide which thread looks slow.
"""

BUDGET_MS: Final = 25_000.0
"""The default time of all cells of a process."""


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def counts(cpus: int) -> list[int]:
    """Return the numbers of threads to measure on a machine with so many CPUs: 1, 2, and no more than two for a CPU.

    More threads than that wait for each other, and a cell has to last as long as all of their turns.
    """
    return [count for count in THREADS if count <= 2 * max(cpus, 1)]


@dataclass(frozen=True, slots=True)
class Request:
    """The work of one process."""

    interpreter: str
    out: str
    """The path of the file to write."""
    seed: int = 0
    rounds: int = 3
    """The largest number of rounds; there are fewer if they do not fit into the budget."""
    budget_ms: float = BUDGET_MS
    """The time of all timed cells; a single round of the shortest cells may take more."""
    bindings: list[str] = field(default_factory=list)
    """Full names of bindings and variants; empty for all bindings without their variants."""
    only: list[str] = field(default_factory=list)
    """Parts of the names of calls; empty for all."""
    threads: list[int] = field(default_factory=lambda: counts(usable_cpus()))
    """The numbers of threads."""
    exclude: list[tuple[str, str]] = field(default_factory=list)
    """(call, subject) pairs that crashed an earlier process."""
    library_sha256: str = ""
    """The SHA-256 of the library that was built; a binding that loads another is void. If empty, it is not checked."""
    apart: bool = False
    """Whether these bindings are known to switch the GIL on, and measured apart from the others for that reason."""

    def save(self, path: Path) -> None:
        """Write the request to a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a request from a file.

        Raises `TypeError` for an unknown key, `ValueError` for a request without one thread or without a round.
        """
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        raw["exclude"] = [tuple(pair) for pair in raw.get("exclude", [])]
        found = cls(**raw)
        if 1 not in found.threads or found.rounds < 1:
            raise ValueError("speed-ups refer to one thread, in at least one round")
        return found


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides the duration of a cell."""

    threads: int
    gil: str
    """The GIL policy: ``held``, ``released``, ``off`` or ``none``."""
    native: bool
    """Whether it is a cell of the native ceiling."""

    def lasting(self, cell_ns: int, switch_s: float) -> int:
        """Return the ns of this cell if an ordinary one has ``cell_ns``: more if threads take turns with the GIL."""
        if self.native:
            return int(cell_ns * NATIVE_SHARE)
        return max(cell_ns, int(TURNS * self.threads * switch_s * 1e9)) if self.gil == "held" else cell_ns


def divide(shapes: Iterable[Shape], request: Request, switch_s: float) -> tuple[int, int]:
    """Divide the budget among the cells; return (rounds, ns of an ordinary cell).

    The cells are as long as all rounds fit into the budget with. If even the shortest cells do not fit, there are fewer
    rounds of these, at least one. ``switch_s`` is the interpreter's switch interval.
    """
    members = list(shapes)

    def fits(rounds: int, cell_ns: int) -> bool:
        return rounds * sum(it.lasting(cell_ns, switch_s) for it in members) <= request.budget_ms * 1e6

    for rounds in range(request.rounds, 0, -1):
        if fits(rounds, SHORTEST_NS):
            return rounds, max(ns for ns in range(SHORTEST_NS, LONGEST_NS + 1, STEP_NS) if fits(rounds, ns))
    return 1, SHORTEST_NS
