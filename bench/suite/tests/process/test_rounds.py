# SPDX-License-Identifier: Apache-2.0
"""A cell is warmed up by calls until its windows agree, and its chunks are then sized by what a warm call takes."""

import random
from itertools import count

import pytest
from cside_suite.process import rounds
from cside_suite.process.block_file import LEAD, Cell, entry
from cside_suite.process.chunks import CHUNK_NS
from cside_suite.process.collector import Target
from cside_suite.process.request import Request


class Compiled:
    """A call that takes ``cold`` ns until it was made so often, and ``warm`` ns from then on."""

    def __init__(self, cold: float, warm: float, after: int) -> None:
        self.cold, self.warm, self.after = cold, warm, after
        self.calls = 0
        self.now = 0.0

    def cell(self, unroll: int = 8) -> Cell:
        """A cell whose length of chunks a process without warm-up has found."""
        loops = max(1, round(CHUNK_NS / self.cold / unroll))
        return Cell("w", "s", lambda loops: self.run(loops * unroll), loops, unroll, self.cold)

    def run(self, calls: int) -> tuple[int, int]:
        """Make calls; return the ns that they take and those of an empty loop."""
        cold = min(calls, max(0, self.after - self.calls))
        self.calls += calls
        spent = cold * self.cold + (calls - cold) * self.warm
        self.now += spent
        return round(spent), 0

    def clock(self) -> int:
        """The ns that all calls took."""
        return round(self.now)


def test_chunks_are_sized_by_the_warm_call() -> None:
    """A call of 64 us becomes one of 2 us after 2,500 calls: the chunk is as long as asked for by the second."""
    call = Compiled(64_000, 2_000, 2_500)
    cell = call.cell()
    assert cell.loops * cell.unroll < 10
    assert rounds.warm_until_steady(cell, 6_000, 10**10, clock=call.clock)
    assert cell.loops * cell.unroll == round(CHUNK_NS / 2_000 / 8) * 8  # in whole loops of eight calls
    assert call.calls > 6_000
    assert sum(cell.warm_calls) == call.calls
    assert len(cell.warm_ns) == len(cell.warm_calls)


def test_windows_that_agree_are_not_enough() -> None:
    """A call that is not compiled yet takes always the same, which a fixed short time would take for warm."""
    call = Compiled(64_000, 2_000, 2_500)
    rounds.warm_until_steady(call.cell(), 1, 10**10, clock=call.clock)
    assert call.calls < 2_500  # what happens without a least number of calls
    call = Compiled(64_000, 2_000, 2_500)
    rounds.warm_until_steady(call.cell(), 6_000, 10**10, clock=call.clock)
    assert call.calls > 6_000


def test_calls_are_not_enough() -> None:
    """A call that becomes faster after the least number of calls is warmed up until it is steady."""
    call = Compiled(3_000, 500, 8_000)
    assert rounds.warm_until_steady(call.cell(), 6_000, 10**10, clock=call.clock)
    assert call.calls > 8_000 + 2 * rounds.WINDOWS


def test_the_warm_up_ends() -> None:
    """A call that never becomes warm costs the time that it may, and the file says so."""
    call = Compiled(600_000, 1, 10**9)
    cell = call.cell()
    assert not rounds.warm_until_steady(cell, 6_000, 1_500_000_000, clock=call.clock)
    assert 1.5e9 <= call.now < 1.6e9


def test_a_slow_call_needs_no_thousand_calls() -> None:
    """A call of 10 ms is warm once its windows agree."""
    call = Compiled(10_000_000, 1, 10**9)
    assert rounds.warm_until_steady(call.cell(1), 6_000, 10**10, clock=call.clock)
    assert call.calls < 50


def test_a_long_call_needs_fewer_calls() -> None:
    """A call of 250 us is compiled after as many calls as any other, and the engine takes most of its time."""
    call = Compiled(300_000, 250_000, 1_200)
    assert rounds.warm_until_steady(call.cell(1), 6_000, 10**10, clock=call.clock)
    assert rounds.FEWER_CALLS <= call.calls < 2 * rounds.FEWER_CALLS


def test_an_interruption_is_no_slow_call() -> None:
    """One window that was interrupted does not make a call of 64 us look as slow as one of 10 ms."""
    call = Compiled(64_000, 2_000, 2_500)
    windows = count()

    def run(loops: int) -> tuple[int, int]:
        calls, empty = call.run(loops * 8)
        return calls + (500_000_000 if next(windows) % 7 == 0 else 0), empty

    cell = call.cell()
    cell.chunk = run
    rounds.warm_until_steady(cell, 6_000, 10**10, clock=call.clock)
    assert call.calls > 6_000


