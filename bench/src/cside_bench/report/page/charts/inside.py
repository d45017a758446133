# SPDX-License-Identifier: Apache-2.0
"""Draws the share of a call that is spent inside the library."""

from collections.abc import Sequence
from typing import Any, Final

import altair as alt

from cside_bench.report.page.charts.amounts import listing, percent
from cside_bench.report.page.charts.axes import PERCENT, SHARE_DOMAIN, told
from cside_bench.report.page.charts.bands import Bands
from cside_bench.report.page.charts.calls import headline, noun
from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import GREY, INK, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run

INSIDE: Final = {"value": "inside", "low": "low", "high": "high"}
"""Keys of an interval -> their names in a row."""
TRACED: Final = "traced in the module"
LOOPED: Final = "the same call from C"
SLOWER: Final = "no share: the loop in C took longer"
HOW: Final = (
    "For calls to a PKCS #11 module, the library's trace records how long a call is inside the module: the value is "
    "the median of many traced calls after the rounds, without an interval. For other calls, the same call from a C "
    "loop is timed in the same rounds; its share of the whole call is the geometric mean over processes, with "
    "Student's 95 % interval over processes for this bar alone. The rest is the binding, the interpreter and the "
    "conversion of values."
)


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, workload of the short table and binding whose share is known."""
    found: list[Row] = []
    for run, label, where in places(runs):
        for workload, name in headline(run).items():
            found += [where | row for row in shares(run, label, workload, name)]
    return found


def shares(run: Run, label: str, workload: str, name: str) -> list[Row]:
    """Return the rows of one workload."""
    rows: list[Row] = []
    later: list[Row] = []
    looped = run.figures(label).get("inside", {}).get(workload, {})
    for subject in run.bindings:
        cell = run.cell(label, workload, subject)
        if cell is None or cell["void"] is not None or cell["ns_net"] is None:
            continue
        base: Row = {
            "noun": noun(workload),
            "band": name,
            "workload": workload,
            "subject": title(subject),
            "inside": None,
            "low": None,
            "high": None,
            "ns": number(cell["ns_net"]),
            "how": TRACED,
            "note": None,
        }
        if cell["inside"] is not None:
            rows.append(base | {"inside": number(cell["inside"])})
            continue
        if (its := looped.get(subject)) is not None:
            share = {"note": SLOWER} if its["value"] > 1 else {INSIDE[key]: number(its[key]) for key in INSIDE}
            later.append(base | {"how": LOOPED} | share)
    return rows + later


def library(runs: Sequence[Run]) -> Figure:
    """Draw a bar per approach: the filled part is the library's share, the frame is the whole call."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "inside",
        "section": "inside",
        "title": "Share of the call inside the library",
        "how": HOW,
        "raw": ["blocks/*.json"],
    }
    if all(row["inside"] is None for row in rows):
        return Figure(**frame, says="", reason="This run measured neither a traced module nor a C loop.")
    look = Look(runs)
    bands = Bands(look, step=13)
    place = {"y": bands.y(), "yOffset": bands.slot()}
    x = alt.X(
        "zero:Q",
        scale=alt.Scale(domain=SHARE_DOMAIN),
        axis=alt.Axis(title="share of the call", labelExpr=PERCENT, values=[0, 0.25, 0.5, 0.75, 1]),
    )
    tooltip = [
        alt.Tooltip("band:N", title="call"),
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("inside:Q", title="inside the library", format=".1%"),
        alt.Tooltip("low:Q", title="from", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
        alt.Tooltip("ns:Q", title="whole call, ns", format=",.4~g"),
        alt.Tooltip("how:N", title="by"),
    ]
    base = alt.Chart().transform_filter("datum.inside !== null").transform_calculate(zero="0", whole="1")
    around = base.mark_rule(strokeWidth=9, color=GREY, opacity=0.15).encode(x=x, x2="whole:Q", tooltip=tooltip, **place)
    filled = base.mark_rule(strokeWidth=9, opacity=0.85).encode(
        x=x, x2="inside:Q", color=look.colour(legend=False), tooltip=tooltip, **place
    )
    named = (
        base.transform_calculate(label="datum.subject + '  ' + " + told("inside"))
        .mark_text(align="left", baseline="middle", dx=5, fontSize=10)
        .encode(x="whole:Q", text="label:N", tooltip=tooltip, **place)
    )
    spans = base.transform_filter("datum.low !== null").mark_rule(strokeWidth=1.5, color=INK)
    spans = spans.encode(x=alt.X("low:Q"), x2="high:Q", tooltip=tooltip, **place)
    return Figure(
        **frame,
        says=says(rows) + doubts(runs),
        spec=specification(
            alt.layer(*bands.headings(), around, filled, spans, named, bands.absent("inside")),
            "Bars: share of each call that is spent inside the library, by approach.",
            bands.height,
        ),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "noun", "Kind of call")],
    )


def says(rows: Sequence[Row]) -> str:
    """Return the least and the largest share per approach, on the first interpreter."""
    own = [row for row in rows if all(row.get(key) == rows[0].get(key) for key in ("machine", "interpreter"))]
    told = []
    for subject in dict.fromkeys(str(row["subject"]) for row in own):
        values = [float(str(row["inside"])) for row in own if row["subject"] == subject and row["inside"] is not None]
        if len(values) > 1:
            told.append(f"{subject} {percent(min(values))} to {percent(max(values))}")
    return f"Share inside the library over these calls on {rows[0]['interpreter']}: {listing(told)}." if told else ""
