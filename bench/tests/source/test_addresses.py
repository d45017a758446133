# SPDX-License-Identifier: Apache-2.0
"""The table of addresses names files that exist."""

from cside_bench.source import addresses
from cside_suite.subjects.groups import GROUPS
from repository import ROOT


def test_there_is_a_row_for_each_group_and_a_file_in_each_column() -> None:
    """Empty cells are those of what has no C file of its own."""
    rows = addresses.rows(ROOT)
    assert [row["group"] for row in rows] == list(GROUPS)
    for row in rows:
        assert all(row[key] for key in row if key != "native")
        assert row["native"] or not row["group"].startswith("idioms") or row["group"] == "idioms_trace"


def test_the_table_is_markdown() -> None:
    """As many cells in each line as in the head."""
    lines = addresses.markdown(ROOT).splitlines()
    assert {line.count("|") for line in lines} == {lines[0].count("|")}
    assert len(lines) == len(GROUPS) + 2


def test_long_groups_are_shortened() -> None:
    """The first two, the last, and how many there are."""
    assert addresses.listed(("a", "b")) == "`a`, `b`"
    assert addresses.listed(tuple("abcdefghij")) == "`a`, `b` … `j` (10)"
