# SPDX-License-Identifier: Apache-2.0
"""A drill's document says by which command, with which tools and from which sources it was made."""

from pathlib import Path

import pytest
from cside_bench.drill.prepared import Interpreter, Library, Prepared
from cside_bench.drill.provenance import of_drill
from cside_bench.machine import checkout
from cside_bench.results import drill, drill_sources
from repository import ROOT


def test_the_fields_fit_the_schema_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests are those of the checkout; without one only the changes have a digest."""
    interpreter = Interpreter("cpython-3.14", Path("python"), "3.14.1", "digest", {"cffi": "2.0"})
    library = Library(Path("native.whl"), "0" * 64)
    prepared = Prepared([interpreter], library, [], [], {}, {"compiler": "cc 12"}, Path())
    monkeypatch.setattr(checkout, "root", lambda: ROOT)
    found = of_drill(prepared, "nox -s drill")
    drill.check(drill.reference() | found | {"outcomes": of_one_interpreter()})
    assert found["interpreters"] == [{"label": "cpython-3.14", "release": "3.14.1", "versions": {"cffi": "2.0"}}]
    assert found["command"] == "nox -s drill"
    assert found["sources"] == drill_sources.digests(ROOT)
    monkeypatch.setattr(checkout, "root", lambda: None)
    assert list(of_drill(prepared, "nox -s drill")["sources"]) == [drill_sources.CHANGES]


def of_one_interpreter() -> list[dict[str, object]]:
    """The outcomes of the shipped drill on the interpreter above."""
    return [each for each in drill.reference()["outcomes"] if each["interpreter"] == "cpython-3.14"]
