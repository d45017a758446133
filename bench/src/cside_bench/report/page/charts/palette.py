# SPDX-License-Identifier: Apache-2.0
"""Assigns each subject a colour, a shape and a dash, the same in every figure.

The colours are those of M. Okabe and K. Ito ("Color universal design", 2008), which people with the common kinds of
colour blindness can distinguish. The three light ones are darkened until each has a contrast of at least 3 to 1
against white and against a dark page. Subjects can also be distinguished by shape or dash, without any colour.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import altair as alt

from cside_bench.results.evidence import Run

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#C2679B", "#A87900", "#3B8EC2", "#8A7D00", "#8C6BB1")
SHAPES: Final = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
DASHES: Final = ((1, 0), (6, 2), (2, 2), (8, 2, 2, 2), (4, 4), (1, 3), (10, 3), (6, 2, 2, 2, 2, 2))
GREY: Final = "#808080"
"""Colour of references, and of rules and bands that belong to no subject."""
INK: Final = "currentColor"
"""Colour of intervals and text: the text colour of the page, in the light and the dark theme."""
TITLES: Final = {
    "floor.direct": "C, called directly",
    "floor.pointer": "C, through a pointer",
    "floor.ffi": "C, through libffi",
    "floor.shim": "C, through the shim",
    "native": "threads of C",
    "stdlib": "standard library",
}
"""Names of subjects that are no bindings."""


def title(subject: str) -> str:
    """Return the name of a subject in charts."""
    return TITLES.get(subject, subject)


def bindings(runs: Sequence[Run]) -> list[str]:
    """Return the whole bindings of all runs; those of the first run come first."""
    return list(dict.fromkeys(name for run in runs for name in run.bindings))


class Look:
    """The scales of colour, shape and dash for some subjects: bindings of the runs first, then references."""

    def __init__(self, runs: Sequence[Run], references: Iterable[str] = ()) -> None:
        own = bindings(runs)
        self.subjects: list[str] = [*own, *(name for name in references if name not in own)]
        self.titles: list[str] = [title(name) for name in self.subjects]
        self.colours: list[str] = [
            COLOURS[place % len(COLOURS)] if place < len(own) else GREY for place in range(len(self.subjects))
        ]
        self.shapes: list[str] = [SHAPES[place % len(SHAPES)] for place in range(len(self.subjects))]
        self.dashes: list[list[int]] = [list(DASHES[place % len(DASHES)]) for place in range(len(self.subjects))]

    def colour(self, column: str = "subject", *, legend: bool = True) -> alt.Color:
        """Return the encoding of colour by subject."""
        return alt.Color(
            f"{column}:N", scale=alt.Scale(domain=self.titles, range=self.colours), legend=legend_of(legend)
        )

    def shape(self, column: str = "subject", *, legend: bool = True) -> alt.Shape:
        """Return the encoding of shape by subject; it shares the legend of the colour."""
        return alt.Shape(
            f"{column}:N", scale=alt.Scale(domain=self.titles, range=self.shapes), legend=legend_of(legend)
        )

    def dash(self, column: str = "subject", *, legend: bool = True) -> alt.StrokeDash:
        """Return the encoding of dash by subject; it shares the legend of the colour."""
        scale = alt.Scale(domain=self.titles, range=self.dashes)
        return alt.StrokeDash(f"{column}:N", scale=scale, legend=legend_of(legend))


def legend_of(shown: bool) -> alt.Legend | None:
    """Return a legend above the chart that fits on a phone, or None if it is not ``shown``."""
    return (
        alt.Legend(
            orient="top",
            title=None,
            columns=alt.ExprRef("width < 420 ? 2 : 4"),
            labelLimit=0,
            symbolSize=60,
            symbolStrokeWidth=0,
            symbolOpacity=1,
        )
        if shown
        else None
    )
