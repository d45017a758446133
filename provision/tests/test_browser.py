# SPDX-License-Identifier: Apache-2.0
"""Which browser the report's page is tested in."""

import os
import sys
from pathlib import Path

import pytest

from provision import browser
from provision.commands import Problem


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one empty folder."""
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(folder: Path, name: str) -> Path:
    """An executable of that name."""
    file = folder / (f"{name}.bat" if sys.platform == "win32" else name)
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def test_the_first_browser_on_the_path_is_taken(bare: Path) -> None:
    """In the order of the list, which has the free one first."""
    for name in ("msedge", "chromium"):
        program(bare, name)
    found = browser.find()
    assert found is not None and found.stem == "chromium"


def test_the_variable_wins(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over what is on the PATH; and what it names has to be there."""
    program(bare, "chromium")
    own = program(bare, "my-browser")
    monkeypatch.setenv(browser.VARIABLE, str(own))
    assert browser.find() == own
    monkeypatch.setenv(browser.VARIABLE, os.fspath(bare / "none"))
    with pytest.raises(Problem, match=r"none, which is no program"):
        browser.find()


def test_without_a_browser_the_command_that_installs_one_is_told(bare: Path) -> None:
    """There is none in an empty folder, and the text names a command for each kind of machine."""
    assert list(bare.iterdir()) == []
    assert browser.find() is None
    for command in ("apt-get install chromium", "dnf install", "brew install", "playwright install chromium"):
        assert command in browser.MISSING
