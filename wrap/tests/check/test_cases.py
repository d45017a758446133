# SPDX-License-Identifier: Apache-2.0
"""Each parameter is given each kind of bad value, alone."""

from collections.abc import Callable

from cside_wrap.check.cases import cases
from cside_wrap.packages.describe import describe
from cside_wrap.project.reading import Project


def test_bad_values_come_one_at_a_time(box: Callable[..., Project]) -> None:
    """All others are good."""
    found = box()
    listed, without = cases(found.form(), describe(found)[0], [], {"box_keep": [4]})
    assert without == {}
    bad = {case["what"]: case["args"] for case in listed if case["bad"]}
    assert {"b is None", "b is closed", "data is a str", "data is not contiguous", "one argument fewer"} <= set(bad)
    assert bad["b is None"][1] == {"bytes": 4, "writable": False}


def test_good_values_come_as_other_types(box: Callable[..., Project]) -> None:
    """Which have to give the same."""
    found = box()
    listed, _ = cases(found.form(), describe(found)[0], [], {"box_sum": [0, 4], "box_check": [0]})
    good = [case["what"] for case in listed if not case["bad"] and case["function"] == "box_sum"]
    assert good[:2] == ["0 bytes", "4 bytes"] and "data is a memoryview" in good
    assert "number is an object with __index__" in [case["what"] for case in listed]


def test_what_may_not_be_called_has_no_case(box: Callable[..., Project]) -> None:
    """A function that crashed in its trial."""
    found = box()
    assert cases(found.form(), describe(found)[0], [], {})[0] == []
