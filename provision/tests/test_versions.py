# SPDX-License-Identifier: Apache-2.0
"""The versions of tools are those that the interpreter itself finds."""

import sys
from importlib import metadata
from pathlib import Path

import pytest

from provision import commands, packages, paths, versions


def test_a_version_is_that_of_the_interpreters_own_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that is missing is a problem, which names it."""
    monkeypatch.setattr(versions, "tools", lambda: ("pytest",))
    assert versions.of_tools(Path(sys.executable)) == {"pytest": metadata.version("pytest")}
    monkeypatch.setattr(versions, "tools", lambda: ("nothing_of_this_name",))
    with pytest.raises(commands.Problem, match="nothing_of_this_name"):
        versions.of_tools(Path(sys.executable))


def test_tools_are_found_by_the_names_of_their_bindings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A binding's folder is all that has to be there; a build backend that several bindings use is no tool of them."""
    assert {"cffi", "cython", "swig"} <= set(versions.tools())
    assert not {"cext", "ctypes", "setuptools"} & set(versions.tools())
    folder = tmp_path / "bindings" / "new"
    folder.mkdir(parents=True)
    described = '[project]\nname = "cside-new"\n[build-system]\nrequires = ["scikit-build-core>=1", "New==2.0"]\n'
    (folder / "pyproject.toml").write_text(described, encoding="utf-8")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    assert [each.name for each in packages.bindings()] == ["new"]
    assert versions.tools() == ("new",)
