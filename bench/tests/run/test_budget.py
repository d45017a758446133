# SPDX-License-Identifier: Apache-2.0
"""How many processes and rounds fit into a number of minutes."""

from dataclasses import replace

import pytest
from cside_bench.results.plan import PlanError, Tier
from cside_bench.run.budget import CHILD_S, FEWEST_BLOCKS, MOST_BLOCKS, START_S, fit, process_s, run_s

TIER = Tier.named("default")
PILOTS = {
    "cpython-3.13": {"cells": 2000, "seconds": {"import": 0.5, "check": 5.0, "calibrate": 9.0}},
    "pypy-3.11": {
        "cells": 400,
        "whole": ["cext", "cffi", "cffi.abi", "ctypes", "cython", "swig"],
        "workloads": {f"w{number}": 11 for number in range(32)},
        "seconds": {"import": 1.0, "check": 5.0, "calibrate": 4.0},
    },
}


@pytest.mark.parametrize("minutes", [14, 20, 40, 90, 400])
def test_a_budget_is_used_and_not_exceeded(minutes: float) -> None:
    """What is planned takes at most that long, and at least two thirds of it unless the most was reached."""
    found = fit(PILOTS, TIER, minutes)
    assert found.minutes <= minutes * 1.01
    assert found.blocks >= FEWEST_BLOCKS
    assert found.minutes > minutes * 2 / 3 or found.blocks == MOST_BLOCKS
    assert found.minutes * 60 == pytest.approx(24.5 + run_s(PILOTS, TIER, found.blocks, found.rounds))


def test_more_minutes_buy_processes_before_rounds() -> None:
    """Only processes are replicates."""
    short, long = fit(PILOTS, TIER, 30), fit(PILOTS, TIER, 60)
    assert long.blocks > short.blocks
    assert abs(long.rounds - short.rounds) <= 1


def test_too_short_a_budget_says_what_would_do() -> None:
    """The error names a number of minutes that works."""
    with pytest.raises(PlanError, match=r"--budget (\d+)") as raised:
        fit(PILOTS, TIER, 2)
    enough = int(str(raised.value).partition("--budget ")[2].split()[0])
    assert fit(PILOTS, TIER, enough).blocks == FEWEST_BLOCKS


def test_processes_of_one_binding_each_have_starts_of_their_own() -> None:
    """One for each binding and for its twin, for as many cells as one process may have."""

    def seconds(tier: Tier) -> float:
        return process_s(PILOTS["pypy-3.11"], tier, "pypy-3.11", 20)

    few = replace(TIER, pypy=TIER.pypy | {"cells": 16})
    shared = replace(TIER, pypy=TIER.pypy | {"apart": False})
    assert seconds(TIER) - seconds(shared) == pytest.approx(
        (2 * 6 - 4) * START_S - 3 * 2 * 1.0 + PILOTS["pypy-3.11"]["cells"] * CHILD_S
    )
    assert seconds(few) - seconds(TIER) == pytest.approx(2 * 6 * START_S)


def test_a_process_costs_its_start_and_its_rounds() -> None:
    """Twice the rounds are less than twice the time."""
    one, two = (process_s(PILOTS["pypy-3.11"], TIER, "pypy-3.11", rounds) for rounds in (20, 40))
    assert one < two < 2 * one
