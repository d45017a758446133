# SPDX-License-Identifier: Apache-2.0
"""Evidence that is about time: ``ratio``, ``difference``, ``model``, ``threads`` and ``steady``."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from cside_bench.claims import bounds, choosing
from cside_bench.claims.bounds import Bound
from cside_bench.claims.catalogue import Workloads
from cside_bench.claims.rows import AGAINST, FOR, UNCLEAR, Found, Row, side
from cside_bench.claims.wording import WITHIN, between, digits, joined, nbytes, ns, several, times
from cside_bench.results.evidence import Run
from cside_bench.statistics.student import LEAST_PROCESSES

Sets = Mapping[str, Workloads]
Rule = Mapping[str, Any]

NATIVE: Final = "floor.direct"
"""The subject of a call that C makes directly."""
CEILING: Final = 0.75
"""The efficiency of C alone below which no binding is judged, as in :mod:`cside_bench.summary.threads`."""
LEAST_COVERED: Final = 0.5
"""Least share of the workloads of a claim that a pair of subjects must have ratios for on an interpreter. A pair with
fewer is no evidence there: a claim about all calls is not judged by the few that a partial variant offers."""
OPPOSITE: Final = ("warmup", "flat", "slowdown", "no steady state")
"""Classes of :mod:`cside_bench.statistics.warmup` that decide; all others (inconsistent, unresolved) are unclear."""


def ratio(run: Run, rule: Rule, labels: Sequence[str], sets: Sets) -> Found:
    """Return one row per interpreter, workload and pair: the ratio of the times of ``subject`` and ``against``.

    A pair that has a ratio for less than :data:`LEAST_COVERED` of an interpreter's workloads has no rows there.
    """
    found = Found(absent="none of these workloads has both subjects")
    gaps = spoilt = unsteady = 0
    handicapped = _handicapped(run)
    uncovered = []
    pairs = [
        (one, two)
        for one in choosing.subjects(run, rule["subject"])
        for two in choosing.subjects(run, rule["against"])
        if one != two
    ]
    for label in labels:
        chosen = choosing.workloads(run.workloads(label), rule["workloads"], rule["except"], sets)
        chosen = [it for it in chosen if _long_enough(run, rule, label, it)]
        for one, two in pairs:
            rows = []
            left_out = 0
            for workload in chosen:
                if handicapped & {(workload, one), (workload, two)}:
                    left_out += 1
                    continue
                if run.unsteady(label, workload, one) or run.unsteady(label, workload, two):
                    unsteady += 1
                    continue
                bound = bounds.ratio(run, label, workload, one, two)
                if bound is None:
                    gaps += one in run.bindings and two in run.bindings
                    continue
                supports = side(_position(rule, bound, run.margin(label)))
                alone = Bound(bound.value, bound.value, bound.value)
                leans = FOR if _position(rule, alone, run.margin(label)) > 0 else AGAINST
                what = f"{one} takes {times(bound.value)} the time of {two}{between(bound)}"
                rows.append(Row(label, workload, one, two, bound, "ratio", supports, what, leans=leans))
            spoilt += left_out
            if not rows or len(rows) + left_out >= LEAST_COVERED * len(chosen):
                found.rows += rows
            else:
                uncovered.append(f"{one} against {two} on {label} ({len(rows)} of {several(len(chosen), 'workload')})")
    if uncovered:
        said = f"fewer than half of the workloads have a ratio of {joined(uncovered)}"
        found.absent = said
        found.notes += [f"not judged, since {said}"]
    if gaps and found.rows:
        found.notes.append(f"{several(gaps, 'more cell')} without a ratio (a gap, void, or compiled away)")
    if unsteady:
        found.notes.append(f"{several(unsteady, 'cell')} left out, not steady")
        found.absent += f"; {several(unsteady, 'cell')} not steady"
    if spoilt:
        found.notes.append(f"{several(spoilt, 'cell')} left out, made slower on purpose")
    return found


def _long_enough(run: Run, rule: Rule, label: str, workload: str) -> bool:
    """Return whether a call takes as long as the rule wants: in C or, where C was not timed, by ``against``."""
    least = rule["at-least-ns"]
    if least is None:
        return True
    for subject in (NATIVE, *choosing.subjects(run, rule["against"])):
        known = run.ns(label, workload, subject)
        if np.isfinite(known).any():
            return bool(np.nanmedian(known) >= least)
    return False


def _handicapped(run: Run) -> set[tuple[str, str]]:
    """Return the workload and subject of cells that the run slowed down on purpose, which are no evidence."""
    return {(workload, subject) for workload, subject, _ in run.summary.get("handicaps", ())}


def _position(rule: Rule, bound: Bound, margin: float) -> int:
    direction, factor = rule["direction"], rule["factor"]
    if direction == "equivalent":
        return bound.within(factor)
    if direction == "faster":
        return -bound.side(1 / (1 + margin))
    if direction == "slower":
        return bound.side(1 + margin)
    return bound.side(factor) if direction == "at-least-factor" else -bound.side(factor)


def difference(run: Run, rule: Rule, labels: Sequence[str], _: Sets) -> Found:
    """Return one row per interpreter and subject: how much longer ``workload`` takes than ``minus``.

    The run does not compare workloads with each other, so the family of these intervals is the subjects of the claim.
    """
    found = Found(absent=f"no subject has both {rule['workload']} and {rule['minus']}")
    sign = 1 if rule["direction"] == "at-least" else -1
    handicapped = _handicapped(run)
    unsteady = sum(
        bool(run.unsteady(label, rule[name], subject))
        for label in labels
        for subject in choosing.subjects(run, rule["subject"])
        for name in ("workload", "minus")
    )
    if unsteady:
        found.notes.append(f"{several(unsteady, 'cell')} left out, not steady")
    for label in labels:
        times_of = {
            subject: (more, less)
            for subject in choosing.subjects(run, rule["subject"])
            for more, less in [[run.ns(label, rule[name], subject) for name in ("workload", "minus")]]
            if len(more) == len(less) and len(more)
            if not handicapped & {(rule["workload"], subject), (rule["minus"], subject)}
            if not (run.unsteady(label, rule["workload"], subject) or run.unsteady(label, rule["minus"], subject))
        }
        for subject, (more, less) in times_of.items():
            bound = bounds.mean(more - less, divisor=len(times_of))
            if bound is None:
                continue
            base = float(np.nanmean(less))
            limit = rule["ns"] if rule["percent"] is None else rule["percent"] / 100 * base
            what = f"{subject}: {ns(bound.value)} more than {rule['minus']} ({ns(base)})"
            what += f", 95 % between {ns(bound.low)} and {ns(bound.high)}" if bound.low is not None else ""
            position = sign * bound.side(limit)
            found.rows.append(Row(label, rule["workload"], subject, "", bound, "ns", side(position), what))
    return found


def model(run: Run, rule: Rule, labels: Sequence[str], _: Sets) -> Found:
    """Return one row per interpreter and sweep: the size from which on all approaches are near the fastest."""
    found = Found(absent="the run has no sweep over sizes of these workloads")
    limit = rule["at-most-bytes"]
    for entry in run.summary["models"]:
        if entry["label"] not in labels:
            continue
        for family in entry["families"]:
            near, name = family["all_near"], family["family"]
            if near is None or not choosing.matching([name], rule["families"]):
                continue
            value, low, high = (math.inf if near[key] is None else near[key] for key in ("nbytes", "low", "high"))
            position = 1 if high <= limit else (-1 if low > limit else 0)
            what = f"{name}: all are within {WITHIN} of the fastest from {nbytes(value)} on"
            what += f" ({nbytes(low)} to {nbytes(high)})"
            if not math.isfinite(value):
                largest = nbytes(family["sizes"][-1])
                what = f"{name}: not all are within {WITHIN} of the fastest for good up to {largest}"
            if near["extrapolated"]:
                position, what = 0, f"{what}, extrapolated"
            bound, subject = Bound(value, low, high), near["subject"]
            row = Row(entry["label"], "", subject, "fastest", bound, "bytes", side(position), what, topic=name)
            found.rows.append(row)
    return found


def threads(run: Run, rule: Rule, labels: Sequence[str], _: Sets) -> Found:
    """Return one row per interpreter, call and subject, with as many threads as there are CPUs."""
    section = run.summary["threads"]
    found = Found(absent="the run has not measured these calls in threads")
    unsteady = 0
    if section is None:
        return found
    widths = {entry["label"]: _width(entry) for entry in section["interpreters"]}
    over_rounds = {entry["label"] for entry in section["interpreters"] if entry["over"] == "rounds"}
    cells = [it for it in section["cells"] if it["threads"] == widths.get(it["interpreter"])]
    ceilings = {
        (it["interpreter"], it["call"]): it["speed_up"] / it["threads"]
        for it in cells
        if it["gil"] == "none" and it["speed_up"]
    }
    names = choosing.subjects(run, rule["subject"])
    sign = 1 if rule["direction"] == "at-least" else -1
    measure = rule["measure"]
    for cell in cells:
        label, call = cell["interpreter"], cell["call"]
        if label not in labels or cell["subject"] not in names or cell[measure] is None:
            continue
        if not choosing.matching([call], rule["calls"]):
            continue
        if run.unsteady(label, call, cell["subject"]):
            unsteady += 1
            continue
        processes = 1 if label in over_rounds else cell["observations"]
        bound = Bound(cell[measure], None, None)
        if processes >= LEAST_PROCESSES:
            bound = Bound(cell[measure], cell[f"{measure}_low"], cell[f"{measure}_high"])
        of_what = "of what C alone gains" if measure == "efficiency" else "times one thread"
        what = f"{cell['subject']}: {digits(bound.value)} {of_what} with {cell['threads']} threads{between(bound)}"
        position = sign * bound.side(rule["value"])
        if ceilings.get((label, call), 1.0) < CEILING:
            position, what = 0, f"{what}; the machine itself gave too little to judge by"
        elif processes < LEAST_PROCESSES:
            what = f"{what}; fewer than {LEAST_PROCESSES} processes decide nothing"
        known = run.cell(label, call, cell["subject"]) is not None  # some calls are measured in threads only
        where, what = (call, what) if known else ("", f"{call}, {what}")
        found.rows.append(Row(label, where, cell["subject"], "", bound, "share", side(position), what))
    if unsteady:
        found.notes.append(f"{several(unsteady, 'cell')} left out, not steady")
    return found


def _width(entry: Mapping[str, Any]) -> int:
    """Return the largest measured number of threads that have a CPU each."""
    fitting = [count for count in entry["threads"] if 1 < count <= entry["cpus"]]
    return max(fitting, default=0)


def steady(run: Run, rule: Rule, labels: Sequence[str], sets: Sets) -> Found:
    """Return one row per interpreter, workload and subject: whether its calls reached a steady state."""
    found = Found(absent="the run has not followed these calls from the first on")
    names = choosing.subjects(run, rule["subject"])
    for entry in run.summary["steady"] or []:
        if entry["label"] not in labels:
            continue
        known = dict.fromkeys(cell["workload"] for cell in entry["cells"])
        chosen = set(choosing.workloads(known, rule["workloads"], rule["except"], sets))
        for cell in entry["cells"]:
            if cell["workload"] not in chosen or cell["subject"] not in names:
                continue
            state = cell["classification"]
            supports = FOR if state in rule["states"] else (AGAINST if state in OPPOSITE else UNCLEAR)
            several = ", ".join(f"{count} {name}" for name, count in sorted(cell["counts"].items()) if count)
            what = f"{cell['subject']}: {state} ({several} of {cell['processes']} processes)"
            found.rows.append(Row(entry["label"], cell["workload"], cell["subject"], "", None, "", supports, what))
    return found


def import_rows(run: Run, rule: Rule, labels: Sequence[str]) -> list[Row]:
    """Return the rows of the cost ``import``: ratios of times in fresh processes, each interval by itself."""
    rows = []
    sign = 1 if rule["direction"] == "at-least-factor" else -1
    for label in labels:
        for one in choosing.subjects(run, rule["subject"]):
            for two in choosing.subjects(run, rule["against"]):
                mine, other = (run.ns(label, "import", name) for name in (one, two))
                count = min(len(mine), len(other))
                bound = bounds.composed(mine[:count], other[:count], divisor=1)
                if bound is None or one == two:
                    continue
                what = (
                    f"importing {one} takes {times(bound.value)} the time of {two}{between(bound)}, "
                    f"{ns(float(np.nanmedian(mine)))} against {ns(float(np.nanmedian(other)))}"
                )
                position = sign * bound.side(rule["factor"])
                rows.append(Row(label, "import", one, two, bound, "ratio", side(position), what))
    return rows
