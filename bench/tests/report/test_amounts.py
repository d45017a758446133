# SPDX-License-Identifier: Apache-2.0
"""Numbers with their units."""

from cside_bench.report.amounts import ns


def test_times_have_units() -> None:
    """A number in the report is never bare."""
    assert [ns(value) for value in (None, 0.2, 25.04, 1500.0, 2.5e6, 3e9)] == [
        "—",
        "< 1 ns",
        "25 ns",
        "1.5 µs",
        "2.5 ms",
        "3 s",
    ]
