# SPDX-License-Identifier: Apache-2.0
"""Colours, shapes and dashes."""

from collections.abc import Iterator
from typing import Any

from cside_bench.report.page.charts.palette import COLOURS, DASHES, SHAPES


def parts(spec: Any) -> Iterator[dict[str, Any]]:
    """Every object within a specification."""
    if isinstance(spec, dict):
        yield spec
        for value in spec.values():
            yield from parts(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from parts(value)


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_marks_can_be_seen_on_a_light_and_on_a_dark_page_and_without_colour() -> None:
    """Contrast of 3 to 1 against white and near-black, as WCAG 2 asks of graphics; as many shapes and dashes."""
    dark = luminance("#16181c")
    for colour in COLOURS:
        own = luminance(colour)
        assert 1.05 / (own + 0.05) >= 3 and (own + 0.05) / (dark + 0.05) >= 3, colour
    assert len(set(SHAPES)) == len(set(DASHES)) == len(set(COLOURS)) == len(SHAPES)
