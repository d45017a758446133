# SPDX-License-Identifier: Apache-2.0
"""The table of addresses names files that exist."""

from pathlib import Path

from cside_bench.source import addresses
from cside_bench.source.places import bindings, nouns
from cside_suite.subjects.groups import GROUPS
from repository import ROOT


def test_there_is_a_row_for_each_group_and_a_file_in_each_column() -> None:
    """Empty cells are those of what has no C file of its own, and of a binding that leaves out the noun."""
    rows = addresses.rows(ROOT)
    assert [row["group"] for row in rows] == list(GROUPS)
    for row in rows:
        noun = row["group"].partition("_")[0]
        without = {name for name in bindings(ROOT) if noun not in nouns(ROOT, name)}
        assert {key for key in row if not row[key]} - {"native"} == without
        assert row["native"] or not row["group"].startswith("idioms") or row["group"] == "idioms_trace"


def test_a_binding_without_a_noun_has_empty_cells(tmp_path: Path) -> None:
    """Markdown shows a dash for each."""
    package = tmp_path / "bindings" / "other" / "src" / "cside_other"
    package.mkdir(parents=True)
    (tmp_path / "bindings" / "other" / "pyproject.toml").touch()
    for noun in ("idioms", "codec"):
        (package / f"{noun}.py").touch()
    for stem in GROUPS:
        if not stem.startswith("pkcs11"):
            (package / f"_{stem}.py").touch()
    assert nouns(tmp_path, "other") == ["idioms", "codec"]
    cells = {row["group"]: row["other"] for row in addresses.rows(tmp_path)}
    assert {stem for stem in cells if not cells[stem]} == {"pkcs11_module", "pkcs11_functions"}
    last = addresses.markdown(tmp_path).splitlines()[-1]
    assert last.startswith("| pkcs11_functions | ")
    assert last.endswith(" | — | — | — |")


def test_the_table_is_markdown() -> None:
    """As many cells in each line as in the head."""
    lines = addresses.markdown(ROOT).splitlines()
    assert {line.count("|") for line in lines} == {lines[0].count("|")}
    assert len(lines) == len(GROUPS) + 2


def test_long_groups_are_shortened() -> None:
    """The first two, the last, and how many there are."""
    assert addresses.listed(("a", "b")) == "`a`, `b`"
    assert addresses.listed(tuple("abcdefghij")) == "`a`, `b` … `j` (10)"