def test_windows_agree_when_calls_no_longer_become_faster() -> None:
    """The fastest of five is compared with the fastest of the five before."""
    noisy = [100.0, 160.0, 101.0, 240.0, 130.0, 99.0, 150.0, 300.0, 104.0, 121.0]
    assert rounds.agree(noisy)
    assert not rounds.agree(noisy[1:])
    assert not rounds.agree([*noisy[:5], *(value * 0.9 for value in noisy[5:])])


def test_other_interpreters_are_warmed_for_a_time() -> None:
    """The length of their chunks is that of the calibration, in every process."""
    call = Compiled(1_000, 500, 1)
    cell = call.cell()
    loops = cell.loops
    rounds.warm(cell, Request("measure", "here", "", "", 1, "cext", warm_up_ns=2_000_000))
    assert cell.loops == loops
    assert cell.agreed is None
    assert 2e6 <= call.now < 3e6


def test_unrolling_allows_for_a_call_that_is_still_cold() -> None:
    """With a warm-up by calls, a call of 64 us is expected to be compiled to a short one."""
    target = Target("w", "s", "w", int, ((),), {}, None)

    class NoFloor:
        def chunks(self, target: Target) -> list[object]:
            return []

    for calls, unroll in ((0, 1), (6_000, 8)):
        request = Request("measure", "here", "", "", 1, "cext", warm_calls=calls, calibration={"w s": 64_000.0})
        (cell,) = rounds.chunks_of(request, [target], NoFloor())["w"]  # type: ignore[arg-type]  # yields no chunk
        assert cell.unroll == unroll


@pytest.mark.parametrize("jit", [True, False])
def test_settling_rounds_are_counted(monkeypatch: pytest.MonkeyPatch, jit: bool) -> None:
    """With a JIT the first rounds are kept with the warm-up, and their number; without one there are none."""
    monkeypatch.setattr(rounds, "JIT", jit)
    cell = Compiled(2_000, 2_000, 0).cell()
    cell.run_warm()
    said: list[str] = []

    class Silent:
        def step(self, phase: str, done: int, total: int) -> None:
            said.append(phase)

        def turn(self) -> int | None:
            raise AssertionError("nobody takes turns here")

    request = Request("measure", "here", "", "", 1, "cext", rounds=4, least_visits=4)
    rounds.measure({"w": [cell]}, request, random.Random(1), Silent())
    assert cell.settling == (rounds.SETTLING if jit else 0)
    assert len(cell.warm_ns) == 1 + cell.settling
    assert len(cell.calls_ns) == 4
    assert entry(cell, {})["extra_info"].get("settling", 0) == cell.settling


def long_chunks(chunk_ns: int) -> Cell:
    """A cell of 100 ns per call, warmed up for chunks of a length."""
    cell = Compiled(100, 100, 0).cell()
    rounds.warm_until_steady(cell, 6_000, 10**8, chunk_ns=chunk_ns, clock=count(0, 10**6).__next__)
    return cell


def test_chunks_have_the_length_that_is_asked_for() -> None:
    """Chunks of 4 ms have so many times as many calls as the usual ones, and 0 leaves them as they are."""
    short, long, same = long_chunks(CHUNK_NS), long_chunks(4_000_000), long_chunks(0)
    assert short.loops == same.loops == CHUNK_NS // 800
    assert long.loops == 4_000_000 // 800


@pytest.mark.parametrize(
    ("ns", "loops", "chunks"),
    [
        (100.0, 100, [round(100 * LEAD), 100]),
        (5_000.0, 2, [max(1, round(2 * LEAD)), 2]),
        (100_000.0, 1, [1, 1]),
        (200_000.0, 1, [round(LEAD), 1] if LEAD > 0.5 else [1]),  # a loop takes more than a millisecond
    ],
)
def test_a_chunk_is_led_in_by_calls_that_do_not_count(ns: float, loops: int, chunks: list[int]) -> None:
    """A share of the loops runs first, one at least unless it is long, and its time is not kept."""
    ran = []

    def run(count: int) -> tuple[int, int]:
        ran.append(count)
        return count * 800, count

    cell = Cell("w", "s", run, loops, 8, ns)
    cell.run(0, 0)
    assert ran == chunks
    assert (cell.calls_ns, cell.empty_ns) == ([loops * 800], [loops])


