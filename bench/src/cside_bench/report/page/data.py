# SPDX-License-Identifier: Apache-2.0
"""Every cell of one or several runs as one document, which tables, heat map and dialog of the page share.

A page may hold 40,000 cells, so that numbers are columns without names, in the order interpreter, workload, subject.
Bounds of a ratio and what single processes found are kept as distances from it: ten-thousandths of the natural
logarithm, which is as many digits as the ratio itself has. ``templates/data.js`` reads it.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from cside_suite.subjects.names import CONTROLS, natural

from cside_bench.machine.identity import distinct
from cside_bench.report.page.columns import column, rounded
from cside_bench.results.evidence import Run

FORMAT: Final = 1
SCALE: Final = 10_000
"""Parts of a unit of the natural logarithm."""
DIGITS: Final = 4
"""Significant digits of times; those of quantiles have an accuracy of 1 % to begin with."""
QUANTILE_DIGITS: Final = 3
QUANTILES: Final = ("p50", "p90", "p99", "p999")
NONE: Final = -1
"""A whole number that is not there."""


def kind(run: Run, subject: str) -> str:
    """``binding``, ``variant`` (partial), ``control`` or ``reference``."""
    if subject in run.bindings:
        return "binding"
    if subject in run.variants:
        return "variant"
    return "control" if subject in CONTROLS else "reference"


def subjects(run: Run) -> list[str]:
    """Every subject of a run: bindings, variants, references, and what else was measured, in the order of tables."""
    known = [*run.bindings, *run.variants, *run.references]
    found = {cell["binding"] + (f".{cell['variant']}" if cell["variant"] else "") for cell in run.summary["cells"]}
    return [name for name in known if name in found] + sorted(found - set(known))


def machine_ids(runs: Sequence[Run]) -> list[str]:
    """What tells runs apart: their machine, with the run's name where a machine has several."""
    return distinct((run.machine, run.name) for run in runs)


def distance(value: float | None, base: float | None) -> int | None:
    """Of a ratio from another, in :data:`SCALE` parts; None where there is no such thing."""
    if value is None or base is None or not value > 0 or not base > 0 or not math.isfinite(value):
        return None
    return round(SCALE * math.log(value / base))


class Names:
    """Texts by number, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Number of a text; a new one where it was not known."""
        return self.numbers.setdefault(text, len(self.numbers))

    def texts(self) -> list[str]:
        """All of them."""
        return list(self.numbers)


COLUMNS: Final = (
    "ns",
    "loop",
    "ratio",
    "low",
    "high",
    "alone_low",
    "alone_high",
    "p",
    "rank",
    "processes",
    "gil",
    "verdict",
    "void",
    "inside",
    *QUANTILES,
    "timer",
    "calls",
    "each",
)
"""What is known of a cell, as ``templates/data.js`` names it."""


class Document:
    """The document being made."""

    def __init__(self) -> None:
        self.subjects, self.workloads = Names(), Names()
        self.verdicts, self.gil, self.void = Names(), Names(), Names()

    def values(self, run: Run, label: str, workload: str, subject: str, cell: dict[str, Any]) -> list[Any]:
        """One cell, in the order of :data:`COLUMNS`."""
        ratio = rounded(cell["ratio"])
        net, raw = cell["ns_net"], cell["ns_raw"]
        latency = cell["latency"] or {}
        each = [distance(float(value), ratio) for value in run.ratios(label, workload, subject)]
        return [
            rounded(net, DIGITS),
            None if net is None or raw is None else rounded(raw - net, QUANTILE_DIGITS),
            ratio,
            *(distance(cell[name], ratio) for name in ("ratio_low", "ratio_high", "alone_low", "alone_high")),
            rounded(cell["adjusted_p"], 2),
            NONE if cell["rank"] is None else cell["rank"],
            cell["processes"],
            self.gil.number(cell["gil"]),
            self.verdicts.number(cell["verdict"]),
            NONE if cell["void"] is None else self.void.number(cell["void"]),
            rounded(cell["inside"], QUANTILE_DIGITS),
            *(rounded(latency.get(name), QUANTILE_DIGITS) for name in QUANTILES),
            rounded(latency.get("timer"), QUANTILE_DIGITS),
            latency.get("calls", 0),
            each if any(each) else len(each),  # a reference's own are all zero: their number is enough
        ]

    def run(self, run: Run, machine: str) -> dict[str, Any]:
        """One run's cells."""
        everyone = subjects(run)
        patterns: dict[tuple[int, ...], int] = {}
        rows: list[list[Any]] = []
        interpreters = []
        for label in run.labels:
            placed = []
            for workload in run.workloads(label):
                found = [(name, cell) for name in everyone if (cell := run.cell(label, workload, name)) is not None]
                rows += [self.values(run, label, workload, name, cell) for name, cell in found]
                pattern = tuple(self.subjects.number(name) for name, _ in found)
                placed += [self.workloads.number(workload), patterns.setdefault(pattern, len(patterns))]
            interpreters.append(
                {"label": label, "trusted": run.trusted(label), "margin": run.margin(label), "rows": placed}
            )
        return {
            "machine": machine,
            "name": run.name,
            "tier": run.tier,
            "judged": run.judged,
            "reference": run.reference,
            "subjects": [[name, kind(run, name)] for name in everyone],
            "interpreters": interpreters,
            "patterns": [list(pattern) for pattern in patterns],
            "length": len(rows),
            "columns": {name: column([row[at] for row in rows]) for at, name in enumerate(COLUMNS)},
            "gaps": [
                [entry["interpreter"], entry["subject"], entry["workload"], self.void.number(entry["reason"])]
                for entry in run.summary["parity"]
            ],
        }


def cells(runs: Sequence[Run]) -> dict[str, Any]:
    """The document of these runs' cells."""
    document = Document()
    found = [document.run(run, machine) for run, machine in zip(runs, machine_ids(runs), strict=True)]
    order = sorted(document.workloads.texts(), key=natural)
    return {
        "format": FORMAT,
        "scale": SCALE,
        "runs": found,
        "subjects": document.subjects.texts(),
        "workloads": document.workloads.texts(),
        "order": [document.workloads.number(name) for name in order],
        "verdicts": document.verdicts.texts(),
        "gil": document.gil.texts(),
        "reasons": document.void.texts(),
    }
