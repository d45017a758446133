# SPDX-License-Identifier: Apache-2.0
"""Applies :mod:`cside_bench.statistics.checks` to the controls of a run: one list of checks per interpreter."""

import math
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from cside_suite.subjects.names import AA, DELAY, DELAY_TOLERANCE, DELAYED, TWIN, twin_of, twinned
from numpy.typing import NDArray

from cside_bench.results.rounds import Array, Key, Process, Sample
from cside_bench.statistics import checks as statistics_checks
from cside_bench.statistics.checks import Check, Rounds
from cside_bench.statistics.intervals import logarithms
from cside_bench.summary.calls import Comparisons, Pair

Tables = dict[str, tuple[Rounds, dict[str, int]]]
"""The chunks of each workload in one process, and the row of each subject."""


def checks_of(sample: Sample, found: Comparisons, reference: str, techniques: Iterable[str] = ()) -> list[Check]:
    """Return every check of one interpreter: those of the controls, and those of each technique."""
    checks = []
    for name in AA:
        table, compared = against(sample, found, name, reference)
        checks.append(statistics_checks.same_code(name, table, compared, layout=name != TWIN))
    twinned_techniques = twins_of(sample)
    pairs = len([name for name in twinned_techniques if twin_of(name) not in sample.single])
    checks += [of_twin(sample, found, name, pairs) for name in twinned_techniques]
    table = ratios(sample, DELAYED, TWIN)
    delays = [compared for pair, compared in found.found.items() if (pair.first, pair.second) == (DELAYED, TWIN)]
    checks.append(
        statistics_checks.delay(table, delays, expected=DELAY, tolerance=DELAY_TOLERANCE, margin=found.margin)
    )
    tables = [chunks(process, sample) for process in sample.processes]
    checks.append(statistics_checks.position([[it for it, _ in table.values()] for table in tables]))
    twins = set(workloads_of(sample, TWIN))
    checks.append(statistics_checks.drift([moves(process, TWIN, reference, twins) for process in sample.processes]))
    checks.append(statistics_checks.machine([times(process, reference) for process in sample.processes]))
    measured = [name for name in sorted(techniques) if steady_workloads(sample, name)]
    for name in measured:
        checks += of_technique(sample, name, reference, tables, len(measured))
    return checks


def twins_of(sample: Sample) -> list[str]:
    """Return the bindings that have a twin in a sample, those whose twin is void or left out too."""
    subjects = {subject for _, subject in sample.cells()} | sample.single.keys()
    return sorted({name for subject in subjects if (name := twinned(subject)) is not None})


def of_twin(sample: Sample, found: Comparisons, name: str, techniques: int) -> Check:
    """Return the A/A check of a binding other than the reference: its twin compared with itself.

    ``techniques`` is the number of bindings that have such a check.

    A binding that declares that it cannot be loaded twice has none. Its checks are those of place and drift, and the
    reference's twin; the missing one is told, and does not decide.
    """
    twin = twin_of(name)
    if twin in sample.single:
        says = f"{name} has no twin, since it {sample.single[twin]}"
        return statistics_checks.missing(f"{TWIN}: {name}", statistics_checks.SMALLEST, says, decides=False)
    pairs = [pair for it in workloads_of(sample, twin) if (pair := Pair(it, twin, name)) in found.found]
    rows = [
        logarithms([process.ratio((pair.workload, twin), (pair.workload, name)) for process in sample.processes])
        for pair in pairs
    ]
    table = np.vstack(rows) if rows else np.empty((0, len(sample.processes)))
    compared = [found.found[pair] for pair in pairs]
    return statistics_checks.same_code(f"{TWIN}: {name}", table, compared, comparisons=techniques)


def steady_workloads(sample: Sample, subject: str) -> set[str]:
    """Return the workloads in which a subject was measured and has a ratio."""
    return {key[0] for key in sample.cells() if key[1] == subject and sample.usable(key)}


def of_technique(sample: Sample, name: str, reference: str, tables: list[Tables], techniques: int) -> list[Check]:
    """Return the checks of one technique: whether its own times depend on their place, and its ratios on the round.

    A cell that is not steady has no ratio, so it is left out. ``techniques`` is the number of those that have checks.
    """
    steady = steady_workloads(sample, name)
    rounds = [[replace(it, row=rows[name]) for it, rows in table.values() if name in rows] for table in tables]
    found = [statistics_checks.position(rounds, name, techniques)]
    if name != reference:
        paired = [moves(process, name, reference, steady) for process in sample.processes]
        found.append(statistics_checks.drift(paired, name, techniques))
    return found


def plain(check: Check) -> dict[str, Any]:
    """Return a check as plain data for ``summary.json``."""
    numbers = {name: getattr(check, name) for name in ("estimate", "low", "high", "limit")}
    rounded = {name: float(f"{value:.4g}") if math.isfinite(value) else None for name, value in numbers.items()}
    return {
        "name": check.name,
        **rounded,
        "passed": bool(check.passed) if check.decides and check.passed is not None else None,
        "says": check.says,
        "decides": check.decides,
    }


def workloads_of(sample: Sample, subject: str) -> list[str]:
    """Return the workloads of a control that are valid and steady."""
    return [workload for workload, name in sample.cells() if name == subject and sample.usable((workload, name))]


def ratios(sample: Sample, subject: str, other: str) -> Array:
    """Return log ratios of one subject to another, workloads x processes."""
    rows = [
        logarithms([process.ratio((workload, subject), (workload, other)) for process in sample.processes])
        for workload in workloads_of(sample, subject)
    ]
    return np.vstack(rows) if rows else np.empty((0, len(sample.processes)))


def against(sample: Sample, found: Comparisons, subject: str, reference: str) -> tuple[Array, list[Any]]:
    """Return the log ratios to the reference, and the comparisons of the same cells within their family."""
    names = workloads_of(sample, subject)
    return ratios(sample, subject, reference), [found.of((workload, subject)) for workload in names]


def chunks(process: Process, sample: Sample) -> Tables:
    """Return times and places of the steady cells of each workload, cells x rounds."""
    by_workload: dict[str, list[Key]] = {}
    for key, net in process.net.items():
        place = process.position.get(key)
        if sample.usable(key) and place is not None and len(place) == len(net) and process.median_net(key) > 0:
            by_workload.setdefault(key[0], []).append(key)
    found: Tables = {}
    for workload, members in by_workload.items():
        if len({len(process.raw[key]) for key in members}) == 1:
            times, places = (np.vstack([it[key] for key in members]) for it in (process.raw, process.position))
            found[workload] = Rounds(times, places), {key[1]: row for row, key in enumerate(members)}
    return found


def moves(
    process: Process, subject: str, reference: str, workloads: Container[str] | None = None
) -> list[tuple[NDArray[np.float64], Array]]:
    """Return round numbers and paired ratios of each workload of a process, or of some."""
    found = []
    for key, number in process.number.items():
        if key[1] == subject and (workloads is None or key[0] in workloads):
            ratio = process.rounds_of(key, (key[0], reference))
            if len(ratio) == len(number):
                found.append((number, ratio))
    return found


def times(process: Process, subject: str) -> list[tuple[NDArray[np.float64], Array]]:
    """Return round numbers and ns per call of each workload of a process."""
    return [(number, process.raw[key]) for key, number in process.number.items() if key[1] == subject]
