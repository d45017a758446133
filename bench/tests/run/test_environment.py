# SPDX-License-Identifier: Apache-2.0
"""``environment.json`` records what the numbers of a run depend on."""

import platform
import sys
from pathlib import Path

import cside_native
import pytest
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
    """A run may be made from an installed package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit() is None
