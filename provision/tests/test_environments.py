# SPDX-License-Identifier: Apache-2.0
"""Environments: whatever is installed is what was built, or it is noticed."""

from pathlib import Path

import pytest

from provision import commands, paths, tools
from provision.environments import STAMP, Environment, add_if_possible, verify_environment
from provision.tests.wheel_files import install, make_wheel
from provision.wheels import Wheel

MODULE = "cside_x/_core.so"


@pytest.fixture
def wheel(tmp_path: Path) -> Wheel:
    """A wheel with one binary."""
    return make_wheel(tmp_path / "wheels", "cside-x", {"cside_x/__init__.py": "", MODULE: "machine code"})


@pytest.fixture
def env(tmp_path: Path, wheel: Wheel) -> Environment:
    """An environment that holds it."""
    made = Environment("cpython-3.13", tmp_path / "env")
    site = made.folder / "site"
    install(wheel, site)
    told = {"site_packages": str(site), "wheels": {wheel.distribution: wheel.sha256}}
    paths.write_json(made.folder / STAMP, told)
    return made


def test_an_untouched_environment_is_right(env: Environment, wheel: Wheel) -> None:
    """Nothing is installed again."""
    assert verify_environment(env, [wheel]) == {}


def test_an_edited_binary_is_noticed(env: Environment, wheel: Wheel) -> None:
    """Even of the same size and time."""
    file = env.folder / "site" / MODULE
    file.write_text("machine c0de", encoding="utf-8")
    assert verify_environment(env, [wheel]) == {"cside-x": f"{MODULE} is not the file that was built"}


def test_a_missing_file_is_noticed(env: Environment, wheel: Wheel) -> None:
    """As an interrupted installation leaves it."""
    (env.folder / "site" / MODULE).unlink()
    assert "cside-x" in verify_environment(env, [wheel])


def test_a_new_wheel_is_noticed(env: Environment, wheel: Wheel, tmp_path: Path) -> None:
    """The same version number with other contents."""
    newer = make_wheel(tmp_path / "newer", "cside-x", {"cside_x/__init__.py": "", MODULE: "better code"})
    assert verify_environment(env, [newer]) == {"cside-x": "the wheel has changed"}


def test_a_wheel_that_is_not_there_is_noticed(env: Environment, tmp_path: Path) -> None:
    """Whatever files of that name may lie around."""
    other = make_wheel(tmp_path / "other", "cside-y", {"cside_y/__init__.py": ""})
    assert verify_environment(env, [other]) == {"cside-y": "not there yet"}


def test_what_cannot_be_had_is_done_without(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told once and not tried again; what can be had is installed once."""
    asked: list[str] = []

    def run(command: list[object], **options: object) -> None:
        asked.append(str(command[-1]))
        if command[-1] == "rare":
            raise commands.Problem("no such package")

    paths.write_json(env.folder / STAMP, env.state() | {"requirements": []})
    monkeypatch.setattr(tools, "uv", lambda: Path("uv"))
    monkeypatch.setattr(commands, "run", run)
    for _ in range(2):
        add_if_possible(env, ["common", "rare"])
    assert asked == ["common", "rare"]
    assert env.state()["requirements"] == ["common"]
