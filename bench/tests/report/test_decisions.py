# SPDX-License-Identifier: Apache-2.0
"""What a run decides is told in short, on the terminal and in ``report.md``, from the files that say it in full."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cside_bench.report.decisions import Decisions, percent, told
from rich.console import Console


def answer(outcome: str, recommended: list[str], probability: float | None, **chances: float) -> dict[str, Any]:
    """A recommendation as its document has it, as far as it is told here."""
    return {
        "profile": {"title": "A profile whose title is of some length"},
        "outcome": outcome,
        "recommended": recommended,
        "probability": probability,
        "indicative": False,
        "runner_up": None,
        "candidates": [{"subject": name, "probability": chance} for name, chance in chances.items()],
    }


def outcome(way: str, binding: str, change: str, what: str) -> dict[str, str]:
    """One outcome of a drill."""
    return {"pass": way, "interpreter": "cpython-3.14", "binding": binding, "change": change, "outcome": what}


@pytest.mark.parametrize(
    ("value", "text"), [(None, "—"), (0.0, "< 1 %"), (0.634, "63 %"), (0.995, "> 99 %"), (1.0, "> 99 %")]
)
def test_a_simulated_probability_is_never_nothing_and_never_all(value: float | None, text: str) -> None:
    """4,000 draws know neither."""
    assert percent(value) == text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (answer("recommended", ["a"], 0.95, a=0.95, b=0.05), "a"),
        (answer("tie", ["a", "b"], 0.6, a=0.6, b=0.4), "tie: a, b"),
        (answer("unresolved", [], 0.6, a=0.63, b=0.3, c=0.07), "open: a or b"),
        (answer("unresolved", [], None), "not ranked by this run"),
        (answer("nothing fits", [], None), "nothing fits"),
    ],
)
def test_each_outcome_is_told_for_what_it_is(given: dict[str, Any], says: str) -> None:
    """A choice that stays open names those that it is between, and is not told as a recommendation."""
    assert told(given) == says


def test_the_drill_has_a_table_for_each_pass_and_a_dash_for_what_was_not_tried(tmp_path: Path) -> None:
    """No outcome of one pass stands in the other's table."""
    found = [
        outcome("library", "a", "one", "crash"),
        outcome("library", "b", "one", "silent"),
        outcome("rebuilt", "a", "one", "build"),
        outcome("rebuilt", "b", "two", "works"),
    ]
    changes = [{"id": "one", "title": "One"}, {"id": "two", "title": "Two"}]
    (tmp_path / "drill.json").write_text(json.dumps({"changes": changes, "outcomes": found}), encoding="utf-8")
    library, rebuilt = Decisions(tmp_path).drill_tables()
    assert library["rows"] == [("One", ["crash", "silent"]), ("Two", ["—", "—"])]
    assert rebuilt["rows"] == [("One", ["build", "—"]), ("Two", ["—", "works"])]


def test_the_terminal_has_the_answer_within_100_columns(tmp_path: Path) -> None:
    """Long lists are folded, and claims are counted by verdict."""
    many = [f"binding{number}.variant" for number in range(12)]
    document = {"answers": [answer("tie", many, 0.5), answer("recommended", ["a"], 0.97)]}
    (tmp_path / "recommendations.json").write_text(json.dumps(document), encoding="utf-8")
    claims = [{"verdict": verdict} for verdict in ("confirmed", "confirmed", "refuted")]
    (tmp_path / "claims.json").write_text(json.dumps({"claims": claims}), encoding="utf-8")
    console = Console(width=100, file=StringIO())
    Decisions(tmp_path).show(console)
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 100
    assert "97 %" in text and "binding11.variant" in text
    assert "2 confirmed, 1 refuted, 0 undecided, 0 untestable" in text


def test_a_run_without_such_files_decides_nothing_and_says_nothing(tmp_path: Path) -> None:
    """A run that an older version drew has neither file."""
    console = Console(width=100, file=StringIO())
    Decisions(tmp_path).show(console)
    assert isinstance(console.file, StringIO) and console.file.getvalue() == ""
