# SPDX-License-Identifier: Apache-2.0
"""Compares counted runs; instructions per call are nearly exact, so a ratio needs no statistics.

A run writes its counts into ``counts/<label>.json``: the interpreter, the tool and its version, and one object per cell
with its instructions per call, whether two counts of it agreed (``stable``) and the relative difference between them
(``spread``).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cside_bench.results import instructions
from cside_bench.results.digits import number
from cside_bench.results.rounds import Key
from cside_bench.results.selection import Selection, is_binding


@dataclass(frozen=True, slots=True)
class Counts:
    """The counted cells of one interpreter."""

    tool: str
    version: str
    cells: dict[Key, dict[str, Any]]

    def usable(self, key: Key) -> bool:
        """Whether a cell is valid and has a count."""
        cell = self.cells[key]
        return cell.get("void") is None and (cell.get("instructions") or 0) > 0


def read_counts(folder: Path) -> dict[str, Counts]:
    """Return the counts of a run by the interpreter's label; empty if nothing was counted."""
    found = {}
    for label, document in instructions.read(folder).items():
        cells = {(cell["workload"], cell["subject"]): cell for cell in document["cells"]}
        found[label] = Counts(str(document["tool"]), str(document["version"]), cells)
    return found


def compare_counts(
    label: str, base: Counts, other: Counts, selection: Selection, fail_over: float | None
) -> dict[str, Any]:
    """Return the ratio OTHER / BASE of every cell that both runs counted.

    Counts of different tools, or of different versions of a tool, cannot be compared exactly, so none of their cells is
    over the limit. A cell whose two counts did not agree is shown with its spread, and is over the limit only if it
    grew by more than the limit and the spread together.
    """
    comparable = (base.tool, base.version) == (other.tool, other.version)
    chosen = {key for key in base.cells.keys() | other.cells.keys() if selection.cell(*key)}
    common = sorted(key for key in chosen & base.cells.keys() & other.cells.keys())
    cells, void, over = [], [], []
    for key in common:
        one, two = base.cells[key], other.cells[key]
        name = {"workload": key[0], "subject": key[1]}
        if not (base.usable(key) and other.usable(key)):
            reasons = {side: cell.get("void") for side, cell in (("base", one), ("other", two))}
            reasons = {side: reason for side, reason in reasons.items() if reason is not None}
            void.append({**name, **(reasons or {"base": "no instructions counted"})})
            continue
        stable = bool(one.get("stable", True) and two.get("stable", True))
        spread = max(float(cell.get("spread") or 0.0) for cell in (one, two))
        ratio = two["instructions"] / one["instructions"]
        counted = {"base": one["instructions"], "other": two["instructions"]}
        cells.append({**name, **counted, "ratio": number(ratio), "stable": stable, "spread": number(spread)})
        limit = None if fail_over is None else 1 + fail_over + (0.0 if stable else spread)
        if comparable and limit is not None and ratio > limit and is_binding(key[1]):
            over.append({**name, "by": "instructions"})
    return {
        "label": label,
        "comparable": comparable,
        "tools": {"base": f"{base.tool} {base.version}", "other": f"{other.tool} {other.version}"},
        "cells": cells,
        "void": void,
        "only_in": {
            "base": [list(key) for key in sorted(chosen - other.cells.keys())],
            "other": [list(key) for key in sorted(chosen - base.cells.keys())],
        },
        "over": over if fail_over is not None else None,
    }
