# SPDX-License-Identifier: Apache-2.0
"""How often the verdicts of two runs agree."""

import json
from pathlib import Path
from typing import Any

import pytest
from compared import compare
from cside_bench.compare.agreement import agreement
from cside_bench.results.selection import Selection
from synthetic_run import LABEL, write, write_run


def summary(*cells: tuple[str, str, float]) -> dict[str, Any]:
    """A summary with these subjects, verdicts and ratios, all of one workload."""
    return {
        "cells": [
            {"interpreter": LABEL, "workload": "w", "binding": subject.partition(".")[0]}
            | {"variant": subject.partition(".")[2], "verdict": verdict, "ratio": ratio}
            for subject, verdict, ratio in cells
        ]
    }


def test_agreement_counts_verdicts_that_turn_round() -> None:
    """Faster against slower, or a ratio beyond 1, turns round; equivalent retracts; inconclusive is undecided."""
    base = summary(
        ("a", "slower", 1.2),
        ("b", "slower", 1.2),
        ("c", "inconclusive", 0.98),
        ("d", "slower", 1.1),
        ("e", "slower", 1.1),
        ("f", "equivalent", 1.0),
        ("stdlib", "faster", 0.5),
        ("gone", "slower", 1.2),
        ("quick", "none", 1.2),
    )
    other = summary(
        ("a", "slower", 1.3),
        ("b", "faster", 0.9),
        ("c", "slower", 1.05),
        ("d", "equivalent", 1.01),
        ("e", "inconclusive", 1.04),
        ("f", "inconclusive", 1.0),
        ("stdlib", "faster", 0.5),
        ("quick", "slower", 1.2),
    )
    found = agreement(base, other, Selection())
    own = found["bindings"]
    assert (own["cells"], own["directed"]) == (6, 5)
    assert (own["kept"], own["turned"], own["retracted"], own["undecided"]) == (1, 2, 1, 1)
    assert own["share_turned"] == pytest.approx(0.4)
    assert own["agrees"] is False
    assert own["counts"]["slower"] == {"faster": 1, "equivalent": 1, "inconclusive": 1, "slower": 1}
    assert {it["subject"] for it in own["turned_cells"]} == {"b", "c"}
    assert (found["all"]["directed"], found["all"]["kept"]) == (6, 2)


def test_agreement_of_nothing_is_no_agreement() -> None:
    """Where neither run has a cell that is faster or slower, there is no share of agreement."""
    own = agreement(summary(("a", "equivalent", 1.0)), summary(("a", "equivalent", 1.0)), Selection())["bindings"]
    assert own["share_turned"] is None
    assert own["agrees"] is None


def test_agreement_is_shown(tmp_path: Path) -> None:
    """The table and the share stand in the terminal's output and in the Markdown."""
    for seed, name in enumerate(("base", "other")):
        folder = write_run(tmp_path / name, seed)
        document = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        verdict, ratio = ("slower", 1.2) if name == "base" else ("faster", 0.8)
        document |= summary(("cffi", verdict, ratio), ("swig", "slower", 1.5))
        write(folder / "summary.json", document)
    done = compare(tmp_path, "--markdown", str(tmp_path / "c.md"))
    for text in (done.output, (tmp_path / "c.md").read_text(encoding="utf-8")):
        assert "Of 2 cells that are faster or slower in either run: 1 reversed (50 %" in " ".join(text.split())
        assert "reversed: cpython-3.13 w cffi: slower (1.2), then faster (0.8)" in " ".join(text.split())
