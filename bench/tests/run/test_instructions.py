# SPDX-License-Identifier: Apache-2.0
"""Counted runs: what a count is, when it is not to be relied on, and what happens where none can be had."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cside_bench.report import instructions as report_instructions
from cside_bench.results import instructions as results_instructions
from cside_bench.results.plan import Interpreter, Plan
from cside_bench.run import instructions as run_instructions
from cside_bench.run.progress import Display
from cside_suite.process.heap import Heap
from cside_suite.workloads import corpus
from rich.console import Console

counted = pytest.importorskip(
    "cside_suite.process.instructions", reason="cside_bench is not built here, or cside_native is missing"
)

ONCE, LOOP = 1000, 7
"""Instructions of the synthetic machine: of a chunk that does nothing, and of each loop."""


@dataclass
class Machine:
    """Stands for callgrind: a chunk costs what its calls say, and what is done once and per loop."""

    spent: float = 0.0
    bare: list[int] = field(default_factory=lambda: [ONCE, LOOP])

    def call(self, instructions: Callable[[], float]) -> Callable[[], None]:
        """A function of that price."""

        def function() -> None:
            self.spent += instructions()

        return function

    def total(self, chunk: Any, loops: int) -> int:
        """As `counted.Counter.total`."""
        self.spent = 0.0
        chunk(loops)
        return round(self.bare[0] + self.bare[1] * loops + self.spent)


def count_of(machine: Any, function: Callable[[], None]) -> Any:
    """The cell of a function on a machine."""
    count = counted.Count("workload", "subject")
    chunks = {unroll: counted.compile_calls(function, (), unroll, "test") for unroll in (1, counted.UNROLL)}
    counted.Process(machine).calls(count, chunks)
    return count


@pytest.mark.parametrize("price", [3, 450, 30_000, 900_000, 50_000_000])
def test_a_count_has_only_the_calls_in_it(price: int) -> None:
    """Whatever a call costs, what a chunk does once or per loop is no part of its count."""
    machine = Machine()
    count = count_of(machine, machine.call(lambda: price))
    assert count.instructions == price
    assert (count.stable, count.spread) == (True, 0.0)


def test_a_count_that_does_not_repeat_is_marked() -> None:
    """A call that takes 1 % more each time has a number, a spread, and is not stable."""
    machine = Machine()
    price = 1000.0

    def growing() -> float:
        nonlocal price
        price *= 1.0001
        return price

    count = count_of(machine, machine.call(growing))
    assert count.instructions is not None
    assert count.spread > counted.TOLERANCE
    assert not count.stable


def test_a_count_that_settles_late_is_stable() -> None:
    """Where the first calls cost more, they are not what is reported."""
    machine = Machine()
    calls = 0

    def settling() -> float:
        nonlocal calls
        calls += 1
        return 500.0 if calls > 200 else 5000.0

    count = count_of(machine, machine.call(settling))
    assert (count.instructions, count.stable) == (500.0, True)


def test_a_handicap_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that is slowed down by 5 % on purpose has 5 % more instructions."""
    machine = Machine(bare=[ONCE, 0])  # its loops are free, those of the spinning too

    def spin(steps: int) -> None:
        machine.spent += 4 * steps

    monkeypatch.setattr(counted, "spin", spin)
    drag = counted.Drag(5.0)
    function = machine.call(lambda: 800)
    count = counted.Count("workload", "subject")
    chunks = {unroll: counted.compile_calls(function, (), unroll, "test", drag) for unroll in (1, counted.UNROLL)}
    counted.Process(machine).calls(count, chunks, drag)
    assert count.instructions == pytest.approx(840, rel=0.001)


def test_a_cell_is_stable_where_two_processes_agree() -> None:
    """Their mean is its number; more than 0.5 % between them, and it is not; void in one, it is void."""

    def cell(instructions: float | None, void: str | None = None) -> dict[str, Any]:
        spread = None if instructions is None else 0.0
        found = {"workload": "w", "subject": "s", "instructions": instructions, "calls": 9, "stable": void is None}
        return {**found, "spread": spread, "void": void}

    (agree,) = run_instructions.both([cell(1000.0)], [cell(1004.0)])
    assert (agree["instructions"], agree["stable"]) == (1002.0, True)
    (differ,) = run_instructions.both([cell(1000.0)], [cell(1010.0)])
    assert (differ["stable"], differ["spread"]) == (False, pytest.approx(0.01))
    assert run_instructions.both([cell(1000.0)], [cell(None, "why")]) == [cell(None, "why")]
    assert run_instructions.both([], [cell(5.0)]) == [cell(5.0)]


