# SPDX-License-Identifier: Apache-2.0
"""The folder of a new run, and the processes that are started once for each block."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cside_bench.machine.guard import Guard
from cside_bench.results import headline
from cside_bench.results.plan import Block, Plan, Tier
from cside_bench.results.rounds import Key
from cside_bench.run import driver as driver_module
from cside_bench.run import sample, starts
from cside_bench.run.child import Outcome
from cside_bench.run.driver import Driver, DriverError, new_folder
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.run.turns import Job
from plans import plan
from rich.console import Console


def test_folders_of_runs_never_collide(tmp_path: Path) -> None:
    """Two runs in one second have two folders."""
    assert new_folder(tmp_path) != new_folder(tmp_path)


def test_a_divided_block_measures_threads_and_starts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of threads that fails, and starts that leave no file, are not repeated for every part of the block."""
    parts = [Block("pypy-3.11", 0, 10 + part, part=part, workloads=[f"w{part}"]) for part in range(3)]
    display = Display(Console(file=StringIO()))
    guard = Guard(100.0, 0.0, display)
    driver = Driver(replace(plan("default"), blocks=parts), tmp_path, display, Machine(None, guard))
    started: list[str] = []

    def fails(interpreter: object, module: str, *rest: object) -> Outcome:
        started.append(module)
        return Outcome(1, "", None)

    def take(*arguments: Any) -> None:
        started.append("starts")

    monkeypatch.setattr(driver, "_process", fails)
    monkeypatch.setattr(driver, "_pilot", lambda label: {"whole": ["cext"]})
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    monkeypatch.setattr(starts, "take", take)
    for block in parts:
        driver._cold(block)
        driver._threads(block)
    assert started == ["starts", "threads.measure"]


def test_later_processes_leave_out_what_a_look_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look is taken once, before the first block after it; a plan that is resumed takes none again."""
    label, looks, measured = "cpython-3.13", [], []
    decided = [("idioms.add[i32-small]", "swig"), ("idioms.noop", "cffi")]

    def look(folder: Path, of: str) -> frozenset[Key]:
        looks.append((folder, of))
        return frozenset(decided)

    def run(driver: Driver) -> None:
        for name in ("_calibrate", "_complete_plan", "_cold", "_threads"):
            monkeypatch.setattr(driver, name, lambda *arguments: None)
        monkeypatch.setattr(sample, "take", lambda *arguments: None)
        monkeypatch.setattr(driver, "_block", lambda members: measured.extend((it.name, it.decided) for it in members))
        driver.run()

    planned = plan("default", python=("3.13",))
    planned = replace(planned, blocks=[Block(label, number, number) for number in range(8)])
    display = Display(Console(file=StringIO()))
    machine = Machine(None, Guard(100.0, 0.0, display))
    run(Driver(planned, tmp_path, display, machine, look))
    assert looks == [(tmp_path, label)]
    assert measured[:6] == [(f"{label}-{number:02d}", []) for number in range(6)]
    assert measured[6:] == [(f"{label}-{number:02d}", decided) for number in (6, 7)]
    kept = Plan.load(tmp_path)
    assert kept.finished
    assert kept.blocks[6].decided == decided
    measured.clear()
    run(Driver(kept, tmp_path, display, machine, look))
    assert len(looks) == 1
    assert measured[6][1]


@pytest.mark.parametrize(("tier", "alone"), [("quick", ""), ("default", "cffi")])
def test_no_look_where_nothing_is_judged(tmp_path: Path, tier: str, alone: str) -> None:
    """A tier without verdicts and a run with a process for each binding measure every workload in every process."""

    def look(folder: Path, label: str) -> frozenset[Key]:
        raise AssertionError("no look")

    planned = replace(plan(tier), blocks=[Block("cpython-3.13", 6, 6, alone=alone)])
    display = Display(Console(file=StringIO()))
    driver = Driver(planned, tmp_path, display, Machine(None, Guard(100.0, 0.0, display)), look)
    driver._look(planned.blocks[0])
    assert driver.plan.blocks == planned.blocks


def test_a_process_is_told_its_layouts_and_the_workloads_of_twins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of the bindings that take part, and no others; twins in the rows of the short table."""
    facts = {"layouts": {"cext": ["/a/1", "/a/2"], "swig": ["/b/1"]}}
    chosen = plan("default")
    interpreter = replace(chosen.interpreters[0], facts=facts)
    display = Display(Console(file=StringIO()))
    driver = Driver(replace(chosen, bindings=["cext"]), tmp_path, display, Machine(None, Guard(100.0, 0.0, display)))
    asked: list[dict[str, Any]] = []

    def succeeds(interpreter: object, module: str, seed: int, request: dict[str, Any], stem: str) -> Outcome:
        asked.append(request)
        return Outcome(0, "", None)

    monkeypatch.setattr(driver, "_process", succeeds)
    driver._measure(interpreter, 1, "measure", tmp_path / "out.json", {})
    block = next(it for it in driver.plan.blocks if it.number == 2)
    driver._measure(interpreter, block.seed, "measure", tmp_path / "out.json", {}, block)
    assert [(it["series"], it["number"]) for it in asked] == [(driver.plan.seed, 0), (driver.plan.seed, 2)]
    assert asked[0]["exclude"] == []
    assert asked[0]["layouts"] == {"cext": ["/a/1", "/a/2"]}
    assert "idioms.noop" in asked[0]["twins"]
    assert set(asked[0]["twins"]) <= {row["workload"] for row in headline.rows()}


