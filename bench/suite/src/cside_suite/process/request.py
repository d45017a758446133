"""The request that the driver sends to a measuring process, as a JSON file.

:mod:`cside_bench.run.driver` writes it, :mod:`cside_suite.process.block` reads it. The process reports progress line by
line on its standard output and writes its result to a file in pytest-benchmark's format.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

MEASURE: Final = "measure"
"""The mode of a process that measures with a calibration."""
TURN: Final = "turn"
"""The phase that a process announces when it waits for its turn."""
GO: Final = "go"
"""The word by which the driver gives a process its turn, with the number of the turn among those of all processes
that measure together, from 0, in a line; the end of its standard input is the end of all turns.
"""
FLOOR: Final = "floor"
"""The subject by which all loops in C of a workload are excluded."""


@dataclass(frozen=True, slots=True)
class Request:
    """The work of one measuring process."""

    mode: str
    """``calibrate`` finds the time per call, ``measure`` uses it."""
    interpreter: str
    library_sha256: str
    """The SHA-256 of the library that was built; a subject that loads another one is void."""
    out: str
    """The path of the file to write."""
    seed: int
    """The seed of all random orders."""
    reference: str
    """The name of the binding with which ratios, digests and native counts are formed."""
    bindings: list[str] = field(default_factory=list)
    """Names of the bindings to measure; empty for all."""
    only: list[str] = field(default_factory=list)
    """Parts of the names of the workloads to measure; empty for all."""
    skip: list[str] = field(default_factory=list)
    """Patterns (:mod:`fnmatch`) of the names of workloads that the tier leaves out."""
    keep: list[str] = field(default_factory=list)
    """Patterns of the names of the only workloads that the tier measures; empty for all."""
    without: list[str] = field(default_factory=list)
    """Patterns of the names of bindings and variants that the tier leaves out."""
    workloads: list[str] = field(default_factory=list)
    """Names of the workloads of this process, if a block is divided into several processes; empty for all."""
    exclude: list[tuple[str, str]] = field(default_factory=list)
    """(workload, subject) pairs to leave out: those that crashed an earlier process, are decided, or are not wanted."""
    rounds: int = 0
    """The number of rounds."""
    least_visits: int = 0
    """The number of rounds in which even the slowest workload takes part."""
    warm_up_ns: int = 0
    """The time for which each target runs before the first round; the longest time if ``warm_calls`` is not 0."""
    warm_calls: int = 0
    """The calls after which a target may be warm, where an interpreter compiles while it runs; else 0."""
    calibration: dict[str, float] = field(default_factory=dict)
    """The ns per call, by :func:`key`."""
    layouts: dict[str, list[str]] = field(default_factory=dict)
    """By binding, the folders that hold its compiled modules in other layouts (:mod:`cside_suite.process.layouts`)."""
    series: int = 0
    """The seed of the orders in which layouts are taken, the same for all processes that are replicates of each other.
    """
    number: int = 0
    """The place of the process among those of its series, from 0."""
    twins: list[str] = field(default_factory=list)
    """The workloads in which the twin of each whole binding takes part; empty for none, and no such twins."""
    alone: str = ""
    """The only binding, variant or control to load, if each of them has a process of its own; empty to load all."""
    handicaps: list[tuple[str, str, float]] = field(default_factory=list)
    """(workload, subject, percent) to slow down on purpose, to test whether the run detects it."""
    cpu: int | None = None
    """The CPU to which the process is pinned; None for any."""
    latency_ns: int = 0
    """The time in which each target's calls are timed one by one; 0 to leave out that and the share inside a module."""
    chunk_ns: int = 0
    """The length of the chunks of the rounds that is aimed at; 0 for the interpreter's usual one."""
    library: str = ""
    """The file of a set of subjects and workloads (:mod:`cside_suite.subjects.library`); empty for those of cside."""
    turn_visits: int = 0
    """The number of visits of a workload after which the process waits until the driver lets it go on, since others
    measure in turns with it, for the same ``workloads``; 0 for a process that measures without a pause.
    """
    forks: bool = False
    """Whether each of the ``workloads`` is timed in a child that is forked once all are checked; only with turns."""

    def save(self, path: Path) -> None:
        """Write the request to a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a request that :meth:`save` wrote."""
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        raw["exclude"] = [tuple(pair) for pair in raw.get("exclude", [])]
        raw["handicaps"] = [tuple(entry) for entry in raw.get("handicaps", [])]
        return cls(**raw)


def key(workload: str, subject: str) -> str:
    """Return the name of a target in a calibration."""
    return f"{workload} {subject}"
