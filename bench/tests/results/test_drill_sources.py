# SPDX-License-Identifier: Apache-2.0
"""Digests see what decides an outcome, and nothing else."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cside_bench.results.drill_sources import CHANGES, NATIVE, digests, moved_on
from repository import ROOT

CODE = "bindings/one/src/cside_one/idioms.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The library's sources, and one binding."""
    shutil.copytree(ROOT / "native" / "src", tmp_path / "native" / "src")
    shutil.copytree(ROOT / "native" / "include", tmp_path / "native" / "include")
    for name in ("bindings/one/pyproject.toml", CODE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text", encoding="utf-8")
    return tmp_path


def add(name: str) -> Callable[[Path], None]:
    """Write a file."""

    def change(tree: Path) -> None:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("other", encoding="utf-8")

    return change


def replace(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Edit a file."""

    def change(tree: Path) -> None:
        text = (tree / name).read_text(encoding="utf-8")
        assert old in text
        (tree / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (add(CODE), ["one"]),
        (add("bindings/one/csrc/new.c"), ["one"]),
        (replace("native/include/cside/idioms.h", "cs_bytes_sum", "cs_bytes_total"), [NATIVE]),
        (replace("native/include/cside/idioms.h", "/**", "/** A comment more."), []),
        (replace("native/src/pkcs11_open.c", "static", "inline"), []),
        (add("bindings/one/src/cside_one/_pkcs11_functions.py"), []),
        (add("bindings/one/README.md"), []),
        (add("bindings/one/src/cside_one/_core.pyi"), []),
        (add("bindings/one/csrc/docstrings.h"), []),
        (add("bindings/one/templates/a.j2"), []),
        (add("bindings/one/tests/test_a.py"), []),
        (add("bindings/one/src/cside_one/__pycache__/idioms.pyc"), []),
        (add("bindings/one/src/cside_one/_core.abi3.so"), []),
        (add("bindings/one/src/cside_one.egg-info/PKG-INFO"), []),
        (add("bindings/two/pyproject.toml"), []),
    ],
)
def test_a_digest_sees_code_that_questions_reach(tree: Path, change: Callable[[Path], None], seen: list[str]) -> None:
    """Neither PKCS #11, comments of the library, manuals, tests nor what builds leave; a binding that was not there
    when the drill was made is no change of one that was.
    """
    before = {"sources": digests(tree)}
    assert moved_on(before, tree) == []
    change(tree)
    assert moved_on(before, tree) == seen


def test_bindings_are_told_before_the_library_and_the_changes(tree: Path) -> None:
    """And without a checkout only the changes can be compared; a drill without digests tells nothing."""
    recorded = {"sources": dict.fromkeys(digests(tree), "0" * 16)}
    assert moved_on(recorded, tree) == ["one", CHANGES, NATIVE]
    assert set(digests(None)) == {CHANGES}
    assert moved_on({}, tree) == []
