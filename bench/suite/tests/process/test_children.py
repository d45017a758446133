# SPDX-License-Identifier: Apache-2.0
"""Each workload is timed in a child of the process, and the process then has what all of them found."""

import multiprocessing
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from cside_suite.process import children, rounds
from cside_suite.process.block_file import Cell
from cside_suite.process.collector import Target
from cside_suite.process.native_trace import Uncounted
from cside_suite.process.request import Request
from cside_suite.process.rounds import Says
from cside_suite.process.timing import Measured, time_cells


class Diary:
    """Reports of this process and of its children, in the order in which they were made."""

    def __init__(self, path: Path, turns: int | None = None) -> None:
        self.path = path
        self.turns = turns

    def write(self, line: str) -> None:
        """Add a line."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def read(self) -> list[str]:
        """Return all lines."""
        return self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []

    def step(self, phase: str, done: int, total: int) -> None:
        """Keep the share of what is done."""
        self.write(f"{phase} {done / total:.3f}")

    def turn(self) -> int | None:
        """Give a turn, the place of which is its number, until there are no more."""
        number = self.read().count("turn")
        self.write("turn")
        return number if self.turns is None or number < self.turns else None


def cell(workload: str, diary: Diary, function: Any = None) -> Cell:
    """A cell that notes the process in which it runs."""

    def run(loops: int) -> tuple[int, int]:
        diary.write(f"{workload} in {os.getpid()}")
        if function is not None:
            function()
        return 1_000_000 * loops, 10

    return Cell(workload, "s", run, 1, 1, 1_000_000.0)


def request(**more: Any) -> Request:
    """A request for three workloads, with turns of two rounds."""
    common: dict[str, Any] = {"rounds": 4, "least_visits": 4, "turn_visits": 2, "workloads": ["u", "v", "w"]}
    return Request("measure", "", "", "", 1, "cext", **(common | {"forks": True} | more))


def target(workload: str) -> Target:
    """What the single calls of a cell are."""
    return Target(workload, "s", workload, int, ((),), {"native": (1, 2)}, "digest")


def time(diary: Diary, workloads: str, function: Any = None, **more: Any) -> Measured:
    """Time a cell of each of these workloads, with children if the request has them."""

    def work(its: Request, part: Says) -> Measured:
        named = [it for it in its.workloads if it in workloads]
        cells = {workload: [cell(workload, diary, function)] for workload in named}
        return time_cells(cells, [target(it) for it in named], its, random.Random(1), part, Uncounted())

    asked = request(**more)
    return children.each_workload(asked, diary, workloads, work) if asked.forks else work(asked, diary)


def test_each_workload_is_timed_in_a_process_of_its_own(tmp_path: Path) -> None:
    """From the first call of its warm-up on; no cell runs in the process that forks, or beside another workload."""
    diary = Diary(tmp_path / "diary")
    time(diary, "uvw", warm_up_ns=1)
    ran = {line for line in diary.read() if " in " in line}
    assert {line.split()[0] for line in ran} == set("uvw")
    assert len({line.split()[2] for line in ran}) == len(ran) == 3
    assert not any(line.endswith(f" {os.getpid()}") for line in ran)


def test_what_a_child_measured_is_kept_as_if_it_were_here(tmp_path: Path) -> None:
    """Rounds, places of turns, warm-up, single calls, targets and seconds; functions alone are gone."""
    found = time(Diary(tmp_path / "diary"), "uv", warm_up_ns=1, latency_ns=10_000)
    same = time(Diary(tmp_path / "here"), "uv", warm_up_ns=1, latency_ns=10_000, forks=False)
    for workload in "uv":
        (one,), (other,) = found.cells[workload], same.cells[workload]
        assert one.calls_ns == other.calls_ns and one.rounds == other.rounds == [0, 1, 2, 3]
        assert one.warm_ns == other.warm_ns and len(one.positions) == 4
        assert one.positions[0] == one.positions[1] < one.positions[2] == one.positions[3]
        with pytest.raises(RuntimeError, match="ended with the process"):
            one.chunk(1)
    assert found.latencies.keys() == same.latencies.keys() == {("u", "s"), ("v", "s")}
    assert {(it.workload, it.digest, it.counts["native"]) for it in found.targets} == {
        ("u", "digest", (1, 2)),
        ("v", "digest", (1, 2)),
    }
    assert found.seconds.keys() == same.seconds.keys()
    assert found.jit.keys() == same.jit.keys()


def test_processes_take_the_same_turns_whatever_they_lack(tmp_path: Path) -> None:
    """Each workload has the turns of its rounds and one to end in, at the same places in all processes."""

    def order(workloads: str) -> list[str]:
        diary = Diary(tmp_path / workloads)
        time(diary, workloads)
        lines = [line for line in diary.read() if line == "turn" or " in " in line]
        text = "".join("|" if line == "turn" else line[0] for line in lines)
        return ["".join(sorted(set(turn))) for turn in text.split("|")]

    whole, part = order("uvw"), order("uw")
    assert len(whole) == len(part) == 1 + 3 * 3
    for place, (turn, fewer) in enumerate(zip(whole, part, strict=True)):
        assert turn.replace("v", "") == fewer
        between = place % 3 == 0  # one workload ends and the next one begins, with rounds that settle on PyPy
        assert bool(turn) == (place < 9 and rounds.JIT if between else True)


def test_the_share_that_is_done_grows_over_the_children(tmp_path: Path) -> None:
    """And ends with the whole, also where the last workload has no cell here."""
    for workloads in ("uvw", "u"):
        diary = Diary(tmp_path / workloads)
        time(diary, workloads)
        shares = [float(line.split()[1]) for line in diary.read() if line.startswith("measure ")]
        assert shares == sorted(shares) and shares[-1] == 1.0


def test_a_child_that_fails_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With its workload; what it printed is there."""

    def fail() -> None:
        raise ValueError("not today")

    with pytest.raises(RuntimeError, match="process of u ended with exit code 1"):
        time(Diary(tmp_path / "diary"), "u", fail)
    assert "ValueError: not today" in capfd.readouterr().err


def test_a_signal_that_ends_a_child_ends_the_process(tmp_path: Path) -> None:
    """So that the driver sees how it ended, and blames the call that was announced last."""

    def crash() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def parent() -> None:
        time(Diary(tmp_path / "diary"), "u", crash)

    process = multiprocessing.get_context("fork").Process(target=parent)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_no_further_turn_ends_all(tmp_path: Path) -> None:
    """Where the driver has gone, nothing is measured any more and nothing waits for ever."""
    found = time(Diary(tmp_path / "diary", turns=0), "uvw")
    assert found.cells.keys() == set("uvw")
    assert all(not each.calls_ns for (each,) in found.cells.values())
