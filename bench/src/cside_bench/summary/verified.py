# SPDX-License-Identifier: Apache-2.0
"""Judges a run by cells that were measured again alone: writes ``verify.json``, and a section of ``summary.json``.

:mod:`cside_bench.statistics.prediction` says in which interval the new ratios are expected.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jsonschema
import numpy as np
from cside_suite.files import write_json

from cside_bench.results.digits import number
from cside_bench.results.evidence import Run
from cside_bench.results.rounds import Key, Process, Sample
from cside_bench.results.selection import is_binding
from cside_bench.results.verified import DOCUMENT, Again, Cell, Settings, read_sample
from cside_bench.statistics.intervals import logarithms
from cside_bench.statistics.prediction import Excess, Scatter, excess, pooled, predict, scatters
from cside_bench.statistics.student import Interval, student

FORMAT: Final = 1
"""Version of the format of ``verify.json``."""
SHARE: Final = 0.9
"""Least share of the cells of an interpreter whose new ratio lies within its prediction interval."""
FACTOR: Final = 1.3
"""Largest factor between the ratio of a run and the new one, where the run does not call its own inconclusive."""


def judge(run: Run, again: Again, settings: Settings, without_ratio: int = 0) -> dict[str, Any]:
    """Return the document of ``verify.json``: every cell, and counts by interpreter and binding."""
    by_label: dict[str, list[Cell]] = {}
    for cell in again.logs:
        by_label.setdefault(cell.interpreter, []).append(cell)
    cells: list[dict[str, Any]] = []
    interpreters = []
    for label in [it for it in run.labels if it in by_label or any(one.interpreter == it for one in again.reasons)]:
        own = by_label.get(label, [])
        beyond = excess((again.logs[cell], logarithms(run.ratios(*cell))) for cell in own)
        scatter = scatters(again.logs[cell] for cell in own)
        found = [judged(run, cell, again.logs[cell], beyond, its) for cell, its in zip(own, scatter, strict=True)]
        failed = [
            {"workload": cell.workload, "subject": cell.subject, "reason": reason}
            for cell, reason in again.reasons.items()
            if cell.interpreter == label
        ]
        cells += found
        reaches = [math.log(it["predicted_high"] / it["predicted_low"]) / 2 for it in found if it["predicted_low"]]
        interpreters.append(
            {
                "label": label,
                "trustworthy": run.trusted(label),
                "margin": number(run.margin(label)),
                "excess": spread(beyond),
                "reach": number(math.expm1(float(np.median(reaches)))) if reaches else None,
                "reference_time": reference_time(run, own, again),
                **counts(found),
                "failed": failed,
                "bindings": [
                    binding(subject, [it for it in found if it["subject"] == subject], run.margin(label))
                    for subject in run.bindings
                    if any(it["subject"] == subject for it in found)
                ],
            }
        )
    return {
        "format": FORMAT,
        "run": run.name,
        "reference": run.reference,
        "seed": settings.seed,
        "seconds": settings.seconds,
        "processes": settings.processes,
        "without_ratio": without_ratio,
        "unfinished": len(again.missing),
        "passed": bool(interpreters) and not again.missing and all(passes(entry) for entry in interpreters),
        "interpreters": interpreters,
        "cells": cells,
    }


def judged(
    run: Run, cell: Cell, logs: Sequence[float], beyond: Excess | None, scatter: Scatter | None
) -> dict[str, Any]:
    """Return one cell: its ratio in the run and alone, and whether the latter lies where it is expected."""
    known = run.cells[cell]
    alone = math.exp(float(np.mean(logs)))
    expected = predict(logarithms(run.ratios(*cell)), len(logs), beyond, scatter)
    low, high = math.exp(expected.low), math.exp(expected.high)
    times = max(alone / known["ratio"], known["ratio"] / alone)
    return {
        "interpreter": cell.interpreter,
        "workload": cell.workload,
        "subject": cell.subject,
        "ratio": known["ratio"],
        "ratio_low": known["ratio_low"],
        "ratio_high": known["ratio_high"],
        "verdict": known["verdict"],
        "alone": number(alone),
        "processes": [number(math.exp(value)) for value in logs],
        "predicted_low": number(low),
        "predicted_high": number(high),
        "in_interval": within(alone, known["ratio_low"], known["ratio_high"]),
        "in_prediction": within(alone, low, high) if math.isfinite(low) else None,
        "times": number(times),
        "wrong": known["verdict"] != "inconclusive" and times > FACTOR,
        "contradicted": contradicted(known["verdict"], alone, run.margin(cell.interpreter)),
    }


def reference_time(run: Run, cells: Sequence[Cell], again: Again) -> float | None:
    """Return how many times as long the reference's calls took as in the run, the median over workloads.

    It tells whether the machine is in the state that it was in: where a core is shared, ratios are others.
    """
    found = {
        cell.workload: again.reference_ns[cell] / float(np.nanmedian(known))
        for cell in cells
        if cell in again.reference_ns
        and len(known := run.ns(cell.interpreter, cell.workload, run.reference))
        and np.isfinite(known).any()
    }
    return number(float(np.median(list(found.values())))) if found else None


def spread(beyond: Excess | None) -> float | None:
    """Return the standard deviation of an excess, as a share: 0.05 is 5 %; None if it is not known."""
    return None if beyond is None else number(math.expm1(math.sqrt(beyond.variance)))


def within(value: float, low: float | None, high: float | None) -> bool | None:
    """Whether a value lies between bounds; None without bounds."""
    return None if low is None or high is None else low <= value <= high


def contradicted(verdict: str, ratio: float, margin: float) -> bool:
    """Whether a cell that is called faster is slower by more than the margin alone, or the other way round."""
    return ratio > 1 + margin if verdict == "faster" else verdict == "slower" and ratio < 1 / (1 + margin)


def counts(cells: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many cells were tried, have an interval, lie within it, within the prediction's, and are wrong."""
    return {
        "tried": len(cells),
        "with_interval": sum(it["in_interval"] is not None for it in cells),
        "in_interval": sum(it["in_interval"] is True for it in cells),
        "with_prediction": sum(it["in_prediction"] is not None for it in cells),
        "in_prediction": sum(it["in_prediction"] is True for it in cells),
        "wrong": sum(it["wrong"] for it in cells),
        "contradicted": sum(it["contradicted"] for it in cells),
    }