def test_a_process_leaves_out_what_crashed_and_what_is_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are pairs of a workload and a subject."""
    display = Display(Console(file=StringIO()))
    driver = Driver(plan("default"), tmp_path, display, Machine(None, Guard(100.0, 0.0, display)))
    interpreter = driver.plan.interpreters[0]
    asked: list[dict[str, Any]] = []

    def succeeds(interpreter: object, module: str, seed: int, request: dict[str, Any], stem: str) -> Outcome:
        asked.append(request)
        return Outcome(0, "", None)

    monkeypatch.setattr(driver, "_process", succeeds)
    crash = {"interpreter": interpreter.label, "workload": "idioms.noop", "subject": "swig", "reason": "crashed"}
    (tmp_path / "crashes.json").write_text(json.dumps([crash]), encoding="utf-8")
    block = Block(interpreter.label, 7, 7, decided=[("idioms.noop", "cffi")])
    driver._measure(interpreter, 1, "measure", tmp_path / "out.json", {}, block)
    assert asked[0]["exclude"] == [("idioms.noop", "swig"), ("idioms.noop", "cffi")]


def test_a_tier_without_verdicts_measures_neither_threads_nor_twins_of_other_bindings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing could be judged by them. Starts of PyPy, which take seconds, are taken once, those of CPython thrice."""
    display = Display(Console(file=StringIO()))
    driver = Driver(plan("quick"), tmp_path, display, Machine(None, Guard(100.0, 0.0, display)))
    taken: list[str] = []
    monkeypatch.setattr(driver, "_process", lambda *rest: pytest.fail("a process was started"))
    monkeypatch.setattr(driver, "_pilot", lambda label: {"whole": ["cext"]})
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    monkeypatch.setattr(starts, "take", lambda python, names, out, *rest: taken.append(out.name))
    labels = [it.label for it in driver.plan.interpreters]
    assert all(driver._twins(label) == [] for label in labels)
    for label in labels:
        for number in range(3):
            driver._threads(Block(label, number, number))
            driver._cold(Block(label, number, number))
    for label in labels:
        own = [name for name in taken if name.startswith(f"{label}-")]
        assert len(own) == (1 if label.startswith("pypy") else 3)


PILOT = {
    "implementations": ["cext", "cffi", "cffi.bare", "ctypes"],
    "whole": ["cext", "cffi", "ctypes"],
    "workloads": {"idioms.add[i32-small]": 9, "idioms.status_raise[-102]": 9},
    "ns": {},
    "seconds": {},
}


