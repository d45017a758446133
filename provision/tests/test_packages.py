# SPDX-License-Identifier: Apache-2.0
"""Packages: what counts as their source."""

from collections.abc import Callable
from pathlib import Path

import pytest

from provision import packages, paths
from provision.commands import Problem

Write = Callable[[str, str], Path]
PROJECT = '[build-system]\nrequires = ["setuptools>=77", "Cside_Native"]\n[project]\nname = "Cside_X"\n'


@pytest.fixture
def package(write: Write) -> packages.Package:
    """A package of two files."""
    write("x/src/cside_x/__init__.py", "a = 1\n")
    return packages.read(write("x/pyproject.toml", PROJECT).parent)


def test_the_native_library_is_told_from_other_requirements(package: packages.Package) -> None:
    """It is installed from our own wheel, never from an index."""
    assert package.distribution == "cside-x"
    assert package.requires == ("setuptools>=77",)
    assert package.needs_native


def test_a_backend_of_its_own_may_ask_for_the_native_library(write: Write) -> None:
    """It does so when it runs, and pyproject.toml does not show it."""
    system = PROJECT.replace(', "Cside_Native"]', ']\nbuild-backend = "build_backend"\nbackend-path = ["."]')
    package = packages.read(write("own/pyproject.toml", system).parent)
    assert package.requires == ("setuptools>=77",)
    assert package.needs_native


def test_a_changed_source_changes_the_digest(package: packages.Package, write: Write) -> None:
    """One byte is enough, and so is a new or a renamed file."""
    before = package.digest()
    write("x/src/cside_x/__init__.py", "a = 2\n")
    changed = package.digest()
    write("x/src/cside_x/other.py", "")
    assert len({before, changed, package.digest()}) == 3


def test_what_a_build_leaves_behind_does_not(package: packages.Package, write: Write) -> None:
    """Otherwise a second build would differ from the first."""
    before = package.digest()
    for name in (
        "build/x.c",
        "src/cside_x/_core.so",
        "src/cside_x/__pycache__/a.pyc",
        "src/x.egg-info/PKG",
        ".cache/x",
    ):
        write(f"x/{name}", "left behind")
    assert package.digest() == before


def test_a_copy_holds_the_sources_only(package: packages.Package, write: Write, tmp_path: Path) -> None:
    """A file that was deleted from the tree is gone from the copy too."""
    write("x/build/stale.so", "stale")
    write("copy/deleted.py", "")
    package.copy_to(tmp_path / "copy")
    names = {file.relative_to(tmp_path / "copy").as_posix() for file in (tmp_path / "copy").rglob("*.*")}
    assert names == {"pyproject.toml", "src/cside_x/__init__.py"}


def test_bindings_are_found_by_folder(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new folder is enough; a variant stands for its binding."""
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    for name in ("one", "two"):
        write(f"bindings/{name}/pyproject.toml", PROJECT.replace("Cside_X", f"cside-{name}"))
    write("bindings/notes/README.md", "")
    assert packages.binding_names() == ["one", "two"]
    assert [each.distribution for each in packages.bindings(["two.abi"])] == ["cside-two"]


def test_a_broken_pyproject_is_named(write: Write) -> None:
    """The file, not only the error."""
    file = write("broken/pyproject.toml", "[project]\n")
    with pytest.raises(Problem, match=r"broken.pyproject\.toml"):
        packages.read(file.parent)


def test_a_limited_run_brings_its_reference() -> None:
    """Ratios need one; a run of all bindings has it anyway."""
    assert packages.with_reference([]) == []
    named = packages.with_reference(["x"])
    assert named[0] == "x"
    assert named[1] in packages.binding_names()


def test_what_is_not_held_to_its_stub_has_one() -> None:
    """A module that was renamed would be named in vain, and the renamed one fail."""
    sources = packages.python_sources()
    named = [module.replace(".", "/") + ".pyi" for module in packages.without_stubtest()]
    assert all(any((folder / file).is_file() for folder in sources) for file in named)
    assert named, "the test has nothing to look at: take it out"
