# SPDX-License-Identifier: Apache-2.0
"""The search for interpreters: which programs are asked, and which answers count."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cside_bench.machine import checkout, interpreter_search, interpreters

BASE = Path(os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder that is searched."""
    made = tmp_path / "bin"
    made.mkdir()
    monkeypatch.setattr(interpreter_search, "SYSTEM", ())
    for name in ("PYENV_ROOT", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(made))
    return made


def answer(**facts: object) -> dict[str, Any]:
    """What an interpreter says of itself."""
    return {
        "version": [3, 13, 1],
        "final": True,
        "debug": False,
        "virtual": False,
        "base_executable": "/usr/bin/python3.13",
    } | facts


def test_an_interpreter_is_found_once(folder: Path) -> None:
    """Under all of its names, and behind an environment too."""
    (folder / "python3").symlink_to(BASE)
    (folder / "python").symlink_to(BASE)
    (found,) = interpreter_search.find([str(Path(sys.executable).parent)])
    assert Path(found["base_executable"]) == BASE
    assert tuple(found["version"]) == sys.version_info[:3]
    assert not found["virtual"]


def test_a_program_that_does_not_run_is_not_found(folder: Path) -> None:
    """A version manager's shim, for instance."""
    shim = folder / "python3.13"
    shim.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    shim.chmod(0o755)
    assert interpreter_search.find() == []


@pytest.mark.parametrize("facts", [{"version": [3, 10, 1]}, {"final": False}, {"debug": True}])
def test_what_cannot_be_measured_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch, facts: Any) -> None:
    """Old versions, pre-releases, debug builds."""
    (folder / "python3").touch()
    monkeypatch.setattr(interpreter_search, "describe", lambda path: answer())
    assert len(interpreter_search.find()) == 1
    monkeypatch.setattr(interpreter_search, "describe", lambda path: answer(**facts))
    assert interpreter_search.find() == []


def test_only_names_of_recent_interpreters_are_asked(folder: Path) -> None:
    """To start a Python 3.6 would take time and be of no use."""
    for name in (
        "python",
        "python2.7",
        "python3.6",
        "python3.11",
        "python3.14t",
        "pypy3",
        "pypy3.11",
        "python3-config",
    ):
        (folder / name).touch()
    asked = [path.name for path in interpreter_search._programs([])]
    assert asked == ["pypy3", "pypy3.11", "python", "python3.11", "python3.14t"]


def test_pyenv_and_uv_are_searched(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folders that their own variables name."""
    for root, name in (("pyenv/versions/3.13.1", "python"), ("uv/python/pypy-3.11.1", "pypy3.11")):
        (tmp_path / root / "bin").mkdir(parents=True)
        (tmp_path / root / "bin" / name).touch()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "uv" / "python"))
    monkeypatch.setattr(interpreter_search, "describe", lambda path: answer(base_executable=str(path)))
    assert [found["source"] for found in interpreter_search.find()] == ["pyenv", "uv"]


def test_it_runs_as_a_program_without_the_package() -> None:
    """As nox runs it."""
    program = Path(interpreter_search.__file__)
    done = subprocess.run([sys.executable, "-I", program], capture_output=True, text=True, timeout=300, check=True)
    assert all(found["final"] for found in json.loads(done.stdout))


def test_an_environment_stands_for_its_base(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter for which nox has built the bindings is listed once, with its environment."""
    (folder / "python3").symlink_to(BASE)
    monkeypatch.setattr(checkout, "environments", lambda: {"cpython-9.99": Path(sys.executable)})
    (found,) = interpreters.search()
    assert (found.label, found.environment, found.source) == ("cpython-9.99", sys.executable, "environment")
