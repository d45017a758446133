# SPDX-License-Identifier: Apache-2.0
"""Runs, interpreters and bindings are selected by the names that users give."""

import json
from pathlib import Path

import pytest
from cside_bench.results.selection import NoRun, Selection, find_run, is_binding, matches, newest_unfinished
from synthetic_run import write_run


@pytest.mark.parametrize("wanted", ["3.13", "cpython-3.13", "cpython3.13", "cpython"])
def test_interpreters_are_named_as_users_do(wanted: str) -> None:
    """A bare version means CPython."""
    assert matches("cpython-3.13", wanted)
    assert not matches("pypy-3.11", wanted)
    assert not matches("pypy-3.11", "3.11")


def test_a_binding_stands_for_its_variants(tmp_path: Path) -> None:
    """``--binding cffi`` selects cffi.abi, and ``--python`` an interpreter, by any of its names."""
    chosen = Selection(pythons=("3.13",), bindings=("cffi",), only=("crc32",))
    assert chosen.cell("codec.crc32[16]", "cffi.abi")
    assert not chosen.cell("codec.crc32[16]", "cext")
    assert not chosen.cell("codec.adler32[16]", "cffi")
    assert chosen.interpreter("cpython-3.13")
    assert not chosen.interpreter("pypy-3.13")
    assert chosen.words() == "--python 3.13 --binding cffi --only crc32"


def test_twins_are_no_bindings() -> None:
    """A twin has the name of its binding after a dot, as variants have theirs."""
    assert all(map(is_binding, ("cext", "cffi.abi")))
    assert not any(map(is_binding, ("twin", "twin.cffi", "stdlib", "floor.traced")))


def test_a_run_is_found_by_name_by_link_and_by_path(tmp_path: Path) -> None:
    """All three name the same folder."""
    folder = write_run(tmp_path / "results" / "20261121-120000", 1, processes=2).resolve()
    (tmp_path / "results" / "latest").symlink_to(folder.name)
    for name in ("20261121-120000", "latest", str(folder)):
        assert find_run(tmp_path / "results", name) == folder
    with pytest.raises(NoRun, match="there are: 20261121-120000"):
        find_run(tmp_path / "results", "nothing")


def test_the_newest_run_that_is_not_complete_can_be_gone_on_with(tmp_path: Path) -> None:
    """It has no summary, or one that says so; runs that are complete or count instructions are passed over."""
    for name, summary in (("1", None), ("2", {"complete": False}), ("3", {"complete": True}), ("4", None)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text("{}", encoding="utf-8")
        if summary is not None:
            (tmp_path / name / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    (tmp_path / "latest").symlink_to("4")
    (tmp_path / "5").mkdir()
    (tmp_path / "5" / "run.json").write_text('{"counted": true}', encoding="utf-8")
    for name in ("4", "2", "1"):
        assert newest_unfinished(tmp_path) == name
        (tmp_path / name / "summary.json").write_text('{"complete": true}', encoding="utf-8")
    with pytest.raises(NoRun, match="complete"):
        newest_unfinished(tmp_path)
