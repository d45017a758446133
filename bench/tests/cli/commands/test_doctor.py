# SPDX-License-Identifier: Apache-2.0
"""``cside doctor`` names what is missing and the command that installs it."""

import ast
import json
from pathlib import Path

import pytest
from command import cside
from cside_bench.machine import checkout, doctor, interpreters
from repository import ROOT


def test_the_doctor_is_satisfied_or_says_what_to_do() -> None:
    """Exit code 1 is for what is needed and missing, and everything missing has a command or an address."""
    done = cside("doctor", "--json")
    told = json.loads(done.stdout)
    fatal = [it for it in told["findings"] if it["needed"] and it["state"] == "missing"]
    assert done.exit_code == told["exit_code"] == bool(fatal)
    assert all(it["install"] for it in told["findings"] if it["state"] == "missing")
    assert {it["section"] for it in told["findings"]} == {"Interpreters", "Tools and libraries", "Room", "Quiet"}


def test_the_doctor_misses_what_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a compiler, nox and interpreters nothing can be measured: exit code 1, each with what installs it."""
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    monkeypatch.setattr(checkout, "nox", lambda: None)
    monkeypatch.delenv("NOX_CURRENT_SESSION", raising=False)
    monkeypatch.setattr(interpreters, "search", list)
    monkeypatch.setattr(doctor, "manager", lambda: "dnf")
    done = cside("doctor")
    assert done.exit_code == 1
    assert "dnf install gcc glibc-devel" in done.stdout
    told = {it["name"]: it for it in json.loads(cside("doctor", "--json").stdout)["findings"]}
    assert {name for name, it in told.items() if it["needed"] and it["state"] == "missing"} >= {
        "C compiler",
        "nox",
        "a CPython with headers",
    }
    assert told["pypy-3.11"]["install"] == "uv python install pypy@3.11"


def test_the_doctor_looks_for_the_interpreters_that_are_promised() -> None:
    """The doctor's list of interpreters equals the matrix of the nox sessions."""
    source = (ROOT / "provision" / "interpreters.py").read_text(encoding="utf-8")
    (matrix,) = (
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and [it.id for it in node.targets if isinstance(it, ast.Name)] == ["MATRIX"]
    )
    assert doctor.table()["interpreters"] == list(matrix)
