# SPDX-License-Identifier: Apache-2.0
"""What ``nox -s hazards`` reads of its arguments, and what it leaves out without a C++ compiler."""

import json
from pathlib import Path

import pytest

from provision import builders, hazards, paths, toolchain, versions, workshop
from provision.commands import Problem
from provision.drill.asked import default_interpreters
from provision.hazards import Asked


def test_interpreters_are_named_or_the_default_ones() -> None:
    """Other arguments are the tool's."""
    assert hazards.asked(["--only", "fork", "--binding", "cffi"]) == Asked(default_interpreters(), ["cffi"], False)
    words = ["--python", "pypy@3.11", "--python", "3.13", "--python", "cpython-3.13"]
    assert hazards.asked(words) == Asked(["pypy3.11", "3.13"], [], False)
    assert hazards.asked(["-h"]).help


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file that describes the preparations is written; nothing is built."""
    monkeypatch.setattr(workshop, "native_wheel", lambda: None)
    monkeypatch.setattr(paths, "STATE", tmp_path)
    monkeypatch.setattr(builders, "for_interpreter", lambda *arguments: None)
    monkeypatch.setattr(versions, "of_tools", lambda python: {})
    monkeypatch.delenv("CI", raising=False)
    return tmp_path / "hazards" / "prepared.json"


def test_a_machine_without_a_cpp_compiler_goes_without_approaches_in_cpp(
    prepared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are told by name; asked for by name, or in CI, that is a failure."""
    in_cpp = hazards.in_cpp()
    assert in_cpp and hazards.in_cpp(["ctypes", in_cpp[0]]) == in_cpp[:1]
    monkeypatch.setattr(toolchain, "builds_cpp", lambda: True)
    hazards.stage(Asked([], [], False))
    assert json.loads(prepared.read_text(encoding="utf-8"))["left_out"] == []
    monkeypatch.setattr(toolchain, "builds_cpp", lambda: False)
    hazards.stage(Asked([], [], False))
    assert json.loads(prepared.read_text(encoding="utf-8"))["left_out"] == in_cpp
    assert f"{', '.join(in_cpp)}: missing: a C++ compiler" in capsys.readouterr().err
    hazards.stage(Asked([], ["ctypes"], False))
    with pytest.raises(Problem, match=f"{in_cpp[0]}: missing"):
        hazards.stage(Asked([], in_cpp[:1], False))
    monkeypatch.setenv("CI", "true")
    with pytest.raises(Problem, match="missing"):
        hazards.stage(Asked([], [], False))
