# SPDX-License-Identifier: Apache-2.0
"""Lays out the rows of a chart in bands: a heading on a line of its own, and below it a slot for each subject.

Headings are inside the plot, so that the plot has the whole width; on a phone, an axis with long labels would take
most of it. The heading takes slots too, so that nothing overlaps it.
"""

from typing import Any, Final

import altair as alt

from cside_bench.report.page.charts.palette import GREY, Look

HEADING: Final = ""
"""First slot of the heading; its further slots are named by spaces."""
HEADING_HEIGHT: Final = 22
"""Height of a heading in pixels."""
SLOT: Final = 8
"""Height of a slot in pixels."""


class Bands:
    """The vertical layout over the column ``band``, and within a band over ``subject``."""

    def __init__(self, look: Look, *, band: str = "band", step: int = SLOT) -> None:
        self.band = band
        spaces = [" " * place for place in range(-(-HEADING_HEIGHT // step))]
        self.slots: list[str] = [*spaces, *look.titles]
        self.height = alt.Step(step, **{"for": "offset"})

    def y(self, **others: Any) -> alt.Y:
        """Return the vertical position of the band."""
        return alt.Y(
            f"{self.band}:N", sort=None, axis=None, scale=alt.Scale(paddingInner=0.06, paddingOuter=0.02), **others
        )

    def slot(self) -> alt.YOffset:
        """Return the position of a subject's slot within the band."""
        return alt.YOffset("subject:N", scale=alt.Scale(domain=self.slots))

    def heading(self) -> alt.YOffsetDatum:
        """Return the position of the heading within the band."""
        return alt.YOffsetDatum(HEADING, type="nominal", scale=alt.Scale(domain=self.slots))

    def headings(self) -> tuple[alt.Chart, alt.Chart]:
        """Return the line above each band, and the band's name below the line."""
        once = alt.Chart().transform_aggregate(rows="count()", groupby=[self.band])
        lines = once.mark_rule(color=GREY, opacity=0.4, strokeWidth=1).encode(
            y=self.y(), yOffset=self.heading(), x=alt.value(0), x2=alt.value("width"), tooltip=alt.value(None)
        )
        names = once.mark_text(align="left", baseline="top", dy=3, dx=2, fontWeight="bold", fontSize=11).encode(
            y=self.y(), yOffset=self.heading(), x=alt.value(0), text=f"{self.band}:N", tooltip=alt.value(None)
        )
        return lines, names

    def absent(self, column: str) -> alt.Chart:
        """Return the texts of the column ``note`` in the slots of rows that have no number."""
        missing = alt.Chart().transform_filter(f"datum.{column} === null && datum.note !== null")
        named = missing.transform_calculate(label="datum.subject + ': ' + datum.note")
        text = named.mark_text(
            align="left", baseline="middle", fontSize=9, fontStyle="italic", dx=2, limit=alt.ExprRef("width")
        )
        placed: alt.Chart = text.encode(
            y=self.y(),
            yOffset=self.slot(),
            x=alt.value(0),
            text="label:N",
            tooltip=[alt.Tooltip("subject:N"), alt.Tooltip("note:N", title="why")],
        )
        return placed
