# SPDX-License-Identifier: Apache-2.0
"""Draws times per call: ratios to the reference with intervals, and nanoseconds of one workload at a time."""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any

import altair as alt

from cside_bench.report.page.charts import axes
from cside_bench.report.page.charts.amounts import listing, ns, ratio
from cside_bench.report.page.charts.axes import LOG, ratio_log
from cside_bench.report.page.charts.bands import Bands
from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import GREY, INK, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results import headline as results_headline
from cside_bench.results.evidence import Run

RAW = ["blocks/*.json", "cold/*.json"]
BESIDE = ("stdlib", "floor.direct")
"""References that are shown beside the bindings."""
NOUNS = {"idioms": "idioms", "codec": "codec", "pkcs11": "PKCS #11", "import": "import"}
HOW = (
    "In each round, a process times a chunk of about 0.1 ms (0.2 ms on PyPy) of every approach, in random order. It "
    "gives one number per approach: the median over rounds of its ratio to the reference in the same round. The ratio "
    "shown is the geometric mean over processes. Its interval is adjusted so that at most 5 % of those that decide are "
    "wrong; with fewer than six processes it is the unadjusted interval over processes."
)


def headline(run: Run) -> dict[str, str]:
    """Return the workloads of a run's short table -> their labels there."""
    return {row["workload"]: row["label"] for row in results_headline.of_run(run.folder)}


def noun(workload: str) -> str:
    """Return what a workload's noun is called: one of cside's, or the name of a user's library."""
    name = workload.partition(".")[0]
    return NOUNS.get(name, name)


def bounds(cell: dict[str, Any]) -> tuple[float | None, float | None, str]:
    """Return low and high of a cell's ratio, and the kind of that interval."""
    for kind, said in (("ratio", "with all comparisons"), ("alone", "this comparison alone")):
        if cell[f"{kind}_low"] is not None:
            return cell[f"{kind}_low"], cell[f"{kind}_high"], said
    return None, None, "none"


def gap(run: Run, label: str, workload: str, subject: str) -> str:
    """Return why a binding has no cell."""
    for entry in run.summary["parity"]:
        if (entry["interpreter"], entry["workload"], entry["subject"]) == (label, workload, subject):
            return f"gap: {entry['reason']}"
    return "not measured"


def too_short(cell: dict[str, Any]) -> str:
    """Return why a cell has no ratio."""
    if cell["void"] is not None:
        return f"void: {cell['void']}"
    if cell.get("unsteady"):
        return f"not steady: {cell['unsteady']}"
    return "no ratio: it takes too little time to be measured"


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, workload of the short table and subject; ``note`` says why a ratio is missing."""
    found: list[Row] = []
    for run, label, where in places(runs):
        known = set(run.workloads(label))
        for workload, name in headline(run).items():
            if workload not in known:
                continue
            for subject in (*run.bindings, *BESIDE):
                cell = run.cell(label, workload, subject)
                if cell is None and subject not in run.bindings:
                    continue
                found.append(where | row_of(run, label, (workload, name), subject, cell))
    return found


def row_of(run: Run, label: str, named: tuple[str, str], subject: str, cell: dict[str, Any] | None) -> Row:
    """Return the row of one cell."""
    workload, name = named
    base: Row = {
        "noun": noun(workload),
        "band": name,
        "workload": workload,
        "subject": title(subject),
    }
    if cell is None or cell["void"] is not None or cell["ratio"] is None:
        note = gap(run, label, workload, subject) if cell is None else too_short(cell)
        blank = dict.fromkeys(("ratio", "low", "high", "interval", "ns", "low_ns", "high_ns", "verdict", "processes"))
        return base | blank | {"margin": run.margin(label), "note": note}
    low, high, kind = bounds(cell)
    own = run.cell(label, workload, run.reference)
    unit = own["ns_net"] if own is not None else None
    scaled = [None if bound is None or unit is None else number(bound * unit) for bound in (low, high)]
    return base | {
        "ratio": number(cell["ratio"]),
        "low": number(low),
        "high": number(high),
        "interval": kind,
        "ns": number(cell["ns_net"]),
        "low_ns": scaled[0],
        "high_ns": scaled[1],
        "verdict": cell["verdict"],
        "processes": cell["processes"],
        "margin": run.margin(label),
        "note": None,
    }


TOOLTIP = [
    alt.Tooltip("band:N", title="call"),
    alt.Tooltip("workload:N"),
    alt.Tooltip("subject:N", title="approach"),
    alt.Tooltip("ratio:Q", title="ratio to reference", format=".4~g"),
    alt.Tooltip("low:Q", title="from", format=".4~g"),
    alt.Tooltip("high:Q", title="to", format=".4~g"),
    alt.Tooltip("interval:N", title="95 % interval"),
    alt.Tooltip("ns:Q", title="ns per call", format=",.4~g"),
    alt.Tooltip("verdict:N"),
    alt.Tooltip("processes:Q"),
]


def ratios(runs: Sequence[Run]) -> Figure:
    """Draw the ratios of all approaches at all workloads of the short table, one noun at a time."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "calls",
        "section": "calls",
        "title": "Time per call, relative to the reference",
        "how": HOW,
        "raw": RAW,
    }
    if not any(row["ratio"] is not None for row in rows):
        return Figure(**frame, says="", reason="No workload of the short table was measured.")
    look = Look(runs, [title(name) for name in BESIDE])
    bands = Bands(look)
    x = alt.X(
        "ratio:Q", scale=alt.Scale(**LOG), axis=ratio_log(f"time relative to {runs[0].reference} (log; left is faster)")
    )
    place = {"y": bands.y(), "yOffset": bands.slot()}
    margin = (
        alt.Chart()
        .transform_aggregate(margin="max(margin)")
        .transform_calculate(least="1 / (1 + datum.margin)", most="1 + datum.margin")
        .mark_rect(color=GREY, opacity=0.2)
        .encode(x=alt.X("least:Q"), x2="most:Q", tooltip=[alt.Tooltip("margin:Q", title="margin", format=".1%")])
    )
    drawn = alt.Chart().transform_filter("datum.ratio !== null")
    spans = (
        drawn.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=2)
        .encode(x=alt.X("low:Q"), x2="high:Q", color=look.colour(), tooltip=TOOLTIP, **place)
    )
    points = drawn.mark_point(filled=True, size=38, opacity=1).encode(
        x=x, color=look.colour(), shape=look.shape(), tooltip=TOOLTIP, **place
    )
    one = alt.Chart().mark_rule(color=GREY, strokeDash=[3, 3]).encode(x=alt.datum(1))
    chart = alt.layer(margin, one, *bands.headings(), spans, points, bands.absent("ratio"))
    return Figure(
        **frame,
        says=says(runs) + doubts(runs),
        spec=specification(chart, "Dot plot: ratio of times per call to the reference, with intervals.", bands.height),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "noun", "Kind of call")],
    )


