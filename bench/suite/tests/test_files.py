# SPDX-License-Identifier: Apache-2.0
"""A file is written whole or not at all."""

import json
from pathlib import Path

import pytest
from cside_suite import files


def test_a_text_takes_the_place_of_another(tmp_path: Path) -> None:
    """The folder is made, and nothing is left beside the file."""
    path = tmp_path / "new" / "file.txt"
    files.write_text(path, "one é")
    files.write_text(path, "two é")
    assert path.read_text(encoding="utf-8") == "two é"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither half a file nor a stray one remains."""
    path = tmp_path / "file.json"
    files.write_json(path, {"a": 1})
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        files.write_json(path, {"a": 2})
    assert json.loads(path.read_text(encoding="utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_json_is_short_or_indented(tmp_path: Path) -> None:
    """Both end with a newline."""
    files.write_json(tmp_path / "a", {"a": [1, 2]})
    files.write_json(tmp_path / "b", {"a": [1, 2]}, indent=1)
    assert (tmp_path / "a").read_text() == '{"a":[1,2]}\n'
    assert (tmp_path / "b").read_text().count("\n") == 6


def test_a_link_is_pointed_elsewhere(tmp_path: Path) -> None:
    """Again and again."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files.point(tmp_path / "latest", name)
        assert (tmp_path / "latest").resolve() == (tmp_path / name).resolve()
