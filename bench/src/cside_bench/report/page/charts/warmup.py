# SPDX-License-Identifier: Apache-2.0
"""Draws the times from the first call to the steady state, on interpreters with a just-in-time compiler."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import altair as alt

from cside_bench.report.page.charts.amounts import listing, ns
from cside_bench.report.page.charts.axes import LOG, ns_log
from cside_bench.report.page.charts.calls import headline
from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import INK, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run

HEIGHT: Final = 400
COLUMNS: Final = ("kind", "subject", "process", "elapsed_ns", "ns", "low_ns", "high_ns", "says")
HOW: Final = (
    "The compiler's thresholds are its defaults, and every chunk is kept from the first call on. The thick line is the "
    "median over processes at each number of calls, the thin lines are single processes (shifts of less than 10 % are "
    "left out). Ticks are changepoints of the median series (PELT, penalty 15 log n, outliers excluded). A diamond is "
    "the start of the steady state, with an interval from resampled processes if there are enough. Levels within 10 % "
    "count as one. During warm-up the calls of one approach run back to back and are not interleaved, so that only the "
    "other processes show whether the machine was slow for a while. Afterwards, calls alternate with those of all "
    "other approaches."
)


def single(found: dict[str, Any]) -> Iterator[Row]:
    """Yield a cell's rows of single processes: their lines, and the changepoints of their median."""
    for place, points in enumerate(found["lines"]):
        for elapsed, value in points:
            yield {"kind": "process", "process": place, "elapsed_ns": number(elapsed), "ns": number(value)}
    for change in found["changes"]:
        yield {
            "kind": "change",
            "elapsed_ns": number(change["elapsed_ns"]),
            "ns": number(change["after_ns"]),
            "says": f"from {ns(change['before_ns'])} to {ns(change['after_ns'])} a call",
        }


