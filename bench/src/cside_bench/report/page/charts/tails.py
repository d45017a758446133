# SPDX-License-Identifier: Apache-2.0
"""Draws the quantiles of calls that were timed one by one, which the means of chunks do not show."""

from collections.abc import Sequence
from typing import Any, Final

import altair as alt

from cside_bench.report.page.charts.amounts import listing, ns
from cside_bench.report.page.charts.axes import LOG, ns_log
from cside_bench.report.page.charts.calls import headline
from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import GREY, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run

QUANTILES: Final = {"p50_ns": "p50", "p90_ns": "p90", "p99_ns": "p99", "p999_ns": "p999"}
"""Columns of the rows -> their keys in a cell of the summary."""
NAMES: Final = {"p50_ns": "p50", "p90_ns": "p90", "p99_ns": "p99", "p999_ns": "p99.9"}
"""Columns of the rows -> the names of the quantiles."""
HOW: Final = (
    "After the rounds, calls of each approach are timed one by one, with a clock reading before and after each call. "
    "Durations are stored in a DDSketch of 1 % relative accuracy, which is merged over processes. Every duration "
    "includes the time of reading the clock, which is drawn as a dashed line; compare approaches with each other, not "
    "with the means of the other figures. A quantile is given if at least ten calls lie beyond it. The calls of all "
    "processes are pooled, so that there is neither an interval nor a verdict."
)


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, workload of the short table and subject."""
    found: list[Row] = []
    for run, label, where in places(runs):
        for workload, name in headline(run).items():
            for subject in (*run.bindings, "stdlib"):
                cell = run.cell(label, workload, subject)
                if cell is None or cell["void"] is not None or cell["latency"] is None:
                    continue
                latency = cell["latency"]
                found.append(
                    where
                    | {"call": name, "workload": workload, "subject": title(subject)}
                    | {column: number(latency[key]) for column, key in QUANTILES.items()}
                    | {"timer_ns": number(latency["timer"]), "calls": latency["calls"]}
                )
    return found


def quantiles(runs: Sequence[Run]) -> Figure:
    """Draw p50 to p99.9 of the calls of one workload."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "tails",
        "section": "tails",
        "title": "Quantiles of single calls",
        "how": HOW,
        "raw": ["blocks/*.json"],
    }
    if not rows:
        return Figure(**frame, says="", reason="No calls were timed one by one in this run.")
    look = Look(runs, [title("stdlib")])
    names = [NAMES[column] for column in QUANTILES]
    x = alt.X(
        "quantile:O",
        sort=names,
        axis=alt.Axis(title="quantile: this share of calls is faster", labelAngle=0),
        scale=alt.Scale(padding=0.25),
    )
    y = alt.Y("ns:Q", scale=alt.Scale(**LOG), axis=ns_log("one call (log)", fine=True))
    tooltip = [
        alt.Tooltip("call:N"),
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("quantile:N"),
        alt.Tooltip("ns:Q", title="ns", format=",.4~g"),
        alt.Tooltip("timer_ns:Q", title="clock, ns", format=",.4~g"),
        alt.Tooltip("calls:Q", title="calls timed", format=","),
    ]
    each = (
        alt.Chart()
        .transform_fold(list(QUANTILES), as_=["column", "ns"])
        .transform_filter("datum.ns !== null")
        .transform_calculate(quantile="datum.column == 'p999_ns' ? 'p99.9' : replace(datum.column, '_ns', '')")
    )
    lines = each.mark_line(strokeWidth=1.5).encode(
        x=x, y=y, color=look.colour(), strokeDash=look.dash(), tooltip=tooltip
    )
    points = each.mark_point(filled=True, size=44, opacity=1).encode(
        x=x, y=y, color=look.colour(), shape=look.shape(), tooltip=tooltip
    )
    clock = alt.Chart().transform_aggregate(timer_ns="median(timer_ns)")
    rule = clock.mark_rule(strokeDash=[4, 3], color=GREY, strokeWidth=1.2).encode(
        y="timer_ns:Q", tooltip=[alt.Tooltip("timer_ns:Q", title="clock, ns")]
    )
    told = (
        clock.transform_calculate(label="'the clock itself: ' + format(datum.timer_ns, '.3~g') + ' ns'")
        .mark_text(align="left", baseline="top", dy=3, dx=4, fontSize=10)
        .encode(x=alt.value(0), y="timer_ns:Q", text="label:N")
    )
    return Figure(
        **frame,
        says=says(rows) + doubts(runs),
        spec=specification(
            alt.layer(rule, told, lines, points), "Line chart: quantiles of single calls by approach, log scale.", 320
        ),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "call", "Call")],
    )


def says(rows: Sequence[Row]) -> str:
    """Return p50 and the last quantile of the workload that is drawn first."""
    keys = ("machine", "interpreter", "call")
    own = [row for row in rows if all(row.get(key) == rows[0].get(key) for key in keys)]
    told = []
    for row in own:
        last = next((name for name in reversed(QUANTILES) if row[name] is not None), None)
        if last is not None and last != "p50_ns":
            told.append(
                f"{row['subject']} {ns(float(str(row['p50_ns'])))} and {ns(float(str(row[last])))} ({NAMES[last]})"
            )
    if not told:
        return ""
    return f"“{rows[0]['call']}” on {rows[0]['interpreter']}, median and tail: {listing(told)}."
