# SPDX-License-Identifier: Apache-2.0
"""Threads are counted rightly, compute what one thread does, and share no data."""

import json
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
from cside_suite.process.threads.calls import Call, Machine, calls, text
from cside_suite.process.threads.crew import Work
from cside_suite.process.threads.measure import check
from cside_suite.process.threads.request import LONGEST_NS, SHORTEST_NS, Request, Shape, divide
from cside_suite.subjects.bindings import discover
from cside_suite.subjects.thread_calls import NATIVE, STDLIB


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_call_is_counted_for_its_thread(threads: int) -> None:
    """The counts of a shift are the calls that each thread made, all chunks whole."""
    tallies: list[list[int]] = []

    def make() -> tuple[list[int]]:
        tallies.append(tally := [0])
        return (tally,)

    def count(tally: list[int]) -> list[int]:
        tally[0] += 1
        return tally

    work = Work(count, make, name="count")
    work.calibrate(0)
    tallies.clear()
    shift = work.shift(threads, 2_000_000)
    assert sorted(shift.calls) == sorted(tally[0] for tally in tallies)
    assert [result[0] for result in shift.results] == list(shift.calls)  # type: ignore[index]  # each its own tally
    assert all(number > 0 and number % work.chunk == 0 for number in shift.calls)
    assert shift.ns >= 2_000_000


def test_threads_make_their_own_arguments() -> None:
    """No thread gets another's data, nor the waiting thread's."""
    made: list[bytearray] = []

    def make() -> tuple[bytearray]:
        made.append(data := bytearray(8))
        return (data,)

    shift = Work(lambda data: data, make, name="own").shift(4, 2_000_000)
    assert len({id(result) for result in shift.results}) == 4
    assert {id(result) for result in shift.results} < {id(data) for data in made}


def test_a_failing_thread_is_told_and_leaves_nobody_waiting() -> None:
    """An exception in one thread, at work or before, comes out of the shift, and the other threads end."""
    before = threading.active_count()
    failing = iter([False, True, False])

    def sometimes() -> tuple[int]:
        if next(failing):
            raise LookupError("no data")
        return (1,)

    with pytest.raises(ZeroDivisionError):
        Work(lambda: 1 // 0, tuple, name="fails").shift(3, 1_000_000)
    work = Work(abs, lambda: (1,), name="fails early")
    work.make = sometimes
    with pytest.raises(LookupError, match="no data"):
        work.shift(3, 1_000_000)
    assert threading.active_count() == before


def test_each_work_has_code_of_its_own() -> None:
    """Two works on one function share no code object, so that no JIT shares what it learnt."""
    loops: list[Any] = [Work(len, lambda: ("",), name="same")._loop for _ in range(2)]
    assert loops[0].__code__ is not loops[1].__code__


def test_arguments_and_results_of_the_calls_are_right() -> None:
    """Each call knows its right result without any binding, and makes fresh arguments each time."""
    machine = Machine()
    found = {call.name: call for call in calls(machine)}
    for name, call in found.items():
        if call.noun == "codec":
            function: Any = getattr(zlib, call.function)
            assert call.right(function(*call.make()))
            assert call.make()[0] is not call.make()[0]
            assert not call.right(function(b"something else"))
        else:
            steps = int(name.partition("[")[2].rstrip("]"))
            assert call.right(machine.spin(steps))
            assert not call.right(machine.spin(steps + 1))


def test_the_text_is_the_same_each_time_and_compresses() -> None:
    """Results of different processes and machines are about the same bytes, of the size asked for."""
    assert text(70_000) == text(70_000)
    assert len(text(1 << 16)) == 1 << 16
    assert 2 < len(text(1 << 16)) / len(zlib.compress(text(1 << 16), 1)) < 20


@pytest.mark.parametrize("name", [it.name for it in calls(Machine())])
def test_the_native_ceiling_runs(name: str) -> None:
    """Each call has a C loop that several threads may be in at once."""
    machine = Machine()
    loop = machine.loop(next(call for call in calls(machine) if call.name == name))
    shift = Work(loop.run, loop.make, name=name).shift(2, 1_000_000)
    assert min(shift.calls) >= 1
    if not name.startswith("idioms"):
        assert shift.results == (0, 0)  # the status


def call_of(function: Any, right: Any) -> tuple[Call, Work]:
    """A call that only a test has."""
    call = Call("t[1]", "codec", "crc32", None, lambda: (b"x",), right)
    return call, Work(function, call.make, name="t")


def test_a_result_that_only_one_thread_gets_right_voids_the_call() -> None:
    """What depends on the thread that asks is found before anything is timed, and told."""
    local = threading.local()
    local.first = True
    reason = check(*call_of(lambda _: getattr(local, "first", False), bool), 4)
    assert reason is not None and "not that of one thread" in reason
    assert check(*call_of(len, lambda result: result == 1), 4) is None


def test_wrong_results_and_exceptions_void_the_call() -> None:
    """A result that is wrong on one thread already, and an exception, are the reason in words."""
    assert check(*call_of(len, lambda result: result == 2), 4) == "gives a wrong result"

    def fail(_: bytes) -> None:
        raise OSError("no")

    assert check(*call_of(fail, bool), 4) == "OSError with 4 threads: no"


def test_the_budget_decides_how_long_cells_last() -> None:
    """Cells are as long as the budget allows, within bounds; rounds go before the shortest cells do."""
    shapes = [Shape(threads, "released", native=False) for threads in (1, 2, 4, 8)]
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=1e6), 0.005) == (3, LONGEST_NS)
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=12 * 50), 0.005) == (3, 50_000_000)
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=8 * 40), 0.005) == (2, SHORTEST_NS)
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=1), 0.005) == (1, SHORTEST_NS)


