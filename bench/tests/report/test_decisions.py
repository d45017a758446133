# SPDX-License-Identifier: Apache-2.0
"""What a run decides is told in short, on the terminal and in ``report.md``, from the files that say it in full."""

import json
from pathlib import Path
from typing import Any

import pytest
from cside_bench.report.decisions import Decisions, between, percent, settled_by, told


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
    ("value", "text"),
    [(None, "—"), (0.0, "< 1 %"), (0.05, "5 %"), (0.638, "63 %"), (0.9067, "90 %"), (0.995, "> 99 %"), (1.0, "> 99 %")],
)
def test_a_simulated_probability_is_never_nothing_and_never_all(value: float | None, text: str) -> None:
    """4,000 draws know neither. It is rounded down, as on the page."""
    assert percent(value) == text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (answer("recommended", ["a"], 0.95, a=0.95, b=0.05), "a"),
        (answer("tie", ["a", "b"], 0.6, a=0.6, b=0.4), "tie: a, b"),
        (answer("unresolved", [], 0.6, a=0.63, b=0.3, c=0.07), "open"),
        (answer("unresolved", [], None), "not ranked by this run"),
        (answer("nothing fits", [], None), "nothing fits"),
    ],
)
def test_each_outcome_is_told_for_what_it_is(given: dict[str, Any], says: str) -> None:
    """A choice that stays open names nothing to take."""
    assert told(given) == says


def test_an_open_choice_names_what_it_is_between_and_what_settles_it() -> None:
    """By the criterion that is missing if one turns it, else by the probabilities; no other answer names any."""
    by_draws = answer("unresolved", [], 0.6, a=0.63, b=0.3, c=0.07)
    assert (between(by_draws), settled_by(by_draws)) == (["a", "b"], [])
    missing = [{"settled_by": "nox -s drill", "turns": True}, {"settled_by": "nox -s bench", "turns": False}]
    by_missing = {**by_draws, "contenders": ["c", "b"], "missing": missing}
    assert (between(by_missing), settled_by(by_missing)) == (["c", "b"], ["nox -s drill"])
    assert between(answer("tie", ["a", "b"], 0.6, a=0.6, b=0.4)) == []


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
