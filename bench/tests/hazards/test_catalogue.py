# SPDX-License-Identifier: Apache-2.0
"""The catalogue is complete, and the outcomes that ship with cside are of this catalogue."""

from pathlib import Path

import pytest
from cside_bench.hazards import catalogue
from cside_bench.hazards.running import has_case
from cside_bench.results import hazards
from cside_bench.results.hazards import HazardError

SOURCES = Path(__file__).parents[3] / "hazards"


def test_every_mistake_has_all_approaches() -> None:
    """Each is written once per approach, or the catalogue says why it cannot be."""
    found, approaches = catalogue.read(SOURCES), catalogue.approaches(SOURCES)
    assert len(approaches) == 8
    assert len(found) >= 24 and len({each.id for each in found}) == len(found)
    missing = [
        (each.id, approach.name)
        for each in found
        for approach in approaches
        if not has_case(SOURCES, approach, each.id) and not each.impossible.get(approach.name)
    ]
    assert missing == []


def test_every_mistake_can_be_decided() -> None:
    """It has a right value, an exception that would be right, or something that is measured."""
    undecided = [
        each.id
        for each in catalogue.read(SOURCES)
        if each.right is None and not each.raises and each.measure == "value"
    ]
    assert undecided == []


def test_shipped_outcomes_are_of_this_catalogue() -> None:
    """When a case changes, the outcomes have to be made again: `nox -s hazards` and docs/hazards.md say how."""
    told = hazards.reference()
    hazards.check(told)
    assert [each["id"] for each in told["hazards"]] == [each.id for each in catalogue.read(SOURCES)]
    assert {each["label"] for each in told["interpreters"]} >= {"cpython-3.14", "pypy-3.11"}
    assert told["digest"] == catalogue.digest(SOURCES), "the cases have changed since; make them again: nox -s hazards"


def test_the_digest_sees_a_changed_case(tmp_path: Path) -> None:
    """Names and contents count, and what Python leaves behind does not."""
    (tmp_path / "a.py").write_text("1")
    first = catalogue.digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("1")
    assert catalogue.digest(tmp_path) == first
    (tmp_path / "a.py").write_text("2")
    assert catalogue.digest(tmp_path) != first


def test_wrong_catalogues_are_refused(tmp_path: Path) -> None:
    """Unknown names, fields, approaches and measures are told."""
    with pytest.raises(HazardError, match="no hazard nothing"):
        catalogue.read(SOURCES, ["nothing"])
    with pytest.raises(HazardError, match="no approach perl"):
        catalogue.approaches(SOURCES, ["perl"])
    whole = 'approach = []\n[[hazard]]\nid = "a"\ntitle = "a"\nwrong = "a"\ninstead = "a"\n'
    for more in ('colour = "red"\n', 'measure = "weight"\n', '[hazard.impossible]\nperl = "no"\n'):
        (tmp_path / catalogue.FILE).write_text(whole + more)
        with pytest.raises(HazardError):
            catalogue.read(tmp_path)


def test_reasons_of_one_interpreter_hold_there_alone() -> None:
    """What PyPy lacks is no reason on CPython."""
    one = catalogue.Hazard("a", "a", "a", "a", impossible={"cffi": "x"}, impossible_pypy={"ctypes": "y"})
    assert one.reason("cffi", "cpython-3.14") == "x" == one.reason("cffi", "pypy-3.11")
    assert one.reason("ctypes", "pypy-3.11") == "y" and not one.reason("ctypes", "cpython-3.14")
