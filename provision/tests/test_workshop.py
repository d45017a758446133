# SPDX-License-Identifier: Apache-2.0
"""Builds of several wheels at a time: one that fails ends the rest."""

import time
from pathlib import Path
from typing import Any

import pytest

from provision import builders, packages, toolchain, wheels, workshop
from provision.builders import Builder
from provision.commands import Problem
from provision.interpreters import Interpreter
from provision.packages import Package
from provision.tests.wheel_files import make_wheel
from provision.wheels import Wheel


@pytest.fixture
def six(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Package]:
    """Six packages of which the second cannot be built."""

    def build(package: Package, builder: Builder, native: Wheel) -> Wheel:
        time.sleep(0.02)
        if package.distribution == "cside-1":
            raise Problem("cside-1 cannot be built")
        return make_wheel(tmp_path / package.distribution, package.distribution, {})

    def builder(interpreter: Interpreter, *_: Any) -> Builder:
        return Builder(interpreter.label, tmp_path, {}, {})

    made = [Package(tmp_path / str(number), f"cside-{number}", (), True) for number in range(6)]
    monkeypatch.setattr(workshop, "native_wheel", lambda: make_wheel(tmp_path / "native", "cside-native", {}))
    monkeypatch.setattr(packages, "bindings", lambda: made)
    monkeypatch.setattr(packages, "bench", lambda: made[0])
    monkeypatch.setattr(builders, "for_interpreter", builder)
    monkeypatch.setattr(wheels, "build", build)
    return made


def test_a_failed_build_ends_the_session(six: list[Package]) -> None:
    """While others are still waiting for their turn."""
    with pytest.raises(Problem, match="cside-1 cannot be built"):
        workshop.build([Interpreter("3.13", Path("python"), "system", {})], six)


def test_an_interpreter_beyond_the_matrix_goes_without(six: list[Package]) -> None:
    """A free-threaded build, for which not every technique has a way."""
    built = workshop.build([Interpreter("3.14t", Path("python"), "system", {})], six)
    assert [wheel.distribution for wheel in built["cpython-3.14t"]] == [
        "cside-native",
        *(f"cside-{number}" for number in (0, 2, 3, 4, 5)),
    ]


def test_wheels_come_in_the_order_asked_for(six: list[Package]) -> None:
    """The native one first, whichever was ready first."""
    built = workshop.build([Interpreter("3.13", Path("python"), "system", {})], [six[5], six[0]])
    assert [wheel.distribution for wheel in built["cpython-3.13"]] == ["cside-native", "cside-5", "cside-0"]


def test_a_machine_without_a_cpp_compiler_goes_without_bindings_in_cpp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are told by name with the command that installs one; asked for by name, or in CI, that is a failure."""
    for name, source in (("plain", "csrc/a.c"), ("objects", "csrc/a.cpp")):
        file = tmp_path / name / source
        file.parent.mkdir(parents=True)
        file.touch()
    made = [Package(tmp_path / name, f"cside-{name}", (), True) for name in ("objects", "plain")]
    monkeypatch.setattr(packages, "bindings", lambda only=(): [it for it in made if not only or it.name in only])
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(toolchain, "builds_cpp", lambda: True)
    assert workshop.buildable() == made
    monkeypatch.setattr(toolchain, "builds_cpp", lambda: False)
    assert workshop.buildable() == made[1:]
    assert "objects: missing: a C++ compiler" in (told := capsys.readouterr().err) and "apt-get install g++" in told
    assert workshop.buildable(["plain"]) == made[1:]
    with pytest.raises(Problem, match="objects: missing"):
        workshop.buildable(["objects"])
    monkeypatch.setenv("CI", "true")
    with pytest.raises(Problem, match="objects: missing"):
        workshop.buildable()


def test_a_missing_compiler_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of C and of C++, by a program that does not compile."""
    assert toolchain.compiles(toolchain.COMPILER)
    for part, variable in ((toolchain.COMPILER, "CC"), (toolchain.CPP_COMPILER, "CXX")):
        monkeypatch.setenv(variable, "no-such-compiler")
        assert not toolchain.compiles(part)
