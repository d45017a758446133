# SPDX-License-Identifier: Apache-2.0
"""Tiers, the order of blocks, and plans that are read back from their file."""

from itertools import pairwise
from pathlib import Path
import pytest
from cside_bench.results.plan import Plan
from cside_bench.results.plan import PlanError
from cside_bench.results.plan import Tier
from cside_bench.results.plan import draw_blocks
from cside_bench.results.plan import isolate
from small_run import block
from plans import LABELS, plan


def test_blocks_are_shuffled_by_the_seed_and_complete() -> None:
    """Every interpreter has every block; the same seed gives the same order, another seed another."""
    blocks = draw_blocks(dict.fromkeys(LABELS, 10), 1)
    assert {(block.interpreter, block.number) for block in blocks} == {
        (label, n) for label in LABELS for n in range(10)
    }
    assert blocks == draw_blocks(dict.fromkeys(LABELS, 10), 1)
    assert [block.interpreter for block in blocks] != [
        block.interpreter for block in draw_blocks(dict.fromkeys(LABELS, 10), 2)
    ]


def test_fewer_blocks_are_spread_over_the_run() -> None:
    """An interpreter with fewer blocks has one at the beginning of the run and one near its end."""
    blocks = draw_blocks({"cpython-3.13": 10, "pypy-3.11": 7}, 1)
    assert len(blocks) == 17
    places = [place for place, block in enumerate(blocks) if block.interpreter == "pypy-3.11"]
    assert len(places) == 7
    assert [block.number for block in blocks if block.interpreter == "pypy-3.11"] == list(range(7))
    assert places[0] < 3
    assert places[-1] > 13
    assert max(after - before for before, after in pairwise(places)) <= 4


def test_isolated_blocks_load_each_binding_alone() -> None:
    """Each block becomes one process for each name, in an order of its own."""
    names = ["a", "b", "b.v", "twin"]
    blocks = isolate(draw_blocks(dict.fromkeys(LABELS, 6), 1), dict.fromkeys(LABELS, names), 1)
    for label in LABELS:
        orders = [[it.alone for it in blocks if (it.interpreter, it.number) == (label, n)] for n in range(6)]
        assert all(sorted(order) == names for order in orders)
        assert len({tuple(order) for order in orders}) > 1
    assert len({block.name for block in blocks}) == len(blocks)


def test_tiers_grow() -> None:
    """Quick gives no verdicts; each tier measures more than the one before."""
    quick, default, rigorous = (Tier.named(name) for name in ("quick", "default", "rigorous"))
    assert not quick.verdicts
    assert default.verdicts
    assert quick.blocks < default.blocks < rigorous.blocks
    assert quick.warm_up_ns("pypy-3.11") > quick.warm_up_ns("cpython-3.13")


def test_a_plan_survives_its_file(tmp_path: Path) -> None:
    """What is resumed is what was planned."""
    made = plan()
    made.save(tmp_path)
    assert Plan.load(tmp_path) == made
    with pytest.raises(PlanError, match=r"no run.*run\.json"):
        Plan.load(tmp_path / "nowhere")
