# SPDX-License-Identifier: Apache-2.0
"""Cells of a run that were measured again, each in processes of its own: which ones, their files, and their ratios.

:mod:`cside_bench.run.verify` writes the files and :mod:`cside_bench.summary.verified` judges what they say. The same
files hold the small sample that a default run takes at its end (:mod:`cside_bench.run.sample`).
"""

import json
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple, Self
from urllib.parse import quote

from cside_suite.files import write_json

from cside_bench.results import headline
from cside_bench.results.evidence import Run
from cside_bench.results.plan import PlanError
from cside_bench.results.rounds import Process, Sample, compare_work, read_block
from cside_bench.results.selection import Selection

FOLDER: Final = "verify"
"""Folder of a run that has the files of a verification."""
DOCUMENT: Final = "verify.json"
"""Name of the file that holds what a verification found; see ``docs/results.md``."""
CRASHES: Final = "crashes.json"
"""File in :data:`FOLDER` with the cells that took their process down."""


class Cell(NamedTuple):
    """A cell of a run."""

    interpreter: str
    workload: str
    subject: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides how the cells of a verification are measured; it is kept, so that files are never mixed."""

    seed: int
    seconds: float
    """Seconds of rounds of each cell, divided among its processes."""
    processes: int
    """Processes of each cell."""

    def save(self, folder: Path) -> None:
        """Write the settings into the folder of a verification."""
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "settings.json", asdict(self), indent=1)

    @classmethod
    def load(cls, folder: Path) -> Self | None:
        """Read the settings of a verification; None if there is none. Raises :class:`PlanError` if they are damaged."""
        path = folder / "settings.json"
        if not path.exists():
            return None
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise PlanError(f"{path} is damaged ({error}): --again discards it and measures anew") from error


def choose(run: Run, selection: Selection, sample: int | None, seed: int) -> list[Cell]:
    """Return the cells to verify: those of whole bindings that have a ratio, without the reference's own.

    Without ``only`` in the selection they are the workloads of the short table. ``sample`` draws so many of them by
    ``seed``; None takes all.
    """
    shown = {row["workload"] for row in headline.rows()}
    found = [
        Cell(label, workload, subject)
        for (label, workload, subject), cell in sorted(run.cells.items())
        if selection.interpreter(label)
        and selection.cell(workload, subject)
        and (workload in shown or selection.only)
        and workload != "import"
        and subject in run.bindings
        and subject != run.reference
        and cell["ratio"] is not None
    ]
    if sample is None or sample >= len(found):
        return found
    return sorted(random.Random(f"{seed} sample").sample(found, sample))


def unmeasurable(run: Run, selection: Selection) -> int:
    """Return how many cells a selection leaves out because the run has no ratio for them."""
    shown = {row["workload"] for row in headline.rows()}
    return sum(
        cell["ratio"] is None
        and selection.interpreter(label)
        and selection.cell(workload, subject)
        and (workload in shown or bool(selection.only))
        and subject in run.bindings
        for (label, workload, subject), cell in run.cells.items()
    )


def stem(cell: Cell, number: int) -> str:
    """Return the stem of the names of a process's files; a workload may have characters that a file's name cannot."""
    return f"{cell.interpreter}+{quote(cell.workload, safe='[]')}@{cell.subject}-{number}"


class Seeds(NamedTuple):
    """What a process draws from."""

    draws: int
    """The seed of its values."""
    series: int
    """The seed of the orders in which it and the other processes of its workload take layouts."""
    number: int
    """Its place among them."""


def seeds_of(seed: int, interpreter: str, workload: str, number: int) -> Seeds:
    """Return what a process draws from, the same for all subjects of a workload."""
    draws, series = (
        random.Random(f"{seed} {interpreter} {workload} {part}").getrandbits(32) for part in (number, "layouts")
    )
    return Seeds(draws, series, number)


def with_references(cells: Iterable[Cell], reference: str) -> list[Cell]:
    """Return the cells and those of the reference to which their ratios refer, each once."""
    found = list(cells)
    return list(dict.fromkeys([*found, *(cell._replace(subject=reference) for cell in found)]))


@dataclass(slots=True)
class Again:
    """What the files of a verification say."""

    logs: dict[Cell, list[float]] = field(default_factory=dict)
    """The logarithm of each cell's ratio to the reference, one for each pair of processes with the same draws."""
    reference_ns: dict[Cell, float] = field(default_factory=dict)
    """ns per call of the reference beside each cell, the median over its processes."""
    reasons: dict[Cell, str] = field(default_factory=dict)
    """Why a cell has no ratio."""
    missing: list[Cell] = field(default_factory=list)
    """Cells that were not measured yet, or not in all of their processes."""


def crashed(folder: Path) -> dict[str, str]:
    """Return the reason why a process ended, by its stem, of those that a signal ended."""
    path = folder / CRASHES
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def read(folder: Path, cells: Sequence[Cell], reference: str, processes: int) -> Again:
    """Read the files of a verification.

    The processes of one number, workload and interpreter had the same draws and measured in turns, so that their rounds
    of one number are paired. Raises `ValueError` for a file that is damaged.
    """
    found = Again()
    ended = crashed(folder)
    for cell in cells:
        base = cell._replace(subject=reference)
        logs, reference_ns = [], []
        for number in range(processes):
            names = [stem(it, number) for it in (base, cell)]
            if (reason := next((ended[name] for name in names if name in ended), None)) is not None:
                found.reasons[cell] = reason
                break
            paths = [folder / f"{name}.json" for name in names]
            if not all(path.exists() for path in paths):
                found.missing.append(cell)
                break
            ratio, ns, reason = pair(paths, cell, reference)
            if reason is not None:
                found.reasons[cell] = reason
                break
            logs.append(math.log(ratio))
            reference_ns.append(ns)
        else:
            found.logs[cell] = logs
            found.reference_ns[cell] = median(reference_ns)
    return found


def pair(paths: Sequence[Path], cell: Cell, reference: str) -> tuple[float, float, str | None]:
    """Return the ratio of the second file's cell to the first's, the latter's ns, and the reason if there is none."""
    sample, process = Sample(cell.interpreter), Process()
    for path in paths:
        read_block(path, sample, process)
    compare_work(process, sample)
    key, against = (cell.workload, cell.subject), (cell.workload, reference)
    for each in (against, key):
        if each in sample.void:
            return math.nan, math.nan, f"{each[1]} is void alone: {sample.void[each]}"
    ratio = process.ratio(key, against)
    if not (math.isfinite(ratio) and ratio > 0):
        return math.nan, math.nan, "alone, its time has no finite ratio"
    return ratio, process.median_net(against), None


def read_sample(folder: Path, interpreter: str) -> dict[str, list[Process]]:
    """Return the processes of the sample that a run took of an interpreter, by kind: ``alone`` and ``chunks``.

    The processes of one number are read as one: each may have one binding.
    """
    found: dict[str, list[Process]] = {}
    for kind in ("alone", "chunks"):
        sample = Sample(interpreter)
        by_number: dict[str, Process] = {}
        for path in sorted((folder / "sample").glob(f"{kind}+{interpreter}@*.json")):
            read_block(path, sample, by_number.setdefault(path.stem.rpartition("-")[2], Process()))
        for process in by_number.values():
            process.net = {key: values for key, values in process.net.items() if key not in sample.void}
        found[kind] = list(by_number.values())
    return found
