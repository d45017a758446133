"""The file of one measuring process: its raw rounds, in pytest-benchmark's own format.

All tables and figures are computed from these files. ``pytest-benchmark compare`` reads them too. What its format has
no place for is in ``extra_info``.
"""

import math
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pytest_benchmark.stats import Stats

from cside_suite.files import write_json
from cside_suite.process.chunks import JIT, Chunk, Pause
from cside_suite.process.collector import Skip, Target
from cside_suite.process.request import Request

LEAD: Final = 1.0 if JIT else 0.2
"""Calls that are made before a chunk is timed, as a share of its own: one loop at least.

Compiled code is large, and does not lie in one place, so that a tenth was too little on PyPy (``docs/method.md``).
"""

LONGEST_LOOP_NS: Final = 1_000_000
"""A loop that takes longer is not made only to lead in: what its first microseconds cost is a small part of it."""


@dataclass(slots=True)
class Cell:
    """One target in one process: its chunk, and the times of the chunks that were run."""

    workload: str
    subject: str
    chunk: Chunk
    loops: int
    """Loops in a chunk."""
    unroll: int
    """Calls in a loop."""
    ns: float
    """The estimated ns per call."""
    pause: Pause | None = None
    """The delay that slows it down on purpose."""
    recompile: Callable[[Pause], Chunk] | None = None
    """Compiles its chunk again, with a delay within the timed region."""
    calls_ns: list[int] = field(default_factory=list)
    """Time of each chunk, with its calls."""
    empty_ns: list[int] = field(default_factory=list)
    """Time of the empty loop beside each chunk."""
    rounds: list[int] = field(default_factory=list)
    """Number of the round of each chunk."""
    positions: list[int] = field(default_factory=list)
    """Position of each chunk among those of its workload in that round."""
    warm_ns: list[int] = field(default_factory=list)
    """Time of each chunk before the first round, including the very first."""
    warm_calls: list[int] = field(default_factory=list)
    """Calls in each of these chunks."""
    agreed: bool | None = None
    """Whether the last windows of its warm-up agreed; None if it was warmed up for a fixed time."""
    settling: int = 0
    """How many of its chunks before the first round, the last ones, were run in turns with other cells."""

    def run(self, number: int, position: int, *, follows: bool = False) -> None:
        """Run one chunk of a round and keep its times, after a few of its calls that are not counted.

        Those bring the code and data of the call into the caches: since another cell ran, they may be gone, and they
        are for longer where the code is used by few workloads. They are left out where the chunk ``follows`` another
        one of the same cell.
        """
        if not follows and (lead := self.lead()):
            self.chunk(lead)
        calls, empty = self.chunk(self.loops + (self.pause.loops if self.pause is not None else 0))
        self.calls_ns.append(calls)
        self.empty_ns.append(empty)
        self.rounds.append(number)
        self.positions.append(position)

    def lead(self) -> int:
        """Return the loops that are run before a chunk is timed."""
        least = 0 if self.ns * self.unroll > LONGEST_LOOP_NS else 1
        return max(least, round(self.loops * LEAD))

    def run_warm(self, loops: int = 0) -> int:
        """Run one chunk before the rounds, of another length if ``loops`` is given; return the ns that it took."""
        calls, empty = self.chunk(loops or self.loops)
        self.warm_ns.append(calls)
        self.warm_calls.append((loops or self.loops) * self.unroll)
        return calls + empty


def short(value: float) -> float:
    """Round to six significant digits: the clock gives no more, and the files are large."""
    return float(f"{value:.6g}")


def entry(cell: Cell, extra: dict[str, Any]) -> dict[str, Any]:
    """Return a cell as a benchmark of the file; times are in seconds per call, including the loop."""
    iterations = cell.loops * cell.unroll
    data = [short(value / iterations * 1e-9) for value in cell.calls_ns]
    stats: Any = Stats()  # type: ignore[no-untyped-call]  # pytest-benchmark has no types
    for value in data:
        stats.update(value)
    summary = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in stats.as_dict().items()
    }
    return {
        "group": cell.workload,
        "name": f"{cell.workload} {cell.subject}",
        "fullname": f"{cell.workload}::{cell.subject}",
        "params": None,
        "param": None,
        "extra_info": extra
        | {
            "empty": [short(value / iterations * 1e-9) for value in cell.empty_ns],
            "warm": [short(ns / calls * 1e-9) for ns, calls in zip(cell.warm_ns, cell.warm_calls, strict=True)],
            **({} if cell.agreed is None else {"warm_calls": cell.warm_calls, "warm_agreed": cell.agreed}),
            **({"settling": cell.settling} if cell.settling else {}),
            "rounds": cell.rounds,
            "positions": cell.positions,
        },
        "options": {
            "disable_gc": True,
            "timer": "perf_counter_ns",
            "min_rounds": len(cell.calls_ns),
            "max_time": 0.0,
            "min_time": 0.0,
            "warmup": True,
        },
        "stats": summary | {"data": data, "iterations": iterations},
    }


def write_block(
    out: Path,
    *,
    request: Request,
    started: datetime,
    targets: list[Target],
    failed: dict[tuple[str, str], str],
    cells: dict[str, list[Cell]],
    skips: list[Skip],
    inside: dict[tuple[str, str], float],
    latencies: dict[tuple[str, str], dict[str, object]],
    gil: Callable[[Target], str],
    facts: dict[str, Any],
) -> None:
    """Write the file of one process, atomically."""
    known = {(target.workload, target.subject): target for target in targets}
    benchmarks = []
    for members in cells.values():
        for cell in members:
            target = known.get((cell.workload, cell.subject))
            extra: dict[str, Any] = {"workload": cell.workload, "subject": cell.subject}
            if target is None:
                extra["gil"] = "none"
            else:
                extra |= {"gil": gil(target), "digest": target.digest, "counts": target.counts}
                extra["first"] = short(target.first_ns * 1e-9)
                if (share := inside.get((cell.workload, cell.subject))) is not None:
                    extra["inside"] = short(share)
                if (calls := latencies.get((cell.workload, cell.subject))) is not None:
                    extra["latency"] = calls
            if cell.pause is not None:
                extra["slowed_by_percent"] = cell.pause.percent
            benchmarks.append(entry(cell, extra))
    void = [
        {"workload": target.workload, "subject": target.subject, "gil": gil(target), "reason": target.void}
        for target in targets
        if target.void is not None
    ]
    void += [
        {"workload": pair[0], "subject": pair[1], "gil": "none", "reason": reason} for pair, reason in failed.items()
    ]
    document = {
        "machine_info": {
            "node": "",
            "processor": platform.processor(),
            "machine": platform.machine(),
            "system": platform.system(),
            "release": platform.release(),
            "python_implementation": platform.python_implementation(),
            "python_implementation_version": ".".join(map(str, sys.implementation.version[:3])),
            "python_version": platform.python_version(),
            "python_compiler": platform.python_compiler(),
            "python_build": list(platform.python_build()),
        },
        "commit_info": {},
        "benchmarks": benchmarks,
        "datetime": started.isoformat(),
        "version": facts["pytest_benchmark"],
        "cside": {
            "interpreter": request.interpreter,
            "seed": request.seed,
            "rounds": request.rounds,
            "alone": request.alone,
            "reference": request.reference,
            "cpu": request.cpu,
            "void": void,
            "skips": [asdict(skip) for skip in skips],
            "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
            **facts,
        },
    }
    write_json(out, document)
