# SPDX-License-Identifier: Apache-2.0
"""``environment.json`` records what the numbers of a run depend on."""

import platform
import subprocess
import sys
from functools import partial
from pathlib import Path

import cside_native
import pytest
from cside_bench.machine import checkout
from cside_bench.results.plan import Interpreter
from cside_bench.run.environment import commit, describe


def test_an_interpreter_describes_itself() -> None:
    """Version, build and packages come from the interpreter's own process; what provisioning recorded is added."""
    found = describe(Interpreter("here", sys.executable, {"source": "a test"}))
    assert found["label"] == "here"
    assert found["executable"] == str(Path(sys.executable).resolve())
    assert found["implementation_version"] == platform.python_version()
    assert found["compiler"] == platform.python_compiler()
    assert found["native"] == cside_native.build_info()
    assert found["packages"]["pytest"] == pytest.__version__
    assert found["provisioned"] == {"source": "a test"}


def test_outside_of_a_checkout_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run may be made from an installed package, whatever folder it is started in."""
    monkeypatch.setattr(checkout, "root", lambda: None)
    repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert commit() is None


def test_the_commit_is_that_of_cside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is started in another project's repository does not record that project's commit; a change is told."""
    cside, other = tmp_path / "cside", tmp_path / "other"
    expected = repository(cside)
    assert repository(other) != expected
    monkeypatch.setattr(checkout, "root", lambda: cside)
    monkeypatch.chdir(other)
    assert commit() == expected
    (cside / "file").write_text("changed", encoding="utf-8")
    assert commit() == f"{expected}+"


def repository(folder: Path) -> str:
    """Make a repository with one commit, and return the commit."""
    folder.mkdir(exist_ok=True)
    (folder / "file").write_text(folder.name, encoding="utf-8")
    git = partial(subprocess.run, cwd=folder, check=True, capture_output=True, text=True)
    git(["git", "init", "-q"])
    git(["git", "add", "."])
    git(["git", "-c", "user.name=tests", "-c", "user.email=tests@localhost", "commit", "-q", "-m", "one file"])
    return git(["git", "rev-parse", "HEAD"]).stdout.strip()
