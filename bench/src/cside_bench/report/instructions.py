# SPDX-License-Identifier: Apache-2.0
"""Builds the tables of counted instructions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.table import Table

from cside_bench.results import headline
from cside_bench.results.selection import is_binding


@dataclass(frozen=True, slots=True)
class Row:
    """A workload of the short table on one interpreter."""

    interpreter: str
    workload: str
    label: str
    """The workload in words."""
    instructions: float | None
    """Instructions of one call of the reference; None if that cell is void or missing."""
    ratios: dict[str, float | None] = field(default_factory=dict)
    """Ratios to the reference, by subject; None if a cell is void."""
    loose: frozenset[str] = frozenset()
    """Subjects whose two counts differed; the reference may be among them."""


def table(counts: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """Return the workloads of ``headline.toml`` that were counted, for each interpreter's document of counts."""
    rows = []
    for label, document in counts.items():
        reference = document["reference"]
        for entry in headline.rows():
            cells = {c["subject"]: c for c in document["cells"] if c["workload"] == entry["workload"]}
            if not cells:
                continue
            base = cells.get(reference, {}).get("instructions")
            ratios = {
                name: cell["instructions"] / base if base and cell["instructions"] is not None else None
                for name, cell in sorted(cells.items())
                if name != reference
            }
            loose = frozenset(name for name, cell in cells.items() if cell["void"] is None and not cell["stable"])
            rows.append(Row(label, entry["workload"], entry["label"], base, ratios, loose))
    return rows


def tables(rows: Iterable[Row], reference: str) -> list[Table]:
    """Return a table for each interpreter: bindings without variants, the standard library and C."""
    found = []
    by_label: dict[str, list[Row]] = {}
    for row in rows:
        by_label.setdefault(row.interpreter, []).append(row)
    for label, own in by_label.items():
        names = sorted({name for row in own for name in row.ratios if is_binding(name) and "." not in name})
        names += [name for name in ("stdlib", "floor.direct") if any(name in row.ratios for row in own)]
        shown = Table(title=f"{label}: instructions per call of {reference}, and ratios to it", title_justify="left")
        shown.add_column("")
        for name in (reference, *names):
            shown.add_column({"floor.direct": "C"}.get(name, name), justify="right", overflow="fold")
        for row in own:
            first = "void" if row.instructions is None else f"{row.instructions:,.0f}" + "~" * (reference in row.loose)
            shown.add_row(row.label, first, *(_ratio(row, name) for name in names))
        found.append(shown)
    return found


def _ratio(row: Row, name: str) -> str:
    """Format a ratio with three digits; a tilde marks counts that do not repeat."""
    if name not in row.ratios:
        return ""
    ratio = row.ratios[name]
    return "void" if ratio is None else f"{ratio:.3g}" + "~" * (name in row.loose)
