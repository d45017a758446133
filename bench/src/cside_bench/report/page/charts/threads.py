# SPDX-License-Identifier: Apache-2.0
"""Draws the speed-up of several threads over one, for short and long calls that hold or release the GIL."""

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
from cside_suite.subjects.thread_calls import LONG_CALLS

from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import GREY, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run

NATIVE: Final = "native"
BESIDE: Final = ("stdlib", NATIVE)
SHOWN_FIRST: Final = "idioms.spin_released[100000]"
"""The call that is shown first: a long call, for which releasing the GIL matters."""
PAIR: Final = 2
"""Number of threads that the caption describes."""
FINDINGS: Final = 3
"""Number of findings in the caption."""
SPREAD: Final = ("rate", "rate_low", "rate_high", "speed_up", "speed_up_low", "speed_up_high")
HOW: Final = (
    "Separate processes, not pinned to a CPU, call from one thread or several for a fixed time. The speed-up is the "
    "rate of all threads divided by that of one thread of the same approach in the same round. Its interval is "
    "Student's 95 % interval over {over}, for this point alone. Horizontal marks are the largest speed-up that the "
    "CPUs allow. Threads of C do the same work in a C loop, and show what the machine achieves. There are no verdicts."
)


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, call, subject and number of threads."""
    found: list[Row] = []
    for run, label, where in places(runs):
        section = run.summary["threads"]
        if not section:
            continue
        entry = next((it for it in section["interpreters"] if it["label"] == label), None)
        order = {name: place for place, name in enumerate((*run.bindings, *BESIDE))}
        cells = [it for it in section["cells"] if it["interpreter"] == label and it["subject"] in order]
        for cell in sorted(cells, key=lambda it: order[it["subject"]]):  # stable: calls keep their order below
            if cell["speed_up"] is None or entry is None:
                continue
            found.append(
                where
                | {"call": cell["call"], "subject": title(cell["subject"]), "gil": cell["gil"]}
                | {"threads": cell["threads"], "ideal": min(cell["threads"], entry["cpus"]), "cpus": entry["cpus"]}
                | {name: number(cell[name]) for name in SPREAD}
                | {"slowest_share": number(cell["share"]), "observations": cell["observations"]}
            )
    calls = {str(row["call"]): place for place, row in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda row: calls[str(row["call"])])  # stable: the first run comes first


def scaling(runs: Sequence[Run]) -> Figure:
    """Draw the speed-up against the number of threads, one call at a time."""
    rows = rows_of(runs)
    over = {it["over"] for run in runs if run.summary["threads"] for it in run.summary["threads"]["interpreters"]}
    frame: dict[str, Any] = {
        "name": "threads",
        "section": "threads",
        "title": "Speed-up over threads",
        "how": HOW.format(over=" or ".join(sorted(over)) or "processes"),
        "raw": ["threads/*.json"],
    }
    if not rows:
        return Figure(**frame, says="", reason="Threads were not measured in this run.")
    look = Look(runs, [title(name) for name in BESIDE])
    numbers = sorted({int(str(row["threads"])) for row in rows})
    x = alt.X(
        "threads:O",
        sort=numbers,
        axis=alt.Axis(title="threads", labelAngle=0),
        scale=alt.Scale(paddingInner=0.15, paddingOuter=0.1),
    )
    offset = alt.XOffset("subject:N", scale=alt.Scale(domain=look.titles))
    y = alt.Y(
        "speed_up:Q",
        axis=alt.Axis(title="times as fast as one thread", tickCount=6, grid=True),
        scale=alt.Scale(zero=True),
    )
    tooltip = [
        alt.Tooltip("call:N"),
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("gil:N", title="GIL"),
        alt.Tooltip("threads:O"),
        alt.Tooltip("speed_up:Q", title="speed-up", format=".3~g"),
        alt.Tooltip("speed_up_low:Q", title="from", format=".3~g"),
        alt.Tooltip("speed_up_high:Q", title="to", format=".3~g"),
        alt.Tooltip("rate:Q", title="calls a second", format=",.4~g"),
        alt.Tooltip("slowest_share:Q", title="slowest thread's share", format=".0%"),
    ]
    spans = (
        alt.Chart()
        .transform_filter("datum.speed_up_low !== null && datum.threads > 1")
        .transform_calculate(least="max(0, datum.speed_up_low)", most="min(datum.speed_up_high, 1.5 * datum.cpus + 1)")
        .mark_rule(strokeWidth=1.6)
        .encode(x=x, xOffset=offset, y=alt.Y("least:Q"), y2="most:Q", color=look.colour(), tooltip=tooltip)
    )
    points = (
        alt.Chart()
        .mark_point(filled=True, size=44, opacity=1)
        .encode(x=x, xOffset=offset, y=y, color=look.colour(), shape=look.shape(), tooltip=tooltip)
    )
    one = alt.Chart().mark_rule(color=GREY, strokeWidth=1).encode(y=alt.datum(1))
    ideal = (
        alt.Chart()
        .transform_aggregate(ideal="max(ideal)", groupby=["threads"])
        .mark_tick(orient="horizontal", thickness=1.5, color=GREY)
        .encode(
            x=x,
            y="ideal:Q",
            tooltip=[alt.Tooltip("threads:O"), alt.Tooltip("ideal:Q", title="limit of the CPUs")],
        )
    )
    named = (
        alt.Chart()
        .transform_aggregate(cpus="max(cpus)", ideal="max(ideal)", most="max(speed_up_high)", value="max(speed_up)")
        .transform_calculate(
            label="'horizontal marks: limit of ' + datum.cpus + ' CPUs'",
            top="1.12 * max(datum.ideal, datum.value, min(datum.most, 1.5 * datum.cpus + 1))",
        )
        .mark_text(align="left", baseline="middle", dx=4, fontSize=10)
        .encode(x=alt.value(0), y="top:Q", text="label:N")
    )
    return Figure(
        **frame,
        says=says(runs) + doubts(runs),
        spec=specification(
            alt.layer(one, ideal, spans, points, named), "Dot plot: speed-up over one thread by number of threads.", 320
        ),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "call", "Call", SHOWN_FIRST)],
    )


def says(runs: Sequence[Run]) -> str:
    """Return the speed-up of long calls that release the GIL in the first run, and findings of the summary."""
    run = next(run for run in runs if run.summary["threads"])
    section = run.summary["threads"]
    cpus = section["interpreters"][0]["cpus"]
    words = [f"The processes could use {cpus} CPU{'s' if cpus > 1 else ''}."]
    long = [
        cell["speed_up"]
        for cell in section["cells"]
        if cell["threads"] == PAIR
        and cell["gil"] == "released"
        and cell["subject"] in run.bindings
        and cell["speed_up"] is not None
        and any(part in cell["call"] for part in LONG_CALLS)
    ]
    if long and cpus >= PAIR:
        words.append(
            f"Long calls that release the GIL ran {min(long):.2g} to {max(long):.2g} times as fast on two threads as "
            "on one, over all approaches and interpreters."
        )
    if gaps := len({(it["subject"], it["call"]) for it in section["gaps"]}):
        words.append(f"{gaps} combinations of approach and call have no cell: the approach does not offer them.")
    found = [f"{entry['label']}: {it}" for entry in section["interpreters"] for it in entry["findings"]]
    words += found[:FINDINGS]
    if len(found) > FINDINGS:
        words.append(f"{len(found) - FINDINGS} more findings are in report.md.")
    return " ".join(words)