def binding(subject: str, cells: Sequence[Mapping[str, Any]], margin: float) -> dict[str, Any]:
    """Return the counts of one binding, and by how much its ratios are shifted, with Student's interval over cells.

    Each cell has processes of its own, so that cells are independent observations of the binding's shift.
    """
    shift = student([math.log(it["alone"] / it["ratio"]) for it in cells])
    return {"subject": subject, **counts(cells), **shifted(shift, margin)}


def shifted(shift: Interval, margin: float, *, decides: bool = True) -> dict[str, Any]:
    """Return a shift of log ratios as a factor with its bounds, and whether all of it lies beyond the margin.

    A sample whose processes differ by more than the margin does not decide that.
    """
    limit = math.log1p(margin)
    return {
        "shift": number(math.exp(shift.value)),
        "shift_low": number(math.exp(shift.low)),
        "shift_high": number(math.exp(shift.high)),
        "beyond": decides and bool(shift.low > limit or shift.high < -limit),
    }


def passes(entry: Mapping[str, Any]) -> bool:
    """Whether the verification of an interpreter found nothing to look at."""
    enough = entry["in_prediction"] >= SHARE * entry["with_prediction"]
    return bool(entry["with_prediction"] and enough and not entry["wrong"] and not entry["failed"])


def write(run: Run, document: Mapping[str, Any]) -> Path:
    """Check the document against its schema and write ``verify.json`` into the run's folder; return its path."""
    schema = json.loads(files("cside_bench.summary").joinpath("verified.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    write_json(run.folder / DOCUMENT, document, indent=1)
    return run.folder / DOCUMENT


def section(folder: Path, samples: Mapping[str, Sample], reference: str, margins: Mapping[str, float]) -> Any:
    """Return the section ``sample`` of ``summary.json``; None if the run took none.

    ``alone`` compares bindings that have a process of their own with the run, ``chunks`` compares chunks of 4 ms.
    """
    entries = []
    for label, sample in samples.items():
        found = read_sample(folder, label)
        parts = {
            kind: part(sample, processes, reference, margins[label]) for kind, processes in found.items() if processes
        }
        if any(entry["bindings"] for entry in parts.values()):
            entries.append({"label": label, "alone": None, "chunks": None, **parts})
    return {"interpreters": entries} if entries else None


def part(run: Sample, processes: Sequence[Process], reference: str, margin: float) -> dict[str, Any]:
    """Compare the processes of one kind of sample with those of the run, by binding."""
    rows: dict[Key, tuple[list[float], Any]] = {}
    for key in sorted({key for process in processes for key in process.net}):
        against = (key[0], reference)
        usable = run.usable(key) and run.usable(against) and is_binding(key[1]) and key[1] != reference
        old = logarithms([process.ratio(key, against) for process in run.processes])
        new = logarithms([process.ratio(key, against) for process in processes])
        if usable and np.isfinite(old).sum() > 1 and np.isfinite(new).all():
            rows[key] = new.tolist(), old
    subjects = sorted({subject for _, subject in rows})
    # the cells of a process are not independent, and nor are two bindings whose ratios refer to one process
    beyond = excess(rows.values(), freedom=max(1.0, len(subjects) * (len(processes) - 1.0)))
    decides = beyond is not None and math.sqrt(beyond.variance) <= math.log1p(margin)
    shifts = {subject: pooled([row for key, row in rows.items() if key[1] == subject], beyond) for subject in subjects}
    return {
        "processes": len(processes),
        "excess": spread(beyond),
        "decides": decides,
        "workloads": sorted({workload for workload, _ in rows}),
        "bindings": [
            {"subject": subject, **shifted(shift, margin, decides=decides)} for subject, shift in shifts.items()
        ],
        "cells": len(rows),
        "outside": list(outside(rows.items(), beyond)),
    }


def outside(rows: Iterable[tuple[Key, tuple[list[float], Any]]], beyond: Excess | None) -> Iterable[dict[str, Any]]:
    """Yield the cells whose mean ratio lies outside the interval in which it is expected."""
    for (workload, subject), (new, old) in rows:
        expected = predict(old, len(new), beyond)
        value = float(np.mean(new))
        if not expected.low <= value <= expected.high:
            yield {
                "workload": workload,
                "subject": subject,
                "ratio": number(math.exp(expected.value)),
                "sampled": number(math.exp(value)),
                "predicted_low": number(math.exp(expected.low)),
                "predicted_high": number(math.exp(expected.high)),
            }
