# SPDX-License-Identifier: Apache-2.0
"""Tables are embedded column by column."""

import json
import math
from typing import Any

import pytest
from columns_read import value_of
from cside_bench.report.page.columns import column, columnar, embedded, rounded
from cside_bench.report.page.data import distance


@pytest.mark.parametrize(
    "values", [[1.0, 2.0, 1.0], ["a", "b", "a"], ["a", None, 1, "a", True], [None, None], [], [0, False, 0.5]]
)
def test_columns_give_back_their_values(values: list[Any]) -> None:
    """Whatever the form a column is stored in, each row's value comes back, with its type."""
    found = json.loads(embedded(column(values)))
    assert [(value_of(found, row), isinstance(value_of(found, row), bool)) for row in range(len(values))] == [
        (value, isinstance(value, bool)) for value in values
    ]


def test_rows_may_lack_a_column() -> None:
    """What is missing is null; columns are in the order in which rows name them."""
    found = columnar([{"a": 1}, {"b": 2.5, "a": None}])
    assert list(found["columns"]) == ["a", "b"]
    assert [value_of(found["columns"]["b"], row) for row in range(2)] == [None, 2.5]


def test_numbers_that_are_none_become_null() -> None:
    """Infinity and not-a-number never get into the page's JSON."""
    assert [rounded(value) for value in (math.inf, math.nan, None, 1234567.0, 0.000123456789)] == [
        None,
        None,
        None,
        1234600,
        0.00012346,
    ]
    assert [distance(1.1, 1.0), distance(None, 1.0), distance(0.0, 1.0), distance(1.0, None)] == [953, None, None, None]
