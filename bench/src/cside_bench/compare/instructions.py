# SPDX-License-Identifier: Apache-2.0
"""Counted runs, compared: instructions per call are nearly exact, so a ratio needs no statistics.

A run counts into ``counts/<label>.json``: the interpreter, the tool and its version, and one object per cell with
its instructions per call, whether two counts of it agreed (``stable``) and by how much they differed (``spread``,
relative).
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cside_bench.results.digits import number
from cside_bench.results.rounds import Key
from cside_bench.results.selection import Selection, is_binding


@dataclass(frozen=True, slots=True)
class Counts:
    """All counted cells of one interpreter."""

    tool: str
    version: str
    cells: dict[Key, dict[str, Any]]

    def usable(self, key: Key) -> bool:
        """Whether a cell has a number that counts."""
        cell = self.cells[key]
        return cell.get("void") is None and (cell.get("instructions") or 0) > 0


def read_counts(folder: Path) -> dict[str, Counts]:
    """The counts of a run by the interpreter's label; empty where nothing was counted."""
    found = {}
    for path in sorted((folder / "counts").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        cells = {(cell["workload"], cell["subject"]): cell for cell in document["cells"]}
        found[str(document["interpreter"])] = Counts(str(document["tool"]), str(document["version"]), cells)
    return found


def compare_counts(
    label: str, base: Counts, other: Counts, selection: Selection, fail_over: float | None
) -> dict[str, Any]:
    """The exact ratio OTHER / BASE of every cell that both counted.

    Counts of two tools, or of two versions of one, are not comparable to the digit: then nothing is over. A cell whose
    own counts did not agree is shown with its spread, and is over only where it grew by more than limit and spread.
    """
    comparable = (base.tool, base.version) == (other.tool, other.version)
    chosen = {key for key in base.cells.keys() | other.cells.keys() if selection.cell(*key)}
    common = sorted(key for key in chosen & base.cells.keys() & other.cells.keys())
    cells, void, over = [], [], []
    for key in common:
        mine, its = base.cells[key], other.cells[key]
        name = {"workload": key[0], "subject": key[1]}
        if not (base.usable(key) and other.usable(key)):
            reasons = {side: cell.get("void") for side, cell in (("base", mine), ("other", its))}
            reasons = {side: reason for side, reason in reasons.items() if reason is not None}
            void.append({**name, **(reasons or {"base": "no instructions counted"})})
            continue
        stable = bool(mine.get("stable", True) and its.get("stable", True))
        spread = max(float(cell.get("spread") or 0.0) for cell in (mine, its))
        ratio = its["instructions"] / mine["instructions"]
        counted = {"base": mine["instructions"], "other": its["instructions"]}
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
