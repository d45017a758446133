# SPDX-License-Identifier: Apache-2.0
"""Defines a figure of the page: a chart, the rows that it draws, and its texts.

A chart is a Vega-Lite specification made with Altair, without its data: the page passes the rows, filtered by the
controls, under the name :data:`ROWS`. Its width is that of its container. It sets no colours of text, axes or
background: the page sets them, for its light and its dark theme.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import altair as alt

from cside_bench.report.page.data import machine_ids
from cside_bench.results.evidence import Run

Row = dict[str, object]
"""Plain values by column; the name of a column includes its unit, as in ``low_ns``."""

ROWS: Final = "rows"
"""The name under which a specification expects its data."""
MACHINE: Final = "machine"
INTERPRETER: Final = "interpreter"


@dataclass(frozen=True, slots=True)
class Control:
    """A choice above a chart: the chart draws the rows whose ``column`` equals the chosen value."""

    column: str
    title: str
    values: list[str]
    default: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its rows and texts, or the reason why there is no chart."""

    name: str
    """The name; the figure's address in the page is ``figure-<name>``."""
    section: str
    """Id of the section of the page."""
    title: str
    says: str
    """The caption: what the chart shows, with numbers of this run."""
    how: str
    """How the numbers were measured."""
    spec: dict[str, Any] | None = None
    """Vega-Lite specification without data; None if there is nothing to draw."""
    rows: list[Row] = field(default_factory=list)
    """The rows that the chart draws."""
    raw: list[str] = field(default_factory=list)
    """Globs of the files in the run's folder that the rows come from."""
    reason: str = ""
    """The reason why there is nothing to draw."""
    controls: list[Control] = field(default_factory=list)


def specification(chart: alt.LayerChart | alt.FacetChart, description: str, height: int | alt.Step) -> dict[str, Any]:
    """Return a chart as plain data, with named rows, the container's width and a description for screen readers."""
    whole = chart.properties(
        data=alt.NamedData(name=ROWS),
        width="container",
        height=height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        description=description,
    ).to_dict(validate=False)  # the tests validate; it takes longer than all the rest
    whole.pop("config", None)  # Altair's defaults; the page has its own configuration
    return whole


def control(rows: Iterable[Row], column: str, title: str, default: str | None = None) -> Control:
    """Return a control over the values of a column, in the order of the rows; by default the first is chosen."""
    values = list(dict.fromkeys(str(row[column]) for row in rows))
    return Control(column, title, values, default if default in values and default is not None else values[0])


def whereabouts(runs: Sequence[Run], rows: Sequence[Row]) -> list[Control]:
    """Return a control for the machine if there are several runs, and one for the interpreter."""
    found = []
    if len(runs) > 1:
        found.append(control(rows, MACHINE, "Machine"))
    interpreters = control(rows, INTERPRETER, "Interpreter")
    return [*found, interpreters] if len(interpreters.values) > 1 or found else found


def places(runs: Sequence[Run]) -> list[tuple[Run, str, Row]]:
    """Return every interpreter of every run, with the first columns of its rows."""
    found: list[tuple[Run, str, Row]] = []
    for run, machine in zip(runs, machine_ids(runs), strict=True):
        several: Row = {MACHINE: machine} if len(runs) > 1 else {}
        found += [(run, label, several | {INTERPRETER: label}) for label in run.labels]
    return found


def number(value: float | None, digits: int = 4) -> float | None:
    """Round to significant digits; None if the value is not a finite number."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.{digits}g}")
