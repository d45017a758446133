# SPDX-License-Identifier: Apache-2.0
"""The timing of the cells of one process, from the first call of the warm-up on."""

import random
from dataclasses import dataclass, field
from typing import Self

from cside_suite.process import rounds
from cside_suite.process.block_file import Cell
from cside_suite.process.collector import Skip, Target
from cside_suite.process.native_trace import NativeTrace, Trace
from cside_suite.process.request import MEASURE, Request
from cside_suite.process.rounds import Says, Stopwatch


@dataclass(slots=True)
class Measured:
    """What a process found; that of its children is added to it."""

    targets: list[Target] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    failures: dict[tuple[str, str], str] = field(default_factory=dict)
    """The first line of each test that failed, by workload and subject."""
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    """The cells that were timed, by workload."""
    latencies: dict[tuple[str, str], dict[str, object]] = field(default_factory=dict)
    """The distribution of single calls, by workload and subject."""
    inside: dict[tuple[str, str], float] = field(default_factory=dict)
    """The share of each call that passes inside its PKCS #11 module, by workload and subject."""
    jit: dict[str, int] = field(default_factory=dict)
    """How many loops and bridges were compiled and freed; empty without a JIT."""
    seconds: dict[str, float] = field(default_factory=dict)
    """The duration of each phase."""

    def add(self, other: Self) -> None:
        """Take over what another process found in other workloads."""
        self.targets += other.targets
        self.skips += other.skips
        self.failures |= other.failures
        self.cells |= other.cells
        self.latencies |= other.latencies
        self.inside |= other.inside
        for name, count in other.jit.items():
            self.jit[name] = self.jit.get(name, 0) + count
        for name, seconds in other.seconds.items():
            self.seconds[name] = round(self.seconds.get(name, 0.0) + seconds, 3)


def jit_counters() -> dict[str, int]:
    """Return how many loops and bridges PyPy's compiler has made and freed in this process; empty without one.

    A loop that is not used while a thousand others are compiled is freed (``loop_longevity``). A cell whose loop was
    freed is interpreted until it is compiled again.
    """
    try:
        import pypyjit  # type: ignore[import-not-found,unused-ignore]  # exists on PyPy alone
    except ImportError:
        return {}
    counters: dict[str, int] = pypyjit.get_stats_snapshot().counters
    names = ("TOTAL_COMPILED_LOOPS", "TOTAL_COMPILED_BRIDGES", "TOTAL_FREED_LOOPS", "TOTAL_FREED_BRIDGES")
    return {name.removeprefix("TOTAL_").lower(): int(counters[name]) for name in names if name in counters}


def time_cells(
    cells: dict[str, list[Cell]],
    targets: list[Target],
    request: Request,
    draw: random.Random,
    progress: Says,
    trace: Trace,
) -> Measured:
    """Warm the cells up, measure their rounds, and time the calls of their targets one by one.

    A child takes one more turn after its rounds, so that all processes have measured theirs before one goes on.
    """
    watch, before = Stopwatch(), jit_counters()
    rounds.warm_up(cells, request, progress)
    watch.lap("warm-up")
    rounds.measure(cells, request, draw, progress)
    if request.forks:
        progress.turn()
    watch.lap(MEASURE)
    latencies = rounds.time_calls(targets, cells, request, progress)
    watch.lap("latency")
    inside = rounds.time_inside(targets, trace) if request.latency_ns and isinstance(trace, NativeTrace) else {}
    watch.lap("inside")
    jit = {name: count - before[name] for name, count in jit_counters().items()}
    return Measured(targets, cells=cells, latencies=latencies, inside=inside, jit=jit, seconds=watch.seconds)
