# SPDX-License-Identifier: Apache-2.0
"""The subjects and workloads of a user's library are what their file says."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from cside_suite.subjects.bindings import BindingError
from cside_suite.subjects.library import LibrarySet, value

CONTENT = {
    "name": "z",
    "stem": "libz",
    "sha256": "0",
    "files": [],
    "paths": {"here": ["/nowhere"]},
    "packages": {"here": {"one": "zlib", "two": "binascii"}},
    "workloads": [
        {
            "name": "z.crc32[3]",
            "function": "crc32",
            "says": "unsigned crc32(…)",
            "steps": [{"function": "adler32", "arguments": [{"bytes": "YWJj"}]}],
            "arguments": [{"bytes": "YWJj"}, {"step": 0, "result": None}],
            "varies": False,
        }
    ],
}


@pytest.fixture
def library(tmp_path: Path) -> LibrarySet:
    """A set whose packages are modules of the standard library."""
    (tmp_path / "library.json").write_text(json.dumps(CONTENT | {"left_out": {}}), encoding="utf-8")
    return LibrarySet.load(tmp_path / "library.json")


def test_a_workload_is_prepared_and_called(library: LibrarySet) -> None:
    """Its steps are made once, and their results are values of its arguments."""
    function, arguments = library.workloads["z.crc32[3]"].prepared(zlib)
    assert (function, arguments) == (zlib.crc32, (b"abc", zlib.adler32(b"abc")))


def test_packages_are_subjects(library: LibrarySet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found where the file says, by technique; a technique without a package is an error."""
    monkeypatch.setattr("sys.path", [])
    one, two = library.discover("here", [])
    assert (one.name, one.nouns, one.noun("")) == ("one", ("",), zlib)
    assert (two.features, two.gaps, two.partial) == (frozenset(), {}, False)
    assert [it.name for it in library.discover("here", ["two"])] == ["two"]
    with pytest.raises(BindingError, match="no package of three; there is: one, two"):
        library.discover("here", ["three"])


class Made:
    """A package's class."""

    def __init__(self, **values: Any) -> None:
        self.values = values


def test_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind that the file writes."""
    monkeypatch.setattr(zlib, "Made", Made, raising=False)
    results: list[Any] = [(7, 8), "one"]
    written = [None, 3, 1.5, {"text": "é"}, {"buffer": "YWI="}, {"step": 0, "result": 1}, {"step": 1, "result": None}]
    assert [value(it, zlib, results) for it in written] == [None, 3, 1.5, "é", bytearray(b"ab"), 8, "one"]
    made = value({"make": "Made", "values": {"data": {"bytes": "YQ=="}}}, zlib, results)
    assert made.values == {"data": b"a"}
    assert value({"callback": None}, zlib, results)(1, 2) == 0
