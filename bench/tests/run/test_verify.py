# SPDX-License-Identifier: Apache-2.0
"""The processes of a verification: one binding and one workload each, in random order, and none of them twice."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from cside_bench.machine.guard import Guard
from cside_bench.results.plan import Interpreter, Plan
from cside_bench.results.verified import Cell, Seeds, Settings, crashed, read
from cside_bench.run import verify
from cside_bench.run.child import Outcome
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from rich.console import Console
from synthetic_run import LABEL, WORKLOADS
from synthetic_verify import Processes, finished

CELLS = [Cell(LABEL, workload, subject) for workload in WORKLOADS[:3] for subject in ("cffi", "swig")]
SETTINGS = Settings(9, 0.6, 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    return finished(tmp_path_factory.mktemp("run") / "r")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Processes:
    """Processes that write files and measure nothing."""
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    return Processes().install(monkeypatch)


def again(folder: Path, place: Path) -> None:
    """Measure the cells."""
    display = Display(Console(file=StringIO()))
    machine = Machine(None, Guard(100.0, 0.0, display))
    verify.again(Plan.load(folder), folder, place, CELLS, SETTINGS, display, machine)


def test_each_process_has_one_binding_and_one_workload(folder: Path, tmp_path: Path, processes: Processes) -> None:
    """The reference has processes too; draws are the same for a workload's subjects, nuisances are not."""
    again(folder, tmp_path / "verify")
    asked = processes.requests
    assert len(asked) == 3 * 3 * SETTINGS.processes
    assert {(it["alone"], len(it["workloads"])) for it in asked} == {("cext", 1), ("cffi", 1), ("swig", 1)}
    by_workload: dict[str, list[int]] = {}
    for it in asked:
        by_workload.setdefault(it["workloads"][0], []).append(it["seed"])
        assert it["turn_visits"] == 8
        assert it["rounds"] * verify.SHORTEST_ROUND_S >= 0.9
        assert [it["workloads"][0], "stdlib"] in it["exclude"]
        assert it["handicaps"] == []
    assert all(len(seeds) == 6 and len(set(seeds)) == 2 for seeds in by_workload.values())
    assert len({(it["workloads"][0], it["series"]) for it in asked}) == len({it["series"] for it in asked}) == 3
    assert {(it["series"], it["number"]) for it in asked} == {(it["series"], n) for it in asked for n in range(2)}
    assert len({env["PYTHONHASHSEED"] for env in processes.environments}) == len(asked)
    assert [(len(names), seconds) for names, seconds in processes.rings] == [(3, pytest.approx(0.9))] * 6
    order = [it["workloads"][0] for it in asked]
    assert order != sorted(order)


def test_an_interrupted_verification_goes_on(folder: Path, tmp_path: Path, processes: Processes) -> None:
    """Ctrl-C in the fifth process: the next call runs those that measured in turns with it, and those after it."""

    def interrupt(number: int) -> Outcome | None:
        if number == 4:
            raise KeyboardInterrupt
        return None

    processes.before = interrupt
    with pytest.raises(KeyboardInterrupt):
        again(folder, tmp_path / "verify")
    assert len(processes.requests) == 4
    assert read(tmp_path / "verify", CELLS, "cext", 2).missing
    processes.before = lambda number: None
    again(folder, tmp_path / "verify")
    outs = [it["out"] for it in processes.requests]
    assert (len(outs), len(set(outs))) == (19, 18)  # the one that had ended before it measures again
    assert set(read(tmp_path / "verify", CELLS, "cext", 2).logs) == set(CELLS)


def test_a_crash_is_kept_and_another_failure_ends_it(folder: Path, tmp_path: Path, processes: Processes) -> None:
    """A process that a signal ends is not started again; one that fails otherwise stops with its last line."""
    processes.before = lambda number: Outcome(-11, "check", None)
    again(folder, tmp_path / "verify")
    assert len(crashed(tmp_path / "verify")) == 18
    assert processes.requests == []
    found = read(tmp_path / "verify", CELLS, "cext", 2)
    assert set(found.reasons.values()) == {"crashed its process with SIGSEGV"}
    processes.before = lambda number: Outcome(1, "import", None)
    with pytest.raises(verify.VerifyError, match="its last words"):
        again(folder, tmp_path / "other")


def test_the_warm_up_is_that_of_the_interpreter(folder: Path) -> None:
    """By calls on PyPy, and for a time on CPython; a cell that was slowed down on purpose is not slowed down here."""
    plan = Plan.load(folder)
    known = [*plan.interpreters, Interpreter("pypy-3.11", "python")]
    plan = replace(plan, interpreters=known, handicaps=[("idioms.w00", "cffi", 60.0)])
    (folder / "calibration" / "pypy-3.11.json").write_text('{"ns": {}}', encoding="utf-8")
    warm, timed = (verify.alone(plan, folder, label, "cffi", ["w"], Seeds(1, 2, 0)) for label in ("pypy-3.11", LABEL))
    assert warm.warm_calls > 1_000
    assert timed.warm_calls == 0 < timed.warm_up_ns
    assert timed.handicaps == []
