# SPDX-License-Identifier: Apache-2.0
"""A free-threaded CPython built from source: what is left in its place, whatever happens on the way."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from provision import commands, debian, interpreters, paths, source_build, toolchain
from provision.commands import Problem

ARCHIVE = "python3.13_3.13.99.orig.tar.xz"


class Archive:
    """Programs that a build starts: apt leaves an archive, make installs a file, unless one of them fails."""

    def __init__(self) -> None:
        """Everything succeeds."""
        self.fails: dict[str, BaseException] = {}
        self.started: list[str] = []

    def run(self, command: Sequence[object], *, log: str, cwd: Path | None = None, **_: Any) -> None:
        """Stand in for :func:`commands.run`."""
        step = log.rpartition("-")[2]
        self.started.append(step)
        if step in self.fails:
            raise self.fails[step]
        if step == "download" and cwd is not None:
            (cwd / ARCHIVE).touch()
            (cwd / "python3.13_3.13.99-1.debian.tar.xz").touch()
        if step == "install":
            destination = Path(str(command[-1]).removeprefix("DESTDIR="))
            folder = destination / (paths.INTERPRETERS / "3.13t" / "usr" / "bin").relative_to("/")
            folder.mkdir(parents=True)
            (folder / "python3.13").touch()


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Archive:
    """A machine on which everything works, without an archive or a compiler."""
    one = Archive()
    keyring = tmp_path / "keyring.gpg"
    keyring.touch()
    monkeypatch.setattr(debian, "KEYRING", keyring)
    monkeypatch.setattr(debian, "mirror", lambda: "mirror")
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(toolchain, "check", lambda: None)
    monkeypatch.setattr(commands, "run", one.run)
    monkeypatch.setattr(commands, "output", lambda *_, **__: "amd64\n")
    return one


def test_it_appears_in_one_step_with_its_origin(archive: Archive) -> None:
    """Later runs find it by this record."""
    source_build.obtain("3.13t")
    found = debian.unpacked("3.13t")
    assert found is not None
    assert found.suite == "forky-source"
    assert not (paths.BUILD / "interpreters" / "3.13t").exists()


def test_the_next_suite_is_asked_where_one_fails(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the reasons of all are told if none has it."""
    archive.fails["update"] = Problem("no such suite")
    with pytest.raises(Problem, match="Debian forky: no such suite; Debian trixie: no such suite"):
        source_build.obtain("3.13t")


@pytest.mark.parametrize("step", ["configure", "make", "install"])
def test_an_interruption_leaves_no_interpreter(archive: Archive, step: str) -> None:
    """The next run builds it anew."""
    archive.fails[step] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        source_build.obtain("3.13t")
    assert not (paths.INTERPRETERS / "3.13t").exists()
    assert debian.unpacked("3.13t") is None
    archive.fails.clear()
    source_build.obtain("3.13t")
    assert debian.unpacked("3.13t") is not None


def test_one_that_does_not_run_is_not_kept(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """For instance because the headers of libffi are missing, without which it has no ctypes."""

    def output(command: Sequence[object], **_: Any) -> str:
        if "-c" in command:
            raise Problem("ModuleNotFoundError: No module named '_ctypes'")
        return "amd64\n"

    monkeypatch.setattr(commands, "output", output)
    with pytest.raises(Problem, match="_ctypes"):
        source_build.obtain("3.13t")
    assert debian.unpacked("3.13t") is None


def test_no_interpreter_of_the_matrix_is_built() -> None:
    """CI asks for no other, and is not to wait for a build."""
    assert not set(source_build.SOURCES) & set(interpreters.MATRIX)
    assert set(source_build.SOURCES) <= set(interpreters.ON_REQUEST)


def test_the_source_is_the_one_of_cpython(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian's own changes are in another archive, which is not unpacked."""
    unpacked = []
    run = archive.run

    def watch(command: Sequence[object], *, log: str, **options: Any) -> None:
        if log.endswith("unpack"):
            unpacked.append(Path(str(command[-1])).name)
        run(command, log=log, **options)

    monkeypatch.setattr(commands, "run", watch)
    source_build.obtain("3.13t")
    assert unpacked == [ARCHIVE]
