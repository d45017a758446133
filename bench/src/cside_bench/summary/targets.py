"""Judges a run by ``targets.toml``, which has the numbers of a good binding and limits that show bugs or unfairness."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any, Self

import numpy as np

from cside_bench.results.rounds import Key, Process, Sample
from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.placement import NONE, Placement
from cside_bench.statistics.student import Interval


@dataclass(frozen=True, slots=True)
class Target:
    """One entry of ``targets.toml``."""

    name: str
    interpreters: list[str]
    """Patterns of interpreters' labels, for example ``cpython-*``."""
    of: Key
    to: Key | None
    kind: str
    """``ratio`` (of / to), ``difference`` (of - to, ns), ``value`` (ns) or ``overhead`` ((of - base) / (to - base))."""
    divide: float
    """Number by which the value or the difference is divided."""
    reach: float
    unfair_above: float | None
    unfair_below: float | None
    base: Key | None = None
    """The cell that does the same work in C, for ``overhead``."""

    @classmethod
    def parse(cls, table: dict[str, Any]) -> Self:
        """Make a target from one table of the file, in which ``[subject, workload]`` names a cell."""
        to, base = table.get("to"), table.get("base")
        return cls(
            name=table["name"],
            interpreters=table["interpreters"],
            of=(table["of"][1], table["of"][0]),
            to=(to[1], to[0]) if to else None,
            kind=table["kind"],
            base=(base[1], base[0]) if base else None,
            divide=table.get("divide", 1.0),
            reach=table["reach"],
            unfair_above=table.get("unfair_above"),
            unfair_below=table.get("unfair_below"),
        )

    def observe(self, process: Process) -> float:
        """Return the number of one process."""
        if self.kind == "ratio":
            assert self.to is not None
            return process.ratio(self.of, self.to)
        value = process.median_net(self.of)
        if self.kind == "overhead":
            assert self.to is not None
            assert self.base is not None
            floor = process.median_net(self.base)
            return (value - floor) / (process.median_net(self.to) - floor)
        if self.kind == "difference":
            assert self.to is not None
            value -= process.median_net(self.to)
        return value / self.divide

    def placed(self, processes: Sequence[Process], placement: Placement) -> float:
        """Return the variance of the mean that comes from the placement of the cells' code and data.

        Half of the variance of a ratio belongs to each of its sides. An import is no ratio to which this applies: every
        process loads the files anew and nothing is timed twice.
        """
        variance = float(placement.variance)
        if self.of[0] == "import" or not variance:
            return 0.0
        if self.kind == "ratio":
            return variance
        of, to, base = (
            float(np.mean([it.median_net(key) for it in processes if key in it.net] or [np.nan])) if key else 0.0
            for key in (self.of, self.to, self.base)
        )
        if self.kind == "overhead":  # derivatives of (of - base) / (to - base) by the logarithm of each time
            value = (of - base) / (to - base)
            parts = np.array([of, value * to, (1 - value) * base]) / (to - base)
        else:
            parts = np.array([of, to]) / self.divide
        return float(variance / 2 * (parts**2).sum())


def load_targets() -> list[Target]:
    """Return all entries of ``targets.toml``."""
    table = tomllib.loads(files("cside_bench.summary").joinpath("targets.toml").read_text(encoding="utf-8"))
    return [Target.parse(entry) for entry in table["target"]]


def status(interval: Interval, reach: float) -> str:
    """Return ``met`` if the whole interval is at or below the target, ``missed`` if it is above, or ``unresolved``."""
    if not np.isfinite(interval.low) or not np.isfinite(interval.high):
        return "unresolved"
    if interval.high <= reach:
        return "met"
    return "missed" if interval.low > reach else "unresolved"


def import_ratios(of: list[float], base: list[float]) -> list[float]:
    """Return the ratios of the numbers of the same block; NaN where a block lacks one of the two."""
    return [a / b for a, b in zip(of, base, strict=True)] if len(of) == len(base) else []


def judge_targets(
    samples: dict[str, Sample],
    imports: dict[str, dict[str, list[float]]],
    bases: dict[str, list[float]],
    placements: Mapping[str, Placement] | None = None,
) -> list[dict[str, Any]]:
    """Judge each target on each interpreter that it applies to, if its cells were measured.

    `imports` and `bases` are those of :mod:`cside_bench.results.starts`, `placements` those of the comparisons.
    """
    found = []
    for label, sample in samples.items():
        for target in load_targets():
            if not any(fnmatchcase(label, pattern) for pattern in target.interpreters):
                continue
            if {target.of, target.to, target.base} & (sample.void.keys() | sample.unsteady.keys()):
                continue
            if target.of[0] == "import":
                observations = import_ratios(imports.get(label, {}).get(target.of[1], []), bases.get(label, []))
            else:
                observations = [target.observe(process) for process in sample.processes]
            placement = (placements or {}).get(label, NONE)
            extra = (target.placed(sample.processes, placement), float(placement.cells))
            (interval,) = intervals([observations], logarithmic=target.kind == "ratio", extra=extra)
            if not np.isfinite(interval.value):
                continue
            above, below = target.unfair_above, target.unfair_below
            found.append(
                {
                    "name": target.name,
                    "interpreter": label,
                    "unit": "" if target.kind in ("ratio", "overhead") else ("ms" if target.divide == 1e6 else "ns"),
                    "value": interval.value,
                    "low": interval.low if np.isfinite(interval.low) else None,
                    "high": interval.high if np.isfinite(interval.high) else None,
                    "reach": target.reach,
                    "unfair_above": above,
                    "unfair_below": below,
                    "status": status(interval, target.reach),
                    "unfair": (above is not None and interval.low > above)
                    or (below is not None and interval.high < below),
                }
            )
    return found
