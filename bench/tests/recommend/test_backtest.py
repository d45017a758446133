# SPDX-License-Identifier: Apache-2.0
"""Verdicts on answers to decisions."""

from dataclasses import replace
from typing import Any

import pytest
from cside_bench.recommend import backtest, decisions
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.backtest import CONTESTED, DEFENSIBLE, EMBARRASSING, MATCH, NO_ANSWER, OTHER
from cside_bench.recommend.decisions import Decision

DECISION = Decision("ours", ("cython",), ("cython", "cffi"), ("cext",), ("ctypes",), {}, "why", "", ())


def answer(
    *led: str, outcome: str = "tie", pair: tuple[str, ...] = (), pays: bool = True, turns: bool = False
) -> dict[str, Any]:
    """As much of an answer as a verdict needs."""
    taken = outcome in ("recommended", "tie")
    return {
        "outcome": outcome,
        "recommended": list(led) if taken else [],
        "contenders": [] if taken else list(led),
        "two_backends": [{"subjects": list(pair), "pays": pays}] if pair else [],
        "missing": [{"turns": turns}] if turns else [],
        "excluded": [],
        "candidates": [],
    }


@pytest.mark.parametrize(
    ("led", "verdict"),
    [
        (["cython"], MATCH),
        (["cffi", "cython"], MATCH),
        (["cffi", "cython", "cext"], CONTESTED),
        (["cffi"], DEFENSIBLE),
        (["cext"], CONTESTED),
        (["swig"], OTHER),
        (["cython", "ctypes"], EMBARRASSING),
        ([], NO_ANSWER),
    ],
)
@pytest.mark.parametrize("outcome", ["tie", "unresolved"])
def test_an_answer_is_judged_by_all_that_it_leads_with(led: list[str], verdict: str, outcome: str) -> None:
    """Whether these tie, or it is open between them."""
    assert backtest.verdict(DECISION, answer(*led, outcome=outcome)) == verdict


def test_two_backends_count_where_the_project_has_these_two() -> None:
    """And never for one whose answer embarrasses."""
    two = replace(DECISION, now=("cython", "cffi"))
    pair = ("cffi", "cython")
    assert backtest.verdict(two, answer("cffi", pair=pair)) == MATCH
    assert backtest.verdict(two, answer("cffi", pair=("cext", "cython"))) == DEFENSIBLE
    assert backtest.verdict(DECISION, answer("cffi", pair=pair)) == DEFENSIBLE
    assert backtest.verdict(two, answer("cffi", pair=pair, pays=False)) == DEFENSIBLE
    assert backtest.verdict(two, answer("ctypes", pair=pair)) == EMBARRASSING


def test_what_evidence_could_turn_is_no_answer() -> None:
    """A criterion without evidence leaves an answer open, whatever it is between."""
    assert backtest.leads(answer("ctypes", outcome="unresolved", turns=True)) == ()
    assert backtest.verdict(DECISION, answer("ctypes", outcome="unresolved", turns=True)) == NO_ANSWER


def test_trials_of_a_run_say_what_turned_them(advisor: Advisor) -> None:
    """Each has a complete answer; where the preferred approach does not lead, a constraint or a criterion is named."""
    found = backtest.trials(advisor, decisions.shipped())
    assert sum(backtest.totals(found).values()) == len(found) == 12
    for it in found:
        assert it.answer["profile"]["title"] == it.decision.name
        preferred = it.decision.defensible[0]
        assert bool(it.turned) == (bool(it.leads) and preferred not in it.leads)
        assert preferred in it.turned or not it.turned
    (nothing,) = backtest.trials(advisor, [replace(found[0].decision, defensible=("rust",))])
    assert nothing.turned == "rust was not measured"


def test_a_constraint_that_leaves_the_preferred_out_is_named(advisor: Advisor) -> None:
    """Before any criterion."""
    sound = decisions.named(decisions.shipped(), ["sounddevice"])[0]
    (trial,) = backtest.trials(advisor, [replace(sound, defensible=("cext",), embarrassing=())])
    assert trial.turned == "cext is left out: compiler"