def judged(cell: dict[str, Any]) -> Iterator[Row]:
    """Yield a cell's rows from the summary: the median line and the steady state."""
    for elapsed, value in cell["curve"]:
        yield {"kind": "median", "elapsed_ns": number(elapsed), "ns": number(value)}
    at, level = cell["steady_after_ns"], cell["steady_ns"]["value"]
    said = cell["classification"]
    if at["value"]:
        said += f" from {ns(at['value'])} on"
    yield {
        "kind": "steady",
        "elapsed_ns": number(at["value"]) if at["value"] else None,
        "ns": number(level) if level is not None and level > 0 else None,
        "low_ns": number(at["low"]) if at["low"] else None,
        "high_ns": number(at["high"]),
        "says": said,
    }


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return rows of four kinds: ``median`` and ``process`` (points of a line), ``change`` and ``steady`` (marks)."""
    found: list[Row] = []
    names = {workload: name for run in runs for workload, name in headline(run).items()}
    order = {workload: place for place, workload in enumerate(names)}
    for run, label, where in places(runs):
        section = next((it for it in run.summary["steady"] or [] if it["label"] == label), None)
        if section is None:
            continue
        cells = {(it["workload"], it["subject"]): it for it in section["cells"]}
        workloads = sorted({workload for workload, _ in cells}, key=lambda it: order.get(it, len(order)))
        known = run.figures(label).get("warmup", {})
        for workload in workloads:
            for subject in run.bindings:
                cell = cells.get((workload, subject))
                if cell is None:
                    continue
                base = where | {"call": names.get(workload, workload), "workload": workload} | dict.fromkeys(COLUMNS)
                own = known.get(workload, {}).get(subject)
                for row in (*judged(cell), *(single(own) if own else ())):
                    found.append(base | {"subject": title(subject)} | row)
    return [row for row in found if row["kind"] == "steady" or (isinstance(row["ns"], float) and row["ns"] > 0)]


def curves(runs: Sequence[Run]) -> Figure:
    """Draw ns per call against the time spent, one call at a time."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "warmup",
        "section": "warmup",
        "title": "From the first call to the steady state",
        "how": HOW,
        "raw": ["blocks/*.json"],
    }
    if not rows:
        reason = "No interpreter of this run has a just-in-time compiler, so that there is no warm-up to show."
        return Figure(**frame, says="", reason=reason)
    look = Look(runs)
    x = alt.X("elapsed_ns:Q", scale=alt.Scale(**LOG), axis=ns_log("time spent in this call so far (log)"))
    y = alt.Y("ns:Q", scale=alt.Scale(**LOG), axis=ns_log("time per call (log)"))
    colour, dash = look.colour(), look.dash()
    tooltip = [
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("elapsed_ns:Q", title="after ns", format=",.3~s"),
        alt.Tooltip("ns:Q", title="ns per call", format=",.4~g"),
    ]
    marked = [*tooltip, alt.Tooltip("says:N", title="found")]

    def of(kind: str) -> alt.Chart:
        return alt.Chart().transform_filter(f"datum.kind == '{kind}'")

    thin = of("process").mark_line(strokeWidth=0.7, opacity=0.35)
    thin = thin.encode(x=x, y=y, color=colour, detail="process:N", order="elapsed_ns:Q")
    thick = of("median").mark_line(strokeWidth=2)
    thick = thick.encode(x=x, y=y, color=colour, strokeDash=dash, order="elapsed_ns:Q", tooltip=tooltip)
    ticks = of("change").mark_point(shape="stroke", angle=90, size=130, strokeWidth=2, opacity=1)
    ticks = ticks.encode(x=x, y=y, color=colour, tooltip=marked)
    reached = of("steady").transform_filter("datum.elapsed_ns !== null && datum.ns !== null")
    spans = reached.transform_filter("datum.low_ns !== null && datum.high_ns !== null").mark_rule(strokeWidth=1.5)
    spans = spans.encode(x=alt.X("low_ns:Q"), x2="high_ns:Q", y=y, color=colour, tooltip=marked)
    diamonds = reached.mark_point(shape="diamond", size=110, filled=False, strokeWidth=1.8, opacity=1, stroke=INK)
    diamonds = diamonds.encode(x=x, y=y, tooltip=marked)
    starts = (
        of("median").transform_window(place="row_number()", groupby=["subject"]).transform_filter("datum.place == 1")
    )
    shapes = starts.mark_point(filled=True, size=44, opacity=1)
    shapes = shapes.encode(x=x, y=y, color=colour, shape=look.shape(), tooltip=tooltip)
    told = [
        of("steady")
        .transform_filter(f"datum.subject == '{name}'")
        .transform_calculate(label="datum.subject + ': ' + datum.says")
        .mark_text(align="left", baseline="bottom", fontSize=10)
        .encode(
            x=alt.value(4),
            y=alt.value(HEIGHT - 4 - 13 * (len(look.titles) - 1 - place)),
            text="label:N",
            tooltip=marked,
        )
        for place, name in enumerate(look.titles)
    ]
    chart = alt.layer(thin, thick, ticks, spans, diamonds, shapes, *told)
    return Figure(
        **frame,
        says=says(runs) + doubts(runs),
        spec=specification(chart, "Line chart: time per call from the first call on, both axes logarithmic.", HEIGHT),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "call", "Call")],
    )


def says(runs: Sequence[Run]) -> str:
    """Return the number of cells in each class, on the first interpreter that has any."""
    section = next(entry for run in runs for entry in run.summary["steady"] or [])
    counts = Counter(cell["classification"] for cell in section["cells"])
    told = listing([f"{count} {kind}" for kind, count in counts.most_common()])
    late = max(
        (cell for cell in section["cells"] if cell["steady_after_ns"]["value"]),
        key=lambda cell: float(cell["steady_after_ns"]["value"]),
        default=None,
    )
    words = f"{section['label']}: of {len(section['cells'])} combinations of approach and call, {told}."
    if late is not None:
        words += (
            f" {late['subject']} reaches the steady state last, at {late['workload']} after "
            f"{ns(late['steady_after_ns']['value'])} of calls."
        )
    return words
