# SPDX-License-Identifier: Apache-2.0
"""The look at a run before it has all its processes: which workloads need no more of them.

:mod:`cside_bench.statistics.selective` says how the false coverage rate is divided between the look and the end. What a
look has decided is kept in a file of the run, so that the summary judges by it, and a resumed run too.
"""

import json
from pathlib import Path
from typing import Final

from cside_suite.files import write_json
from cside_suite.subjects.names import DELAYED

from cside_bench.results.plan import Plan
from cside_bench.results.rounds import Sample, read_run, whole_bindings
from cside_bench.statistics.intervals import verdict
from cside_bench.summary import sizes, steady
from cside_bench.summary.calls import Look, judge, margin_of, observe, pairs_of, placement_of, shown

FOLDER: Final = "looks"
"""Folder of a run that has one file for each interpreter that was looked at."""


def take(folder: Path, label: str) -> list[str]:
    """Look at the processes of an interpreter that are there, keep what was decided, and return the other workloads."""
    plan = Plan.load(folder)
    sample = read_run(folder)[label]
    steady.mark(sample, plan.reference)
    planned = len({block.number for block in plan.blocks if block.interpreter == label})
    look = decide(sample, plan.reference, whole_bindings(folder, label), planned)
    path = folder / FOLDER / f"{label}.json"
    path.parent.mkdir(exist_ok=True)
    write_json(path, {"processes": look.processes, "of": look.of, "decided": sorted(look.decided)}, indent=1)
    return sorted({workload for workload, _ in sample.cells()} - look.decided)


def read(folder: Path, label: str) -> Look | None:
    """Return the look that was taken at an interpreter; None if there was none."""
    path = folder / FOLDER / f"{label}.json"
    if not path.exists():
        return None
    entry = json.loads(path.read_text(encoding="utf-8"))
    return Look(entry["processes"], entry["of"], frozenset(entry["decided"]))


def decide(sample: Sample, reference: str, ranked: frozenset[str], planned: int) -> Look:
    """Return which workloads are decided, when some of the ``planned`` processes have been measured.

    All pairs of a workload have to be decided that ranks are computed from, and the delay has to be found where there
    is one. The headline rows, the sizes that a model by size needs, and workloads with a cell that is not steady are
    measured to the end.
    """
    look = Look(len(sample.processes), planned, frozenset())
    pairs = pairs_of(sample, reference, ranked)
    observed = [observe(it, sample.processes) for it in pairs]
    margin, placement = margin_of(pairs, observed), placement_of(pairs, observed, reference)
    undecided = {
        it.workload
        for it, compared in judge(pairs, observed, reference, ranked, margin, look.level, placement).items()
        if (it.first == DELAYED or {it.first, it.second} <= ranked) and verdict(compared, margin) == "inconclusive"
    }
    swept = tuple(f"{family}[" for family, _ in sizes.FAMILIES)
    needed = undecided | shown() | {workload for workload, _ in sample.unsteady}
    return Look(
        look.processes,
        planned,
        frozenset(it.workload for it in pairs if it.workload not in needed and not it.workload.startswith(swept)),
    )
