# SPDX-License-Identifier: Apache-2.0
"""The folder of a new run, and the processes that are started once for each block."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cside_bench.machine.guard import Guard
from cside_bench.results import headline
from cside_bench.results.plan import Block
from cside_bench.run import starts
from cside_bench.run.child import Outcome
from cside_bench.run.driver import Driver, new_folder
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
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
    driver = Driver(replace(plan("quick"), blocks=parts), tmp_path, display, Machine(None, guard))
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


def test_a_process_is_told_its_layouts_and_the_workloads_of_twins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of the bindings that take part, and no others; twins in the rows of the short table."""
    facts = {"layouts": {"cext": ["/a/1", "/a/2"], "swig": ["/b/1"]}}
    chosen = plan("quick")
    interpreter = replace(chosen.interpreters[0], facts=facts)
    display = Display(Console(file=StringIO()))
    driver = Driver(replace(chosen, bindings=["cext"]), tmp_path, display, Machine(None, Guard(100.0, 0.0, display)))
    asked: list[dict[str, Any]] = []

    def succeeds(interpreter: object, module: str, seed: int, request: dict[str, Any], stem: str) -> Outcome:
        asked.append(request)
        return Outcome(0, "", None)

    monkeypatch.setattr(driver, "_process", succeeds)
    driver._measure(interpreter, 1, "measure", tmp_path / "out.json", {})
    assert asked[0]["layouts"] == {"cext": ["/a/1", "/a/2"]}
    assert "idioms.noop" in asked[0]["twins"]
    assert set(asked[0]["twins"]) <= {row["workload"] for row in headline.rows()}