def says(runs: Sequence[Run]) -> str:
    """Return the median ratio of each binding and the largest ratio, on the first interpreter of the first run."""
    run = runs[0]
    label = run.labels[0]
    parts = []
    worst: tuple[float, str, str] = (0.0, "", "")
    counts: Counter[str] = Counter()
    for subject in run.bindings:
        if subject == run.reference:
            continue
        found = {}
        for workload, name in headline(run).items():
            cell = run.cell(label, workload, subject)
            if cell is not None and cell["void"] is None and cell["ratio"] is not None:
                found[name] = cell["ratio"]
                counts[cell["verdict"]] += 1
        if found:
            parts.append(f"{subject} {ratio(median(found.values()))}")
            worst = max(worst, *((value, subject, name) for name, value in found.items()))
    if not parts:
        return ""
    return (
        f"On {label}, the median ratio to {run.reference} over the calls of the short table: {listing(parts)}. "
        f"The largest is {ratio(worst[0])}, of {worst[1]} at “{worst[2]}”."
    )


def times(runs: Sequence[Run]) -> Figure:
    """Draw the nanoseconds per call of all approaches at one workload."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "times",
        "section": "calls",
        "title": "Nanoseconds per call, one call at a time",
        "how": HOW
        + " A bar is the median over processes of ns per call, without the empty loop. Its interval is that of the "
        "ratio multiplied by the reference's time: it compares approaches, and leaves out how fast the machine was.",
        "raw": RAW,
    }
    if not any(row["ns"] is not None for row in rows):
        return Figure(**frame, says="", reason="No workload of the short table was measured.")
    look = Look(runs, [title(name) for name in BESIDE])
    y = {"y": alt.Y("subject:N", sort=look.titles, axis=None, scale=alt.Scale(paddingInner=0.1, paddingOuter=0.1))}
    low = {"y": alt.Y("subject:N", sort=look.titles, axis=None, bandPosition=0.75)}
    drawn = alt.Chart().transform_filter("datum.ns !== null")
    x = alt.X(
        "low_ns:Q",
        axis=alt.Axis(title="time per call", labelExpr=axes.ns("datum.value", ".6"), tickCount=5),
        scale=alt.Scale(zero=True),
    )
    bars = (
        drawn.transform_calculate(zero="0")
        .mark_rule(strokeWidth=11, opacity=0.75)
        .encode(x="zero:Q", x2="ns:Q", color=look.colour(legend=False), tooltip=TOOLTIP, **low)
    )
    spans = (
        drawn.transform_filter("datum.low_ns !== null && datum.low_ns < datum.high_ns")
        .mark_rule(strokeWidth=2, color=INK)
        .encode(x=x, x2="high_ns:Q", tooltip=TOOLTIP, **low)
    )
    told = (
        alt.Chart()
        .transform_calculate(
            amount=f"datum.ns === null ? datum.note : {axes.ns('datum.ns', '.4')}",
            span="datum.low_ns === null || datum.low_ns === datum.high_ns ? '' : "
            f"' (' + {axes.ns('datum.low_ns', '.4')} + ' to ' + {axes.ns('datum.high_ns', '.4')} + ')'",
            label="datum.subject + ': ' + datum.amount + datum.span",
        )
        .mark_text(align="left", baseline="middle", dx=2)
        .encode(x=alt.value(0), y=y["y"].copy(), text="label:N")
    )
    told.encoding.y.bandPosition = 0.25
    chart = alt.layer(bars, spans, told)
    return Figure(
        **frame,
        says=said(rows) + doubts(runs),
        spec=specification(chart, "Bar chart: ns per call of each approach, with intervals.", alt.Step(34)),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "band", "Call")],
    )


def said(rows: Sequence[Row]) -> str:
    """Describe the bars that are drawn first in words."""
    keys = ("machine", "interpreter", "band")
    first = next(row for row in rows if row["ns"] is not None)
    own = [row for row in rows if all(row.get(key) == first.get(key) for key in keys)]
    told = [f"{row['subject']} {ns(row['ns'])}" for row in own if isinstance(row["ns"], float)]
    return f"“{first['band']}” on {first['interpreter']}: {listing(told)}."
