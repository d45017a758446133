# SPDX-License-Identifier: Apache-2.0
"""``cside drill`` with changes of the user's own."""

from pathlib import Path

import pytest
from command import cside
from cside_bench.drill import changes
from cside_bench.results.drill import DrillError

ENTRY = """
[[change]]
id = "mine"
title = "mine"
says = "It is mine."
names = ["cs_point"]
truth = ""
[change.ask]
one = "1"
"""


def test_changes_of_ones_own_need_what_nox_builds(tmp_path: Path) -> None:
    """The message says what to type."""
    file = tmp_path / "mine.toml"
    file.write_text(ENTRY, encoding="utf-8")
    done = cside("drill", "--file", file)
    assert done.exit_code == 2
    assert "nox -s drill -- --file" in done.output


def test_changes_of_ones_own_do_not_ship(tmp_path: Path) -> None:
    """What ships is a drill of cside's own changes."""
    file = tmp_path / "mine.toml"
    file.write_text(ENTRY, encoding="utf-8")
    done = cside("drill", "--file", file, "--prepared", file, "--reference")
    assert done.exit_code == 2
    assert "--reference ships a drill of everything" in done.output


def test_a_file_is_read_in_place_of_what_ships(tmp_path: Path) -> None:
    """One that lacks something is refused, with what it lacks."""
    file = tmp_path / "mine.toml"
    file.write_text(ENTRY, encoding="utf-8")
    assert list(changes.read(file)) == ["mine"]
    assert changes.read(file)["mine"].ask == {"one": "1"}
    for text, says in ((ENTRY.replace("names", "nouns"), "lacks 'names'"), ("[change", "cannot be read")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(DrillError, match=says):
            changes.read(file)
