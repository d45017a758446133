# SPDX-License-Identifier: Apache-2.0
"""The folder of a new run, and the processes that are started once for each block."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cside_bench.machine.guard import Guard
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
