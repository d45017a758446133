# SPDX-License-Identifier: Apache-2.0
"""The evidence of a run: what was measured in each cell, and how two approaches compare.

Everything that argues from a run (claims, recommendations, the page) reads it through :class:`Run`. The class reads
``summary.json``, ``environment.json`` and ``evidence.json``, which :mod:`cside_bench.summary.evidence` writes. It
computes no statistics, so this module imports neither scipy nor the code that measures.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from cside_suite.subjects.names import REFERENCES, is_control, natural, subject_of
from numpy.typing import NDArray

from cside_bench.machine.identity import machine_name
from cside_bench.results.files import LIBRARY_FILE, read_document

Array = NDArray[np.float64]

FORMAT: Final = 1
"""Version of the format of ``evidence.json``."""
SUMMARY_FORMAT: Final = 2
"""Version of the format of ``summary.json`` that this module reads."""
FILE: Final = "evidence.json"
FIGURES_FILE: Final = "figures.json"
MARKS: Final = {"faster": "▼", "slower": "▲", "equivalent": "=", "inconclusive": "?"}
"""Marks printed beside a ratio, so that a verdict is not shown by colour alone."""

Cells = dict[tuple[str, str, str], dict[str, Any]]
"""Cells of ``summary.json`` by interpreter, workload and subject."""


class RunError(Exception):
    """The folder is not a run, or its files have another format; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Comparison of two subjects at a workload: the ratio of the first subject's time to the second's.

    ``low`` and ``high`` are bounds at 95 % that hold together with all other comparisons of the interpreter; they are
    None for fewer than six processes. ``alone_low`` and ``alone_high`` are the bounds of this comparison alone; they
    are None for fewer than two processes.
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
        """Return the comparison in the other direction: the ratio of the second subject's time to the first's."""
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
    """Tell the user how to compute missing or outdated files of a run again."""
    return f"compute its files again: cside report {folder.name}"


def _inverse(value: float | None) -> float | None:
    return None if value is None else (1 / value if value else float("inf"))


