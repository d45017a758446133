"""What the driver asks of a measuring process, and what it is told back: plain JSON both ways.

A request goes by file; progress comes line by line on the process's standard output; the result is a file of
pytest-benchmark's format. :mod:`cside_suite.process.block` answers, :mod:`cside_bench.run.driver` asks.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Request:
    """One process's work."""

    mode: str
    """``calibrate`` finds loop counts, ``measure`` uses them."""
    interpreter: str
    library_sha256: str
    """Of the library that was built; any other that turns up voids what loaded it."""
    out: str
    """Path of the file to write."""
    seed: int
    reference: str
    """Name of the binding that ratios, digests and native counts refer to."""
    bindings: list[str] = field(default_factory=list)
    """Names to measure; empty for all."""
    only: list[str] = field(default_factory=list)
    """Parts of workloads' names to measure; empty for all."""
    skip: list[str] = field(default_factory=list)
    """Patterns (:mod:`fnmatch`) of workloads' names to leave out, as the tier has them."""
    exclude: list[tuple[str, str]] = field(default_factory=list)
    """(workload, subject) pairs that took an earlier process down."""
    rounds: int = 0
    least_visits: int = 0
    """Rounds that even the slowest workload takes part in."""
    warm_up_ns: int = 0
    """Of each target, before the first round."""
    calibration: dict[str, float] = field(default_factory=dict)
    """ns per call by ``workload subject``."""
    relinked: str = ""
    """Folder that holds the reference's package once more, linked in another order; empty where there is none."""
    alone: str = ""
    """The only binding or variant to load, in isolated mode; empty to load all."""
    handicaps: list[tuple[str, str, float]] = field(default_factory=list)
    """(workload, subject, percent) to slow down on purpose, to see whether the run finds out."""
    cpu: int | None = None
    """The CPU to stay on; None to leave that to the system."""
    latency_ns: int = 0
    """Time for each target's calls to be timed one by one; 0 for none."""

    def save(self, path: Path) -> None:
        """Write to a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what :meth:`save` wrote."""
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        raw["exclude"] = [tuple(pair) for pair in raw.get("exclude", [])]
        raw["handicaps"] = [tuple(entry) for entry in raw.get("handicaps", [])]
        return cls(**raw)


def key(workload: str, subject: str) -> str:
    """How a target is named in a calibration."""
    return f"{workload} {subject}"