def test_a_floor_is_its_calls_without_its_empty_loop() -> None:
    """Of the parts between two looks at the clock, the calls count and the empty loop is taken off."""

    class Parts:
        def total(self, chunk: Any, loops: int) -> int:
            return ONCE + LOOP * loops

        def parts(self, chunk: Any, loops: int) -> list[int]:
            preparing, between, after = 9999, 40, 300
            return [preparing, 40 + 3 * loops, between, 40 + 5 * loops, 8 * loops, after]

    count = counted.Count("workload", "floor.direct")
    counted.Process(Parts()).floor(count, lambda loops: None)
    assert (count.instructions, count.stable) == (10.0, True)


def test_the_total_of_a_dump_is_its_last() -> None:
    """A dump is read by its last line, and one that was cut short is not taken for a small number."""
    assert counted.total_of(b"calls=1 803 \n\ntotals: 112954761\n") == 112954761
    with pytest.raises(ValueError, match="without a total"):
        counted.total_of(b"calls=1 803\n0 5\n")


def test_other_systems_are_told_so() -> None:
    """Where there is no valgrind, the error names it, and the system that has it."""
    with pytest.raises(run_instructions.CountingError, match="on Linux only; this system is darwin"):
        run_instructions.find_valgrind("darwin")


def test_a_missing_valgrind_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The error says how to install it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(run_instructions.CountingError, match="apt-get install valgrind"):
        run_instructions.find_valgrind("linux")


def test_the_environment_is_the_same_whoever_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a shell's variables nor the place of the run reach a counted process."""
    before = run_instructions.environment()
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("SHELL_LEVEL_OF_NO_INTEREST", "7")
    assert run_instructions.environment() == before
    assert before["PYTHONHASHSEED"] == "0"


def plan_of(*interpreters: Interpreter, only: tuple[str, ...] = ()) -> Plan:
    """A counted plan of the quick tier."""
    import cside_native

    return Plan(
        tier="quick",
        seed=1,
        reference="cext",
        library_sha256=cside_native.build_info()["sha256"],
        interpreters=list(interpreters),
        blocks=[],
        bindings=[],
        only=list(only),
        corpora={},
    )


def display_to(path: Path) -> Display:
    """A display that writes to a file."""
    return Display(Console(file=path.open("w"), width=200))


def test_pypy_is_left_out_and_told_why(tmp_path: Path) -> None:
    """No number of PyPy's is given, and a plan of nothing else is refused."""
    plan = plan_of(Interpreter("pypy-3.11", "/nowhere/pypy3.11"))
    with pytest.raises(run_instructions.CountingError, match="no CPython is among the interpreters"):
        run_instructions.run(plan, tmp_path, display_to(tmp_path / "said"))
    assert "pypy-3.11 is left out" in (tmp_path / "said").read_text()


def test_what_is_counted_is_not_counted_again(tmp_path: Path) -> None:
    """An interpreter whose file is there is not run."""
    path = tmp_path / "counts" / "cpython-3.13.json"
    path.parent.mkdir()
    path.write_text("{}")
    run_instructions.run(
        plan_of(Interpreter("cpython-3.13", "/nowhere/python")), tmp_path, display_to(tmp_path / "said")
    )
    assert path.read_text() == "{}"


FAKE_VALGRIND = """#!{python}
import os, sys
command = [word for word in sys.argv[1:]]
while command[0].startswith("--"):
    del command[0]
os.execv(command[0], command)
"""
FAKE_PYTHON = """#!{python}
import json, os, signal, sys
request = json.load(open(sys.argv[-1]))
if request["mode"] == "count":
    print(json.dumps({{"phase": "count", "workload": "idioms.noop", "subject": "bad"}}), flush=True)
    if ["idioms.noop", "bad"] not in request["exclude"]:
        os.kill(os.getpid(), signal.SIGSEGV)
cell = {{"workload": "idioms.noop", "subject": "cext", "instructions": 100.0, "calls": 10}}
cell |= {{"stable": True, "spread": 0.0, "void": None}}
cells = [cell] if request["mode"] == "count" else []
json.dump({{"python": "none", "cells": cells}}, open(request["out"], "w"))
"""


