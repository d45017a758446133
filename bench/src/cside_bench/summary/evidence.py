# SPDX-License-Identifier: Apache-2.0
"""Writes ``evidence.json``: for each cell one number per process, and for each pair of approaches their comparison.

The summary has the results that a reader looks up. The evidence has the numbers from which a claim, a recommendation or
a figure is computed, so that the raw rounds need not be read again.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cside_suite.files import write_json

from cside_bench.results import evidence
from cside_bench.results.digits import number
from cside_bench.results.rounds import Sample
from cside_bench.statistics.intervals import Comparison, intervals, verdict
from cside_bench.summary.calls import Comparisons


def compared(found: Comparison, judgement: str) -> list[Any]:
    """Return the fields of a :class:`cside_bench.results.evidence.Pair`, in order."""
    bounds = (found.adjusted_low, found.adjusted_high, found.low, found.high)
    return [number(found.value), *map(number, bounds), found.processes, judgement]


def of_sample(sample: Sample, found: Comparisons, *, verdicts: bool) -> dict[str, Any]:
    """Return the valid cells of one interpreter by workload: ``ratios`` and ``ns`` by subject, ``pairs`` by
    ``one/two``, and the reason of each cell that is not steady, which has neither of them.
    """
    workloads: dict[str, Any] = {}
    for key in sample.cells():
        workload, subject = key
        if key in sample.void:
            continue
        entry = workloads.setdefault(workload, {"ratios": {}, "ns": {}, "pairs": {}, "unsteady": {}})
        if key in sample.unsteady:
            entry["unsteady"][subject] = sample.unsteady[key]
            continue
        entry["ns"][subject] = [number(process.median_net(key)) for process in sample.processes]
        reference = (workload, found.reference)
        if sample.usable(reference):
            entry["ratios"][subject] = [
                1.0 if key == reference else number(process.ratio(key, reference)) for process in sample.processes
            ]
    for pair, ratio in found.found.items():
        if math.isfinite(ratio.value):
            judgement = verdict(ratio, found.margin) if verdicts else "none"
            workloads[pair.workload]["pairs"][f"{pair.first}/{pair.second}"] = compared(ratio, judgement)
    return workloads


def of_imports(by_name: Mapping[str, Sequence[float]], reference: str) -> dict[str, Any]:
    """Return the evidence of the workload ``import``, with one observation per fresh process."""
    base = by_name.get(reference, ())
    ratios = {name: [ns / other for ns, other in zip(times, base, strict=False)] for name, times in by_name.items()}
    names = [name for name in by_name if name != reference and ratios[name]]
    found = intervals([ratios[name] for name in names], logarithmic=True)
    return {
        "ratios": {name: [number(value) for value in values] for name, values in ratios.items()},
        "ns": {name: [number(value) for value in values] for name, values in by_name.items()},
        "pairs": {
            f"{name}/{reference}": [number(it.value), None, None, number(it.low), number(it.high), it.processes, "none"]
            for name, it in zip(names, found, strict=True)
        },
    }


def write(
    folder: Path,
    found: Iterable[tuple[Sample, Comparisons, bool]],
    imports: Mapping[str, Mapping[str, Sequence[float]]],
) -> None:
    """Write the file; ``found`` has the sample of each interpreter, its comparisons and whether it gives verdicts."""
    interpreters: dict[str, Any] = {}
    reference = ""
    for sample, compared_, verdicts in found:
        reference = compared_.reference
        workloads = of_sample(sample, compared_, verdicts=verdicts)
        if by_name := imports.get(sample.label):
            workloads["import"] = of_imports(by_name, reference)
        interpreters[sample.label] = {
            "processes": len(sample.processes),
            "placement": number(float(compared_.placement.variance) ** 0.5),
            "workloads": workloads,
        }
    document = {"format": evidence.FORMAT, "reference": reference, "interpreters": interpreters}
    write_json(folder / evidence.FILE, document)