def apart_driver(folder: Path, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Driver:
    """A driver of a run on PyPy alone, whose pilot has ended."""
    planned = plan("default", python=("pypy",), **changes)
    interpreter = replace(planned.interpreters[0], facts={"layouts": {"cext": ["/a/1"]}})
    display = Display(Console(file=StringIO()))
    driver = Driver(
        replace(planned, interpreters=[interpreter]), folder, display, Machine(None, Guard(100.0, 0.0, display))
    )
    monkeypatch.setattr(driver, "_pilot", lambda label: PILOT)
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    return driver


class Turns:
    """Takes the place of :func:`cside_bench.run.turns.together`; ``ends`` tells how some processes end at first."""

    def __init__(self, ends: dict[str, Outcome]) -> None:
        self.ends = ends
        self.groups: list[dict[str, dict[str, Any]]] = []

    def __call__(self, jobs: list[Job], *rest: object) -> dict[str, Outcome]:
        """Keep the requests; write the files of those that do not fail."""
        requests = {job.name: json.loads(Path(job.command[-1]).read_text(encoding="utf-8")) for job in jobs}
        self.groups.append({it["alone"]: it for it in requests.values()})
        found = {}
        for name, request in requests.items():
            found[name] = self.ends.pop(request["alone"], Outcome(0, "measure", None))
            if found[name].code == 0:
                Path(request["out"]).write_text("{}", encoding="utf-8")
        return found


def test_on_pypy_each_binding_has_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So have its twin and the controls; a control without a workload has none, nor a variant that the tier leaves out.

    All have the seed, the layouts and the calibration of the block. References have one too.
    """
    driver = apart_driver(tmp_path, monkeypatch)
    monkeypatch.setattr(driver_module, "together", turns := Turns({}))
    driver._complete_plan()
    groups = list(dict.fromkeys(block.group for block in driver.plan.blocks))
    assert len(groups) == Tier.named("default").of("pypy-3.11").blocks
    members = driver._members(groups[0])
    driver._block(members)
    (asked,) = turns.groups
    assert sorted(asked) == sorted(
        ["host", "cext", "cffi", "ctypes", "twin", "delayed", "relinked", "twin.cffi", "twin.ctypes"]
    )
    assert {it["seed"] for it in asked.values()} == {members[0].seed}
    assert {(it["series"], it["number"]) for it in asked.values()} == {(driver.plan.seed, members[0].number)}
    assert all(it["layouts"] == {"cext": ["/a/1"]} for it in asked.values())
    assert len({it["turn_visits"] for it in asked.values()}) == 1 and asked["cffi"]["turn_visits"]
    assert asked["host"]["exclude"] == []
    left_out = {subject for workload, subject in asked["twin"]["exclude"] if "add" in workload}
    assert {"stdlib", "floor", "empty-builtin"} <= left_out and "twin" not in left_out
    assert (tmp_path / "machine" / f"{groups[0]}.json").exists()
    driver._block(members)
    assert len(turns.groups) == 1


def test_a_binding_that_crashes_in_a_process_of_its_own_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The group is measured again without that target; any other end stops the run."""
    driver = apart_driver(tmp_path, monkeypatch)
    crash = Outcome(-11, "check", ("idioms.add[i32-small]", "cffi"))
    monkeypatch.setattr(driver_module, "together", turns := Turns({"cffi": crash}))
    driver._complete_plan()
    members = driver._members(driver.plan.blocks[0].group)
    driver._block(members)
    assert len(turns.groups) == 2
    assert ["idioms.add[i32-small]", "cffi"] in turns.groups[1]["cffi"]["exclude"]
    (tmp_path / "blocks" / f"{members[0].name}.json").unlink()
    (tmp_path / "logs" / f"{members[0].name}.log").write_text("its last words\n", encoding="utf-8")
    turns.ends[members[0].alone] = Outcome(-9, "measure", None)
    with pytest.raises(DriverError, match=r"SIGKILL in phase “measure”: its last words"):
        driver._block(members)


def test_an_isolated_run_sets_bindings_apart_on_every_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A default run does so on PyPy only."""
    display = Display(Console(file=StringIO()))
    for isolated in (False, True):
        planned = plan("default", isolated=isolated)
        driver = Driver(planned, tmp_path, display, Machine(None, Guard(100.0, 0.0, display)))
        monkeypatch.setattr(driver, "_pilot", lambda label: PILOT)
        driver._complete_plan()
        apart = {block.interpreter for block in driver.plan.blocks if block.alone}
        assert apart == ({it.label for it in planned.interpreters} if isolated else {"pypy-3.11"})
