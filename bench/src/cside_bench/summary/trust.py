# SPDX-License-Identifier: Apache-2.0
"""Applies :mod:`cside_bench.statistics.checks` to the controls of a run: one list of checks per interpreter."""

import math
from typing import Any

import numpy as np
from cside_suite.subjects.names import AA, DELAY, DELAY_TOLERANCE, DELAYED, TWIN
from numpy.typing import NDArray

from cside_bench.results.rounds import Array, Process, Sample
from cside_bench.statistics import checks as statistics_checks
from cside_bench.statistics.checks import Check, Rounds
from cside_bench.statistics.intervals import logarithms
from cside_bench.summary.calls import Comparisons, paired


def checks_of(sample: Sample, found: Comparisons, reference: str) -> list[Check]:
    """Return every check of one interpreter."""
    checks = []
    for name in AA:
        table, compared = against(sample, found, name, reference)
        checks.append(statistics_checks.same_code(name, table, compared, layout=name != TWIN))
    table = ratios(sample, DELAYED, TWIN)
    delays = [compared for pair, compared in found.found.items() if (pair.first, pair.second) == (DELAYED, TWIN)]
    checks.append(
        statistics_checks.delay(table, delays, expected=DELAY, tolerance=DELAY_TOLERANCE, margin=found.margin)
    )
    checks.append(statistics_checks.position([chunks(process) for process in sample.processes if process.paired]))
    checks.append(statistics_checks.drift([moves(process, TWIN, reference) for process in sample.processes]))
    checks.append(statistics_checks.machine([times(process, reference) for process in sample.processes]))
    return checks


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
    """Return the valid workloads of a control."""
    keys = sample.cells()
    return [workload for workload, name in keys if name == subject and (workload, name) not in sample.void]


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


def chunks(process: Process) -> list[Rounds]:
    """Return times and places of each workload of a process, cells x rounds."""
    by_workload: dict[str, list[tuple[Array, Array]]] = {}
    for key, net in process.net.items():
        place = process.position.get(key)
        if place is not None and len(place) == len(net) and np.median(net) > 0:
            by_workload.setdefault(key[0], []).append((process.raw[key], place))
    found = []
    for members in by_workload.values():
        if len({len(values) for values, _ in members}) == 1:
            found.append(Rounds(np.vstack([it[0] for it in members]), np.vstack([it[1] for it in members])))
    return found


def moves(process: Process, subject: str, reference: str) -> list[tuple[NDArray[np.float64], Array]]:
    """Return round numbers and paired ratios of each workload of a process."""
    found = []
    for key, number in process.number.items():
        if key[1] == subject:
            ratio = paired(process, key, (key[0], reference))
            if len(ratio) == len(number):
                found.append((number, ratio))
    return found


def times(process: Process, subject: str) -> list[tuple[NDArray[np.float64], Array]]:
    """Return round numbers and ns per call of each workload of a process."""
    return [(number, process.raw[key]) for key, number in process.number.items() if key[1] == subject]
