# SPDX-License-Identifier: Apache-2.0
"""The reference run: what is left of a run, and the one that ships."""

import json
from pathlib import Path

import pytest
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run, RunError
from cside_bench.results.selection import is_binding
from cside_suite.subjects.names import is_control
from kept_run import CPYTHON, PYPY, Shape, write_kept_run
from repository import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two interpreters with every section."""
    return write_kept_run(tmp_path_factory.mktemp("run"), Shape())


def test_what_is_left_is_a_run_whose_numbers_are_those_of_the_whole(folder: Path, tmp_path: Path) -> None:
    """Packed, written and read again, it has the cells, observations and comparisons of bindings; controls are gone."""
    shipped_run.write(tmp_path, shipped_run.packed(shipped_run.trimmed(shipped_run.read(folder))))
    whole, small = Run.load(folder), Run.load(tmp_path, folder.parent)
    assert small.shipped and not whole.shipped
    assert small.results == folder.parent
    assert (small.bindings, small.variants, small.machine) == (whole.bindings, whole.variants, whole.machine)
    assert not any(is_control(subject) for _, _, subject in small.cells)
    for label, workload, subject in small.cells:
        for one in (small, whole):
            assert len(one.ns(label, workload, subject)) == len(whole.ns(label, workload, subject))
        assert (small.ns(label, workload, subject) == whole.ns(label, workload, subject)).all()
        if is_binding(subject):
            pair = (label, workload, subject, small.reference)
            assert small.pair(*pair) == whole.pair(*pair)


def test_one_interpreter_is_left_of_several(folder: Path) -> None:
    """Costs stay whole: which wheels a release needs does not depend on what was measured."""
    whole = shipped_run.read(folder)
    left = shipped_run.restricted(whole, [PYPY])
    run = Run(folder, *(left[name] for name in shipped_run.FILES))
    assert run.labels == [PYPY] and {label for label, _, _ in run.cells} == {PYPY}
    assert [each["label"] for each in run.environment["interpreters"]] == [PYPY]
    assert run.summary["costs"] == whole["summary.json"]["costs"]
    assert Run.load(folder).labels == [CPYTHON, PYPY]


def test_the_same_run_packs_to_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """So what is committed changes with the run alone; files of an older reference run are gone."""
    contents = shipped_run.packed(shipped_run.trimmed(shipped_run.read(folder)))
    assert contents == shipped_run.packed(shipped_run.trimmed(shipped_run.read(folder)))
    (tmp_path / "old.json.gz").write_bytes(b"")
    shipped_run.write(tmp_path, contents)
    assert {path.name for path in tmp_path.iterdir()} == set(contents)


def test_other_files_of_a_run_ship_where_it_has_them(tmp_path: Path) -> None:
    """Of the interpreters that ship."""
    for name in shipped_run.FILES:
        (tmp_path / name).write_text('{"interpreters": [], "cells": [], "parity": []}', encoding="utf-8")
    (tmp_path / "evidence.json").write_text('{"interpreters": {}}', encoding="utf-8")
    assert set(shipped_run.read(tmp_path)) == set(shipped_run.FILES)
    (name,) = shipped_run.OTHERS
    (tmp_path / name).write_text('{"interpreters": [{"label": "a"}, {"label": "b"}]}', encoding="utf-8")
    left = shipped_run.restricted(shipped_run.read(tmp_path), ["b"])
    assert left[name] == {"interpreters": [{"label": "b"}]}


def test_where_none_ships_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is a version of cside without one."""
    monkeypatch.setattr(shipped_run, "folder", lambda: tmp_path)
    assert not shipped_run.ships()
    with pytest.raises(RunError, match="nox -s bench"):
        shipped_run.load()


def test_the_provenance_names_day_processor_and_builds(folder: Path) -> None:
    """As a reader needs it who wonders whether the numbers are like those of his machine."""
    run = Run.load(folder)
    says = shipped_run.provenance(run)
    assert run.environment["started"][:10] in says and run.environment["machine"]["cpu"] in says
    for each in run.environment["interpreters"]:
        assert each["implementation_version"] in says
    assert "another machine's" in shipped_run.banner(run).lower()


@pytest.mark.skipif(not shipped_run.ships(), reason="no reference run ships with this version")
def test_the_run_that_ships_is_small_trusted_and_holds_no_path() -> None:
    """It is made again by `cside reference RUN`; it has the newest CPython of the matrix, and costs."""
    files = [shipped_run.folder() / f"{name}.gz" for name in shipped_run.FILES]
    assert sum(path.stat().st_size for path in files) <= shipped_run.LIMIT_BYTES
    run = shipped_run.load()
    assert run.shipped and run.judged and run.summary["complete"]
    assert CPYTHON in run.labels
    assert all(run.trusted(label) for label in run.labels)
    assert run.summary["costs"]["bindings"]
    text = json.dumps([run.summary, run.environment])
    assert not any(place in text for place in ("/home/", f"{Path.home()}/", "/tmp/", str(ROOT)))
