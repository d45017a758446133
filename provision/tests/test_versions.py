# SPDX-License-Identifier: Apache-2.0
"""The versions of tools are those that the interpreter itself finds."""

import sys
from importlib import metadata
from pathlib import Path

import pytest

from provision import commands, versions


def test_a_version_is_that_of_the_interpreters_own_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that is missing is a problem, which names it."""
    monkeypatch.setattr(versions, "TOOLS", ("pytest",))
    assert versions.of_tools(Path(sys.executable)) == {"pytest": metadata.version("pytest")}
    monkeypatch.setattr(versions, "TOOLS", ("nothing_of_this_name",))
    with pytest.raises(commands.Problem, match="nothing_of_this_name"):
        versions.of_tools(Path(sys.executable))
