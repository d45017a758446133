# SPDX-License-Identifier: Apache-2.0
"""A table of outcomes has one outcome for every cell."""

import pytest
from cside_bench.results.outcomes import Axis, IncompleteError, check

SCHEMA = {"type": "object", "required": ["outcomes"]}
AXES: dict[str, Axis] = {"interpreter": lambda _: ["a", "b"], "hazard": lambda _: ["x"]}


def outcome(interpreter: str, hazard: str) -> dict[str, str]:
    """One entry of a table."""
    return {"interpreter": interpreter, "hazard": hazard}


def test_a_whole_table_passes() -> None:
    """In any order."""
    check({"outcomes": [outcome("b", "x"), outcome("a", "x")]}, "file", SCHEMA, AXES)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "does not fit its schema"),
        ({"outcomes": [outcome("a", "x")]}, r"1 outcomes for 2 cells; cells without an outcome: \[\('b', 'x'\)\]"),
        ({"outcomes": [outcome("a", "x"), outcome("b", "x"), outcome("b", "x")]}, "3 outcomes for 2 cells"),
        ({"outcomes": [outcome("a", "x"), outcome("b", "x"), outcome("c", "x")]}, "3 outcomes for 2 cells"),
    ],
)
def test_a_table_with_a_gap_or_too_much_is_refused(table: dict[str, object], says: str) -> None:
    """The message names the file, and the first cells that are missing."""
    with pytest.raises(IncompleteError, match=f"file.*{says}"):
        check(table, "file", SCHEMA, AXES)
