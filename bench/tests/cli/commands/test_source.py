# SPDX-License-Identifier: Apache-2.0
"""``cside source`` prints where a function stands in C and in each binding."""

import json
from pathlib import Path

import pytest
from command import cside
from repository import ROOT


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_each_place_names_a_file_and_a_line_in_which_the_name_stands() -> None:
    """The declaration in C and the code of every binding are among the places."""
    rows = json.loads(cside("source", "each_call", "--json", "--show").stdout)
    folders = {"/".join(Path(row["file"]).parts[:2]) for row in rows}
    assert folders >= {f"bindings/{path.parent.name}" for path in (ROOT / "bindings").glob("*/pyproject.toml")}
    for row in rows:
        lines = (ROOT / row["file"]).read_text(encoding="utf-8").splitlines()
        assert "\n".join(lines[row["first"] - 1 : row["last"]]).strip() == row["code"].strip()
        assert "each_call" in row["code"]


def test_an_unknown_name_is_wrong_usage() -> None:
    """The command ends with 2."""
    assert cside("source", "no_such_function").exit_code == 2


def test_without_a_name_all_groups_are_listed() -> None:
    """The table and the JSON document have the same groups."""
    rows = json.loads(cside("source", "--json").stdout)
    assert len(rows) > 5
    assert cside("source").exit_code == 0
