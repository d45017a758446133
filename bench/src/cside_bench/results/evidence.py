# SPDX-License-Identifier: Apache-2.0
"""A run, ready to be asked: what was measured of a cell, and how two approaches compare.

Everything that argues from a run (claims, recommendations, the page) asks here. It reads ``summary.json``,
``environment.json`` and ``evidence.json``, which :mod:`cside_bench.summary.evidence` writes, and computes no statistics of
its own; so it imports neither scipy nor what measures.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from cside_bench.machine.identity import machine_name
from cside_suite.subjects.names import REFERENCES
from cside_suite.subjects.names import natural
from cside_suite.subjects.names import subject_of

Array = NDArray[np.float64]

FORMAT: Final = 1
"""Of ``evidence.json``."""
SUMMARY_FORMAT: Final = 2
FILE: Final = "evidence.json"
FIGURES_FILE: Final = "figures.json"
MARKS: Final = {"faster": "▼", "slower": "▲", "equivalent": "=", "inconclusive": "?"}
"""Beside a ratio, so that no verdict is told by colour alone."""


Cells = dict[tuple[str, str, str], dict[str, Any]]
"""Cells of ``summary.json`` by interpreter, workload and subject."""


class RunError(Exception):
    """A folder that is no run, or one of another format; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Pair:
    """How the times of two subjects at a workload compare: the ratio of the first's to the second's.

    ``low`` and ``high`` bound it at 95 % together with all other comparisons of its interpreter, and are None for
    fewer than six processes; ``alone_low`` and ``alone_high`` bound it by itself, and are None for fewer than two.
    """

    value: float
    low: float | None
    high: float | None
    alone_low: float | None
    alone_high: float | None
    processes: int
    verdict: str
    """``faster``, ``slower``, ``equivalent``, ``inconclusive``, or ``none`` where the run gives no verdicts."""

    def turned(self) -> Self:
        """The same of the second to the first."""
        other = {"faster": "slower", "slower": "faster"}.get(self.verdict, self.verdict)
        return replace(
            self,
            value=1 / self.value,
            low=_inverse(self.high),
            high=_inverse(self.low),
            alone_low=_inverse(self.alone_high),
            alone_high=_inverse(self.alone_low),
            verdict=other,
        )


def again(folder: Path) -> str:
    """What to do with a run whose derived files are missing or old."""
    return f"draw it again: cside report {folder.name}"


def _inverse(value: float | None) -> float | None:
    return None if value is None else (1 / value if value else float("inf"))


class Run:
    """What a run found.

    Labels are of interpreters, as ``cpython-3.14``; subjects are bindings, or as ``binding.variant``.
    """

    def __init__(
        self, folder: Path, summary: dict[str, Any], environment: dict[str, Any], evidence: dict[str, Any]
    ) -> None:
        self.folder = folder
        self.summary = summary
        self.environment = environment
        self._evidence = evidence
        self.name: str = summary["run"]
        self.tier: str = summary["tier"]
        self.reference: str = summary["reference"]
        self.judged: bool = bool(summary["verdicts"]) and not summary["isolated"]
        """Whether the run gives verdicts where it is trustworthy."""
        self.machine: str = machine_name(environment)
        self._interpreters = {entry["label"]: entry for entry in summary["interpreters"]}
        self.labels: list[str] = list(self._interpreters)
        self.cells: Cells = {(c["interpreter"], c["workload"], subject_of(c)): c for c in summary["cells"]}

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a run's folder. Raises :class:`RunError` where there is none, or one of another format."""
        found = {}
        for name in ("summary.json", "environment.json", FILE):
            path = folder / name
            if not path.exists():
                hint = (
                    "draw it again: cside report " + folder.name if (folder / "run.json").exists() else "it is no run"
                )
                raise RunError(f"{folder} has no {name}; {hint}")
            try:
                found[name] = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise RunError(f"{path} is damaged ({error}); {again(folder)}") from error
        for name, known in (("summary.json", SUMMARY_FORMAT), (FILE, FORMAT)):
            if found[name].get("format") != known:
                raise RunError(
                    f"{folder / name} has format {found[name].get('format')}, and this cside reads {known}; "
                    f"{again(folder)}"
                )
        return cls(folder, found["summary.json"], found["environment.json"], found[FILE])

    def figures(self, label: str) -> dict[str, Any]:
        """What figures show of an interpreter beyond the summary; empty for a run drawn by an older cside."""
        found: dict[str, Any] = self._figures.get(label, {})
        return found

    @cached_property
    def _figures(self) -> dict[str, Any]:
        path = self.folder / FIGURES_FILE
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["interpreters"] if path.exists() else {}
        return found

    def trusted(self, label: str) -> bool | None:
        """Whether the run is trustworthy on an interpreter by its own checks; None where it has none."""
        found = self._interpreters[label]["trustworthy"]
        return None if found is None else bool(found)

    def margin(self, label: str) -> float:
        """Ratios within 1 ± this fraction are equivalent."""
        return float(self._interpreters[label]["margin"])

    @cached_property
    def _subjects(self) -> set[str]:
        return {subject for _, _, subject in self.cells}

    @cached_property
    def bindings(self) -> list[str]:
        """Those with the whole contract, variants of that kind among them; the reference first."""
        whole = {name for entry in self._interpreters.values() for name in entry["whole"]}
        return sorted(whole & self._subjects, key=lambda name: (name != self.reference, name))

    @cached_property
    def variants(self) -> list[str]:
        """Partial ones: a binding once more with one knob of its technique turned."""
        known = {*self.bindings, *REFERENCES}
        return sorted(name for name in self._subjects if name not in known and not name.startswith("floor."))

    @cached_property
    def references(self) -> list[str]:
        """What bindings are compared with besides each other: floors, the standard library, peers; controls too."""
        return [name for name in REFERENCES if name in self._subjects]

    def cell(self, label: str, workload: str, subject: str) -> dict[str, Any] | None:
        """A cell of ``summary.json``; None where it was not measured."""
        return self.cells.get((label, workload, subject))

    def workloads(self, label: str) -> list[str]:
        """Every workload measured on an interpreter, in natural order."""
        return sorted({workload for where, workload, _ in self.cells if where == label}, key=natural)

    def _observed(self, label: str, workload: str) -> dict[str, Any]:
        found: dict[str, Any] = self._evidence["interpreters"].get(label, {}).get("workloads", {}).get(workload, {})
        return found

    def pair(self, label: str, workload: str, one: str, two: str) -> Pair | None:
        """How two subjects compare; None where they were not compared, or one of the cells is void."""
        pairs = self._observed(label, workload).get("pairs", {})
        if (found := pairs.get(f"{one}/{two}")) is not None:
            return Pair(*found)
        if (found := pairs.get(f"{two}/{one}")) is not None:
            return Pair(*found).turned()
        return None

    def ratios(self, label: str, workload: str, subject: str) -> Array:
        """Ratio of the times of a subject to the reference's in each process; NaN where there is none."""
        return _array(self._observed(label, workload).get("ratios", {}).get(subject, ()))

    def ns(self, label: str, workload: str, subject: str) -> Array:
        """ns per call in each process, with the empty loop subtracted; NaN where there is none."""
        return _array(self._observed(label, workload).get("ns", {}).get(subject, ()))


def _array(values: Sequence[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
