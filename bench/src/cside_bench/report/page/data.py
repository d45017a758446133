# SPDX-License-Identifier: Apache-2.0
"""Writes all cells of one or several runs as one document for the tables, the heat map and the dialog of the page.

A page may have 40,000 cells. Therefore numbers are stored as columns without names, in the order interpreter,
workload, subject. The bounds of a ratio and the ratios of single processes are stored as distances from it, in
ten-thousandths of the natural logarithm, which is the precision of the ratio itself. ``templates/data.js`` reads it.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

from cside_suite.subjects.names import is_control, natural

from cside_bench.machine.identity import distinct
from cside_bench.report.page.columns import column, rounded
from cside_bench.results.evidence import Run

FORMAT: Final = 1
SCALE: Final = 10_000
"""Steps per unit of the natural logarithm in which distances are stored."""
DIGITS: Final = 4
"""Significant digits of times."""
QUANTILE_DIGITS: Final = 3
"""Significant digits of quantiles, which are accurate to 1 %."""
QUANTILES: Final = ("p50", "p90", "p99", "p999")
NONE: Final = -1
"""Value that stands for a missing whole number."""
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
"""Columns of a cell, under the names that ``templates/data.js`` uses."""


def kind(run: Run, subject: str) -> str:
    """Return the kind of a subject: ``binding``, ``variant`` (partial), ``control`` or ``reference``."""
    if subject in run.bindings:
        return "binding"
    if subject in run.variants:
        return "variant"
    return "control" if is_control(subject) else "reference"


def subjects(run: Run) -> list[str]:
    """Return the subjects of a run in the order of tables: bindings, variants, references and all others measured."""
    known = [*run.bindings, *run.variants, *run.references]
    found = {cell["binding"] + (f".{cell['variant']}" if cell["variant"] else "") for cell in run.summary["cells"]}
    return [name for name in known if name in found] + sorted(found - set(known))


def machine_ids(runs: Sequence[Run]) -> list[str]:
    """Return distinct names of the runs: their machines, with the run's name if a machine has several runs."""
    return distinct((run.machine, run.name) for run in runs)


def distance(value: float | None, base: float | None) -> int | None:
    """Return the logarithmic distance of a ratio from another in 1 / :data:`SCALE`; None if either is invalid."""
    if value is None or base is None or not value > 0 or not base > 0 or not math.isfinite(value):
        return None
    return round(SCALE * math.log(value / base))


class Names:
    """Numbers of texts, in the order of their first use."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text; a new text gets the next number."""
        return self.numbers.setdefault(text, len(self.numbers))

    def texts(self) -> list[str]:
        """Return all texts in the order of their numbers."""
        return list(self.numbers)


class Document:
    """Builds the document of all cells."""

    def __init__(self) -> None:
        self.subjects, self.workloads = Names(), Names()
        self.verdicts, self.gil, self.void = Names(), Names(), Names()

    def reason(self, cell: dict[str, Any]) -> int:
        """Return the number of the reason why a cell has no ratio, of which the first words are shown."""
        if cell["void"] is not None:
            return self.void.number(f"void: {cell['void']}")
        return self.void.number(f"not steady: {cell['unsteady']}") if cell.get("unsteady") else NONE

    def values(self, run: Run, label: str, workload: str, subject: str, cell: dict[str, Any]) -> list[Any]:
        """Return the values of one cell, in the order of :data:`COLUMNS`."""
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
            self.reason(cell),
            rounded(cell["inside"], QUANTILE_DIGITS),
            *(rounded(latency.get(name), QUANTILE_DIGITS) for name in QUANTILES),
            rounded(latency.get("timer"), QUANTILE_DIGITS),
            latency.get("calls", 0),
            each if any(each) else len(each),  # those of the reference are all zero: their count suffices
        ]

    def run(self, run: Run, machine: str) -> dict[str, Any]:
        """Return the cells of one run."""
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
    """Return the document of the cells of these runs."""
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