def test_a_crash_costs_its_own_cell_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The target that took the process down is named as void, and all others are counted without it."""
    for name, text in (("valgrind", FAKE_VALGRIND), ("python", FAKE_PYTHON)):
        (tmp_path / name).write_text(text.format(python=sys.executable))
        (tmp_path / name).chmod(0o755)
    valgrind = run_instructions.Valgrind(str(tmp_path / "valgrind"), "0", ())
    monkeypatch.setattr(run_instructions, "find_valgrind", lambda: valgrind)
    plan = plan_of(Interpreter("cpython-3.13", str(tmp_path / "python")))
    run_instructions.run(plan, tmp_path, display_to(tmp_path / "said"))
    document = results_instructions.read(tmp_path)["cpython-3.13"]
    voids = {cell["subject"]: cell["void"] for cell in document["cells"]}
    assert voids == {"cext": None, "bad": "crashed its process with SIGSEGV"}
    assert sorted(path.name for path in (tmp_path / "counts").iterdir()) == ["cpython-3.13.json"]


def test_the_short_table_has_the_reference_and_ratios_to_it() -> None:
    """Instructions of the reference, and of the others in its terms; void and unstable cells are told apart."""

    def cell(subject: str, instructions: float | None, *, stable: bool = True) -> dict[str, Any]:
        void = None if instructions is not None else "different result"
        return {
            "workload": "idioms.noop",
            "subject": subject,
            "instructions": instructions,
            "stable": stable,
            "void": void,
        }

    cells = [cell("cext", 100.0), cell("cffi", 650.0), cell("swig", None), cell("ctypes", 1000.0, stable=False)]
    (row,) = report_instructions.table({"cpython-3.13": {"reference": "cext", "cells": cells}})
    assert (row.interpreter, row.workload, row.instructions) == ("cpython-3.13", "idioms.noop", 100.0)
    assert row.ratios == {"cffi": 6.5, "swig": None, "ctypes": 10.0}
    assert row.loose == {"ctypes"}
    (shown,) = report_instructions.tables([row], "cext")
    assert [column.header for column in shown.columns] == ["", "cext", "cffi", "ctypes", "swig"]


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython's instructions are counted")
def test_two_fresh_processes_count_the_same(tmp_path: Path) -> None:
    """Every cell of a no-op has the same number of instructions per call in two processes, within 0.5 %."""
    try:
        run_instructions.find_valgrind()
    except run_instructions.CountingError as error:
        pytest.skip(str(error))
    label = f"cpython-{sys.version_info.major}.{sys.version_info.minor}"
    plan = plan_of(Interpreter(label, sys.executable), only=("idioms.noop",))
    found = []
    for name in ("first", "second"):
        folder = tmp_path / name
        corpus.save(folder / "corpus", None)
        run_instructions.run(plan, folder, display_to(tmp_path / "said"))
        cells = json.loads((folder / "counts" / f"{label}.json").read_text())["cells"]
        found.append({cell["subject"]: cell["instructions"] for cell in cells if cell["void"] is None})
    first, second = found
    assert first.keys() == second.keys()
    assert {"cext", "empty-builtin", "floor.direct"} <= first.keys()
    for subject, instructions in first.items():
        assert instructions == pytest.approx(second[subject], rel=0.005), subject


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="it is CPython's allocator that is brought to rest")
def test_blocks_after_settling_come_from_one_pool() -> None:
    """Whatever was allocated before, the next blocks of a size come from a pool that is neither full nor empty."""
    heap = Heap()
    noise = [bytes(40) for _ in range(1000)]
    for keep in (3, 500, 997):
        del noise[keep:]
        heap.settle()
        blocks = [bytes(40) for _ in range(heap.FREE // 2)]
        assert len({id(block) >> heap.POOL_BITS for block in blocks}) == 1
        noise += [bytes(40) for _ in range(1000)]