class Run:
    """The results of a run.

    Labels name interpreters, for example ``cpython-3.14``. Subjects are bindings, or variants of bindings in the form
    ``binding.variant``.
    """

    def __init__(
        self, folder: Path, summary: dict[str, Any], environment: dict[str, Any], evidence: dict[str, Any]
    ) -> None:
        self.folder = folder
        self.results = folder.parent
        """The folder of runs, in which the newest drill is."""
        self.summary = summary
        self.environment = environment
        self._evidence = evidence
        self.name: str = summary["run"]
        self.tier: str = summary["tier"]
        self.reference: str = summary["reference"]
        self.judged: bool = bool(summary["verdicts"])
        """Whether the run gives verdicts on interpreters that pass its checks."""
        self.shipped: bool = bool(summary.get("shipped"))
        """Whether this is the reference run, which was measured on another machine and ships with cside."""
        self.machine: str = machine_name(environment)
        self._interpreters = {entry["label"]: entry for entry in summary["interpreters"]}
        self.labels: list[str] = list(self._interpreters)
        self.cells: Cells = {(c["interpreter"], c["workload"], subject_of(c)): c for c in summary["cells"]}

    @classmethod
    def load(cls, folder: Path, results: Path | None = None) -> Self:
        """Read a run's folder; ``results`` is the user's folder of runs, if the run lies elsewhere.

        Raises :class:`RunError` if files are missing, damaged or of another format.
        """
        found = {}
        for name in ("summary.json", "environment.json", FILE):
            try:
                found[name] = read_document(folder / name)
            except FileNotFoundError as error:
                hint = again(folder) if (folder / "run.json").exists() else "it is not the folder of a run"
                raise RunError(f"{folder} has no {name}; {hint}") from error
            except ValueError as error:
                raise RunError(f"{folder / name} is damaged ({error}); {again(folder)}") from error
        for name, known in (("summary.json", SUMMARY_FORMAT), (FILE, FORMAT)):
            if found[name].get("format") != known:
                raise RunError(
                    f"{folder / name} has format {found[name].get('format')}, but this version of cside reads {known}; "
                    f"{again(folder)}"
                )
        run = cls(folder, found["summary.json"], found["environment.json"], found[FILE])
        if results is not None:
            run.results = results
        return run

    @cached_property
    def library(self) -> str:
        """The name of the library that was bound: libcside, or that of a user's."""
        path = self.folder / LIBRARY_FILE
        return str(json.loads(path.read_text(encoding="utf-8"))["name"]) if path.exists() else "libcside"

    def figures(self, label: str) -> dict[str, Any]:
        """Return an interpreter's part of ``figures.json``; empty if an older version of cside wrote the files of the
        run.
        """
        found: dict[str, Any] = self._figures.get(label, {})
        return found

    @cached_property
    def _figures(self) -> dict[str, Any]:
        path = self.folder / FIGURES_FILE
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["interpreters"] if path.exists() else {}
        return found

    def trusted(self, label: str) -> bool | None:
        """Whether the run passed its own checks on an interpreter; None if the run has no checks there."""
        found = self._interpreters[label]["trustworthy"]
        return None if found is None else bool(found)

    def margin(self, label: str) -> float:
        """Return the margin of equivalence: ratios between 1 / (1 + margin) and 1 + margin are equivalent."""
        return float(self._interpreters[label]["margin"])

    def placement(self, label: str) -> float:
        """Return the standard deviation of log ratios that all processes share; 0 if an older version wrote the run."""
        found = self._evidence["interpreters"].get(label, {}).get("placement")
        return float(found or 0.0)

    @cached_property
    def _subjects(self) -> set[str]:
        return {subject for _, _, subject in self.cells}

    @cached_property
    def bindings(self) -> list[str]:
        """Bindings and variants that implement the whole contract; the reference is first."""
        whole = {name for entry in self._interpreters.values() for name in entry["whole"]}
        return sorted(whole & self._subjects, key=lambda name: (name != self.reference, name))

    @cached_property
    def variants(self) -> list[str]:
        """Partial variants: bindings with one setting changed, which implement a part of the contract."""
        known = {*self.bindings, *REFERENCES}
        others = (name for name in self._subjects if name not in known and not name.startswith("floor."))
        return sorted(name for name in others if not is_control(name))

    @cached_property
    def references(self) -> list[str]:
        """Subjects to compare bindings with: floors, the standard library, peers and the reference's controls."""
        return [name for name in REFERENCES if name in self._subjects]

    def cell(self, label: str, workload: str, subject: str) -> dict[str, Any] | None:
        """Return a cell of ``summary.json``, or None if it was not measured."""
        return self.cells.get((label, workload, subject))

    def unsteady(self, label: str, workload: str, subject: str) -> str:
        """Return why the time of a cell is not steady, so that it has no ratio; an empty text if it is steady, void or
        was not measured.
        """
        cell = self.cell(label, workload, subject)
        return str(cell.get("unsteady") or "") if cell is not None else ""

    def workloads(self, label: str) -> list[str]:
        """Return every workload that was measured on an interpreter, in natural order."""
        return sorted({workload for where, workload, _ in self.cells if where == label}, key=natural)

    def _observed(self, label: str, workload: str) -> dict[str, Any]:
        found: dict[str, Any] = self._evidence["interpreters"].get(label, {}).get("workloads", {}).get(workload, {})
        return found

    def pair(self, label: str, workload: str, one: str, two: str) -> Pair | None:
        """Return the comparison of two subjects; None if they were not compared or one of the cells is void."""
        pairs = self._observed(label, workload).get("pairs", {})
        if (found := pairs.get(f"{one}/{two}")) is not None:
            return Pair(*found)
        if (found := pairs.get(f"{two}/{one}")) is not None:
            return Pair(*found).turned()
        return None

    def ratios(self, label: str, workload: str, subject: str) -> Array:
        """Return the ratio of a subject's time to the reference's in each process; NaN where a process has none."""
        return _array(self._observed(label, workload).get("ratios", {}).get(subject, ()))

    def ns(self, label: str, workload: str, subject: str) -> Array:
        """Return ns per call in each process with the empty loop subtracted; NaN where a process has none."""
        return _array(self._observed(label, workload).get("ns", {}).get(subject, ()))


def _array(values: Sequence[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
