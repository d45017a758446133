# SPDX-License-Identifier: Apache-2.0
"""Instructions are counted under callgrind where that is possible, and what is left out has a reason."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cside_bench.results import instructions as results_instructions
from cside_bench.results.plan import Interpreter, Plan
from cside_bench.run import instructions as run_instructions
from cside_bench.run.progress import Display
from cside_suite.workloads import corpus
from rich.console import Console


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
