# SPDX-License-Identifier: Apache-2.0
"""Processes that measure in turns: one at a time, for as long as asked, and none is left behind."""

import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest
from cside_bench.run.child import Outcome
from cside_bench.run.turns import Job, in_new_order, together

MEASURES = """
import json, sys, time
def say(**fields):
    print(json.dumps(fields), flush=True)
say(phase="check", workload="w", subject=sys.argv[1])
say(phase="turn")
while (told := sys.stdin.readline()).startswith("go "):
    with open(sys.argv[2], "a") as turns:
        print(sys.argv[1], "begins", told.split()[1], file=turns, flush=True)
        time.sleep(0.01)
        print(sys.argv[1], "ends", file=turns, flush=True)
    {then}
    say(phase="turn")
say(phase="end")
"""


def job(folder: Path, name: str, then: str = "pass") -> Job:
    """A process that writes when its turns begin and end."""
    command = [sys.executable, "-c", MEASURES.replace("{then}", then), name, str(folder / "turns")]
    return Job(name, command, folder / f"{name}.log", os.environ)


def turns(folder: Path) -> list[str]:
    """Return whose turns there were, and check that none began before the one before it had ended."""
    lines = (folder / "turns").read_text(encoding="utf-8").splitlines()
    for begins, ends in zip(lines[::2], lines[1::2], strict=True):
        assert (begins.split()[1], ends.split()[1]) == ("begins", "ends")
        assert begins.split()[0] == ends.split()[0]
    return [line.split()[0] for line in lines[::2]]


def test_one_measures_at_a_time_and_all_as_often(tmp_path: Path) -> None:
    """The order is drawn for each turn; all end by themselves when the time is over."""
    shown: list[tuple[str, float]] = []
    found = together(
        [job(tmp_path, name) for name in "abc"],
        1.0,
        random.Random(1),
        lambda phase, share: shown.append((phase, share)),
    )
    assert found == {name: Outcome(0, "end", ("w", name)) for name in "abc"}
    order = turns(tmp_path)
    cycles = [tuple(order[start : start + 3]) for start in range(0, len(order), 3)]
    assert all(sorted(cycle) == ["a", "b", "c"] for cycle in cycles)
    begins = [line for line in (tmp_path / "turns").read_text(encoding="utf-8").splitlines() if "begins" in line]
    assert [int(line.split()[2]) for line in begins] == [0, 1, 2] * len(cycles)
    assert len(cycles) > 4 and len(set(cycles)) > 1
    assert shown[0] == ("start", 0.0)
    assert 0 <= shown[-1][1] < 1


@pytest.mark.parametrize("members", [1, 2, 3, 8, 9])
def test_each_waits_for_half_of_the_others(members: int) -> None:
    """Whatever its place in the next turn, all members come to all places, and orders are not one and the same."""
    draw = random.Random(members)
    order = list(range(members))
    places = np.zeros((members, members))
    seen = set()
    for _ in range(4000):
        last, order = order, in_new_order(order, draw)
        assert sorted(order) == list(range(members))
        for place, member in enumerate(order):
            between = members - 1 - last.index(member) + place
            assert between >= (members - 1) // 2
            places[member, place] += 1
        seen.add(tuple(order))
    assert places.min() > 0.8 * 4000 / members
    assert len(seen) > min(members, 1000) - 1


def test_being_late_in_a_turn_is_not_having_waited_longer() -> None:
    """Where a wait is short only up to half of the others, as it was measured; if any order may follow, it is."""

    def slope(following: Callable[[list[int]], list[int]]) -> float:
        order, places, waits = list(range(8)), [], []
        for _ in range(4000):
            last, order = order, following(order)
            places += range(8)
            waits += [min(7 - last.index(member) + place, 4) for place, member in enumerate(order)]
        return float(np.polyfit(places, waits, 1)[0])

    draw = random.Random(1)
    assert slope(lambda order: draw.sample(order, 8)) > 0.15
    assert slope(lambda order: in_new_order(order, draw)) < 0.05


def test_one_that_ends_is_left_out(tmp_path: Path) -> None:
    """By an error in its second turn, or before its first: the others go on."""
    failing = job(tmp_path, "b", then="if sum(line.startswith('b') for line in open(sys.argv[2])) > 2: sys.exit(5)")
    broken = Job("d", [sys.executable, "-c", "raise SystemExit(6)"], tmp_path / "d.log", os.environ)
    found = together([job(tmp_path, "a"), failing, broken], 1.0, random.Random(2), lambda *_: None)
    assert {name: outcome.code for name, outcome in found.items()} == {"a": 0, "b": 5, "d": 6}
    order = turns(tmp_path)
    assert order.count("b") == 2 < order.count("a")


def test_an_interrupt_leaves_none(tmp_path: Path) -> None:
    """Ctrl-C while the processes wait for their turns."""

    def interrupt(phase: str, share: float) -> None:
        if phase == "measure" and share > 0:
            raise KeyboardInterrupt

    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        together([job(tmp_path, name) for name in "ab"], 60, random.Random(3), interrupt)
    assert time.monotonic() - before < 30
    assert [child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE] == []
