# SPDX-License-Identifier: Apache-2.0
"""Numbers in the table of costs."""

import pytest
from cside_bench.report.costs import number, size, spread


@pytest.mark.parametrize(("value", "text"), [(12345.6, "12,346"), (12.34, "12.3"), (0.01234, "0.0123"), (0, "0")])
def test_numbers_have_three_digits(value: float, text: str) -> None:
    """Numbers have three significant digits and no exponent."""
    assert number(value) == text


def test_sizes_and_spreads_are_told_in_units() -> None:
    """A range is shown where there is one."""
    assert [size(None), size(12), size(2048), size(3 << 20)] == ["—", "12 B", "2 KiB", "3 MiB"]
    assert spread({"median": 2e6, "low": 2e6, "high": 2e6}, 1e6) == "2"
    assert spread(None) == "—"