def test_threads_that_take_turns_get_several() -> None:
    """Where the GIL is held, each of many threads has time for three turns; elsewhere a cell is not stretched."""
    assert Shape(8, "held", native=False).lasting(40_000_000, 0.005) == 120_000_000
    assert Shape(8, "released", native=False).lasting(40_000_000, 0.005) == 40_000_000
    assert Shape(1, "held", native=False).lasting(40_000_000, 0.005) == 40_000_000


def test_a_request_without_one_thread_is_refused(tmp_path: Path) -> None:
    """Speed-ups have to refer to something; a misspelt key is an error, too."""
    path = tmp_path / "request.json"
    Request("x", "", threads=[2, 4]).save(path)
    with pytest.raises(ValueError, match="one thread"):
        Request.load(path)
    path.write_text('{"interpreter": "x", "out": "", "round": 1}', encoding="utf-8")
    with pytest.raises(TypeError):
        Request.load(path)


def test_a_process_writes_what_it_was_asked(tmp_path: Path) -> None:
    """The real process: every subject and number of threads in each round, but what is excluded; progress as JSON."""
    names = [it.name for it in discover() if not it.variant][:2]
    request = Request(
        "this",
        str(tmp_path / "out.json"),
        seed=5,
        rounds=2,
        budget_ms=1,
        bindings=names,
        only=["crc32[16]"],
        threads=[1, 3],
        exclude=[("codec.crc32[16]", name) for name in names[1:]],
    )
    request.save(tmp_path / "request.json")
    command = [sys.executable, "-m", "cside_suite.process.threads.measure", str(tmp_path / "request.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all("total" in line or "subject" in line for line in lines)
    assert lines[-1]["done"] == lines[-1]["total"]
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    (process,) = found["processes"]
    assert process["rounds"] == 1  # the budget holds no more
    cells = {(cell["subject"], cell["threads"]): cell for cell in process["cells"]}
    assert cells.keys() == {(name, threads) for name in [*names[:1], STDLIB, NATIVE] for threads in (1, 3)}
    for (_, threads), cell in cells.items():
        assert [len(counts) for counts in cell["calls"]] == [threads]
        assert cell["ns"][0] > 0
        assert cell["cpu_ns"][0] > 0
    assert found["switch_interval_s"] == sys.getswitchinterval()
    assert process["void"] == []


def test_a_name_that_selects_nothing_is_told(tmp_path: Path) -> None:
    """A misspelt call ends the process with a message."""
    Request("this", str(tmp_path / "out.json"), only=["nosuch"]).save(tmp_path / "request.json")
    command = [sys.executable, "-m", "cside_suite.process.threads.measure", str(tmp_path / "request.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "nosuch" in done.stderr
    assert not (tmp_path / "out.json").exists()
