# SPDX-License-Identifier: Apache-2.0
"""The look at a run before it has all its processes: which cells need no more of them.

:mod:`cside_bench.statistics.selective` says how the false coverage rate is divided between the look and the end. What a
look has decided is kept in a file of the run, so that the summary judges by it, and a resumed run too.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cside_suite.files import write_json
from cside_suite.subjects.names import is_control

from cside_bench.results import headline
from cside_bench.results.plan import Plan, PlanError
from cside_bench.results.rounds import Key, Sample, read_run, whole_bindings
from cside_bench.statistics.intervals import verdict
from cside_bench.summary import sizes, steady
from cside_bench.summary.calls import Look, Pair, judge, margin_of, observe, pairs_of, placement_of
from cside_bench.summary.targets import load_targets

FOLDER: Final = "looks"
"""Folder of a run that has one file for each interpreter that was looked at."""
DIRECT: Final = "floor.direct"
"""The loop in C to which a model by size relates the time of a binding."""


def take(folder: Path, label: str) -> frozenset[Key]:
    """Look at the processes of an interpreter that are there; keep and return the cells that are decided.

    A run looks once: where a look was kept, even one that decided nothing, what it decided is returned.
    """
    if (kept := read(folder, label)) is not None:
        return kept.decided
    plan = Plan.load(folder)
    sample = read_run(folder)[label]
    steady.mark(sample, plan.reference)
    planned = len({block.number for block in plan.blocks if block.interpreter == label})
    rows = frozenset(row["workload"] for row in headline.of_run(folder))
    look = decide(sample, plan.reference, whole_bindings(folder, label), planned, rows)
    path = folder / FOLDER / f"{label}.json"
    path.parent.mkdir(exist_ok=True)
    write_json(path, {"processes": look.processes, "of": look.of, "decided": sorted(look.decided)}, indent=1)
    return look.decided


def read(folder: Path, label: str) -> Look | None:
    """Return the look that was taken at an interpreter; None if there was none.

    Raises `PlanError` for the file of an earlier version.
    """
    path = folder / FOLDER / f"{label}.json"
    if not path.exists():
        return None
    entry = json.loads(path.read_text(encoding="utf-8"))
    if any(isinstance(it, str) for it in entry["decided"]):
        raise PlanError(f"{path} is of an earlier version of cside, whose looks decided whole workloads: measure again")
    return Look(entry["processes"], entry["of"], frozenset((first, second) for first, second in entry["decided"]))


def decide(sample: Sample, reference: str, ranked: frozenset[str], planned: int, rows: frozenset[str]) -> Look:
    """Return which cells are decided, when some of the ``planned`` processes have been measured.

    A cell is decided if all its pairs are. Measured to the end are the reference wherever another cell is; all cells of
    a workload with one that is not steady; controls, since their checks pool what is measured, and would pool what
    happens to be undecided; what a target compares; and, in the headline ``rows`` and at the sizes that a model by size
    needs, whole bindings and the direct loop in C.
    """
    look = Look(len(sample.processes), planned, frozenset())
    pairs = pairs_of(sample, reference, ranked)
    observed = [observe(it, sample.processes) for it in pairs]
    margin, placement = margin_of(pairs, observed), placement_of(pairs, observed, reference)
    compared = judge(pairs, observed, reference, ranked, margin, look.level, placement)
    needed = set(sample.unsteady)
    for pair in pairs:
        if verdict(compared[pair], margin) == "inconclusive":
            needed |= {(pair.workload, pair.first), (pair.workload, pair.second)}
    swept = tuple(f"{family}[" for family, _ in sizes.FAMILIES)
    moving = {workload for workload, _ in sample.unsteady}
    for target in load_targets():
        needed |= {key for key in (target.of, target.to, target.base) if key is not None}
    decided = set()
    for workload, subject in {(it.workload, name) for it in pairs for name in (it.first, it.second)} - needed:
        modelled = workload in rows or workload.startswith(swept)
        kept = is_control(subject) or (modelled and (subject in ranked or subject == DIRECT))
        if workload not in moving and not kept:
            decided.add((workload, subject))
    return Look(look.processes, planned, frozenset(with_their_reference(decided, pairs, reference)))


def with_their_reference(decided: set[Key], pairs: Sequence[Pair], reference: str) -> set[Key]:
    """Return the decided cells, with those of the reference where nothing else is left and without the others."""
    left = {(it.workload, it.first) for it in pairs} | {(it.workload, it.second) for it in pairs}
    left = {key for key in left - decided if key[1] != reference}
    busy = {workload for workload, _ in left}
    others = {key for key in decided if key[1] != reference}
    return others | {(workload, reference) for workload, _ in others if workload not in busy}
