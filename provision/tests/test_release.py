# SPDX-License-Identifier: Apache-2.0
"""What is published: how a wheel is repaired and audited, and what the table says."""

import sys
from pathlib import Path

import pytest

from provision import commands, packages, tools
from provision.commands import Problem
from provision.release import asked, audits, make
from provision.tests.wheel_files import make_wheel


def test_a_pure_wheel_is_published_as_it_is(tmp_path: Path) -> None:
    """There is nothing to repair."""
    wheel = make_wheel(tmp_path, "cside-x", {"cside_x/__init__.py": ""})
    (tmp_path / "out").mkdir()
    one = audits.repaired(wheel.path, tmp_path / "out", tmp_path)
    assert one.path.read_bytes() == wheel.path.read_bytes()
    assert one.said == ["pure Python"]


@pytest.mark.parametrize(
    ("result", "problems"),
    [
        ('"is_abi3_baseline_compatible": true, "non_abi3_symbols": [], "computed": "3.11"', []),
        (
            '"is_abi3_baseline_compatible": false, "non_abi3_symbols": [], "computed": "3.13"',
            ["needs the stable ABI of 3.13"],
        ),
        (
            '"is_abi3_baseline_compatible": true, "non_abi3_symbols": ["_PyX"], "computed": "3.11"',
            ["uses _PyX, which the stable ABI does not have"],
        ),
    ],
)
def test_a_module_that_breaks_the_stable_abi_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: str, problems: list[str]
) -> None:
    """Also if it works on this machine's interpreters."""
    report = f'{{"specs": {{"m.abi3.so": {{"object": {{"result": {{{result}}}}}}}}}}}'
    monkeypatch.setattr(commands, "output", lambda command, **_: report)
    assert audits.stable_abi(Path("m.abi3.so"), tmp_path) == problems


def test_a_module_is_held_to_the_stable_abi_that_its_binding_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest of the matrix, or a newer one: of a binding that says so, every wheel would fail otherwise."""
    held: dict[str, str] = {}

    def stable_abi(module: Path, _: Path, oldest: str) -> list[str]:
        held[module.name] = oldest
        return []

    monkeypatch.setattr(audits, "stable_abi", stable_abi)
    monkeypatch.setattr(audits, "run_paths", lambda _: [])
    monkeypatch.setattr(commands, "run", lambda *_, **__: None)
    members = {"cside_x/_core.abi3.so": "", "cside_x/_newer.abi3.so": ""}
    monkeypatch.setattr(packages, "stable_abis", lambda: {"cside_x._newer": "3.12"})
    audits.audit(audits.Audited(make_wheel(tmp_path, "cside-x", members).path), tmp_path)
    assert held == {"_core.abi3.so": audits.OLDEST, "_newer.abi3.so": "3.12"}


@pytest.mark.skipif(sys.platform != "linux", reason="run paths are those of ELF files")
def test_run_paths_that_leave_the_environment_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those relative to the module stay."""
    monkeypatch.setattr(tools, "patchelf", lambda: Path("patchelf"))
    monkeypatch.setattr(commands, "output", lambda *_, **__: "/opt/python/lib:$ORIGIN/../cside_native/lib\n")
    assert [each for each in audits.run_paths(Path("m.so")) if audits.is_foreign(each)] == ["/opt/python/lib"]


def test_a_failure_has_its_line_in_the_table() -> None:
    """With the reason, in a column of its own."""

    def attempt() -> str:
        raise Problem("it does not import\nlong output")

    rows = [make.Row("cside_x", "py3-none-any", "twine", make._outcome(attempt))]
    assert make.table(rows).splitlines()[1] == "cside_x  py3-none-any  twine  FAILED: it does not import"


def test_the_words_of_wheels_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt binding would otherwise be left out without a word."""
    assert asked.read(["--python", "pypy-3.11"]).python == ["pypy3.11"]
    with pytest.raises(SystemExit):
        asked.read(["--binding", "nothing"])
    assert "invalid choice" in capsys.readouterr().err
