# SPDX-License-Identifier: Apache-2.0
"""What a figure of the page is: the chart, the rows that it draws, and what is said of them.

A chart is a Vega-Lite specification made with Altair, without its data: the page hands it the rows, filtered by the
controls, under the name :data:`ROWS`. Its width is that of its container. No colour of text, axis or ground is in it;
they are the page's, for light and dark alike.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import altair as alt

from cside_bench.report.page.data import machine_ids
from cside_bench.results.evidence import Run

Row = dict[str, object]
"""Plain values by column; a unit stands in the column's name, as in ``low_ns``."""

ROWS: Final = "rows"
"""The name under which a specification expects its data."""
MACHINE: Final = "machine"
INTERPRETER: Final = "interpreter"


@dataclass(frozen=True, slots=True)
class Control:
    """A choice above a chart: of the rows, those count whose ``column`` equals the chosen value."""

    column: str
    title: str
    values: list[str]
    default: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, or the reason why there is none."""

    name: str
    """Its address in the page is ``figure-<name>``."""
    section: str
    """Of the page, by its id."""
    title: str
    says: str
    """The caption: what the chart shows, with numbers of this run."""
    how: str
    """How it was measured."""
    spec: dict[str, Any] | None = None
    """Vega-Lite without data; None where there is nothing to draw."""
    rows: list[Row] = field(default_factory=list)
    """What the chart draws."""
    raw: list[str] = field(default_factory=list)
    """Files within the run's folder that the rows come from; globs."""
    reason: str = ""
    """Why there is nothing to draw."""
    controls: list[Control] = field(default_factory=list)


def specification(chart: alt.LayerChart | alt.FacetChart, description: str, height: int | alt.Step) -> dict[str, Any]:
    """The chart as plain data: named rows, the container's width, and a description for those who do not see it."""
    whole = chart.properties(
        data=alt.NamedData(name=ROWS),
        width="container",
        height=height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        description=description,
    ).to_dict(validate=False)  # the tests do, and it takes longer than the rest
    whole.pop("config", None)  # Altair's default; the page has its own
    return whole


def control(rows: Iterable[Row], column: str, title: str, default: str | None = None) -> Control:
    """A control over the values of a column, in the order of the rows; the first is the default."""
    values = list(dict.fromkeys(str(row[column]) for row in rows))
    return Control(column, title, values, default if default in values and default is not None else values[0])


def whereabouts(runs: Sequence[Run], rows: Sequence[Row]) -> list[Control]:
    """Controls for the machine, where there are several, and the interpreter, where there are several."""
    found = []
    if len(runs) > 1:
        found.append(control(rows, MACHINE, "Machine"))
    interpreters = control(rows, INTERPRETER, "Interpreter")
    return [*found, interpreters] if len(interpreters.values) > 1 or found else found


def places(runs: Sequence[Run]) -> list[tuple[Run, str, Row]]:
    """Every interpreter of every run, with the columns that rows about it begin with."""
    found: list[tuple[Run, str, Row]] = []
    for run, machine in zip(runs, machine_ids(runs), strict=True):
        several: Row = {MACHINE: machine} if len(runs) > 1 else {}
        found += [(run, label, several | {INTERPRETER: label}) for label in run.labels]
    return found


def number(value: float | None, digits: int = 4) -> float | None:
    """So many significant digits; None for what is not a finite number."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.{digits}g}")