def test_a_process_waits_for_its_turns() -> None:
    """After as many visits as a turn has, and for a workload that it lacks too; it ends when it gets no further turn,
    even in a slow workload. The place of a turn is the position of all its chunks.
    """

    class Three:
        turns = 0

        def step(self, phase: str, done: int, total: int) -> None:
            """Print nothing."""

        def turn(self) -> int | None:
            self.turns += 1
            return 5 + self.turns if self.turns <= 3 else None

    def run(loops: int) -> tuple[int, int]:
        return 2_000_000, 0

    cells = [Cell(workload, "s", run, 1, 1, 2_000_000.0) for workload in "vw"]
    request = Request(
        "measure", "", "", "", 1, "s", rounds=60, least_visits=60, turn_visits=6, workloads=["u", "v", "w"]
    )
    rounds.measure({cell.workload: [cell] for cell in cells}, request, random.Random(1), progress := Three())
    assert progress.turns == 4
    assert [cell.rounds for cell in cells] == [list(range(6))] * 2
    assert cells[0].positions == [6, 6, 7, 7, 8, 8]


def test_a_turn_is_of_the_same_workloads_in_all_processes() -> None:
    """Of those that one of them lacks too, and whatever each of them has drawn."""
    told: list[str] = []

    class Turns:
        def step(self, phase: str, done: int, total: int) -> None:
            """Print nothing."""

        def turn(self) -> int | None:
            told.append("turn")
            return 0

    def order(workloads: str, seed: int) -> list[list[str]]:
        """Return what ran in each turn."""
        told.clear()

        def cell(workload: str) -> Cell:
            def run(loops: int) -> tuple[int, int]:
                told.append(workload)
                return 2 * rounds.LEAD_NS, 0

            return Cell(workload, "s", run, 1, 1, 100_000.0)

        request = Request(
            "measure", "", "", "", 1, "s", rounds=5, least_visits=5, turn_visits=1, workloads=["u", "v", "w"]
        )
        cells = {workload: [cell(workload)] for workload in workloads}
        rounds.measure(cells, request, random.Random(seed), Turns())
        first = told.index("turn")
        turns = "".join(it if it != "turn" else " " for it in told[first:]).split(" ")[1:]
        return [sorted(set(it)) for it in turns]

    whole, part = order("uvw", 1), order("wu", 2)
    assert len(whole) == len(part) == 15
    assert part == [it if it != ["v"] else [] for it in whole]
    assert len({tuple(map(tuple, whole[start : start + 3])) for start in range(0, 15, 3)}) > 1


def test_processes_that_measure_in_turns_have_a_slow_workload_in_the_same_rounds() -> None:
    """However long the call of each takes, and whatever else each of them has drawn."""

    def drawn(subject: str, seed: int) -> list[int]:
        known = {f"w {name}": ns for name, ns in (("cext", 4e6), ("cffi", 5e6), ("ctypes", 9e6))}
        request = Request("measure", "", "", "", 1, "cext", rounds=60, least_visits=6, turn_visits=1, calibration=known)
        cell = Cell("w", subject, lambda loops: (1, 0), 1, 1, known[f"w {subject}"])
        return rounds.visits("w", [cell], request, random.Random(seed))

    assert drawn("cext", 1) == drawn("ctypes", 2)
    assert 6 <= len(drawn("cext", 1)) < 60


@pytest.mark.parametrize("cells", [1, 2])
def test_chunks_that_lead_in_run_once_for_a_workload_and_turn(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    """Where a workload follows itself within a turn, all is in the caches from the visit before."""
    monkeypatch.setattr(rounds, "JIT", False)
    ran: list[int] = []

    class Turns:
        def step(self, phase: str, done: int, total: int) -> None:
            """Print nothing."""

        def turn(self) -> int | None:
            ran.append(-1)
            return 0

    def run(loops: int) -> tuple[int, int]:
        ran.append(loops)
        return rounds.LEAD_NS // 20, 0

    members = [Cell("w", f"s{number}", run, 7, 1, 1000.0) for number in range(cells)]
    request = Request("measure", "", "", "", 1, "s", rounds=6, least_visits=6, turn_visits=3, workloads=["w"])
    rounds.measure({"w": members}, request, random.Random(1), Turns())
    chunks = [len(turn.split()) for turn in " ".join(map(str, ran)).split("-1")[1:]]
    led = 20 + 3 * cells  # chunks that lead in, and those of three visits
    before = 1 if cells == 1 else 3 * cells  # calls before a chunk: only where another cell or process ran
    assert chunks == [led + before] * 2
