# SPDX-License-Identifier: Apache-2.0
"""Draws the controls of a run, whose true ratios are known, and the run's checks of itself."""

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
from cside_suite.subjects.names import DELAY, DELAY_TOLERANCE, DELAYED, RELINKED, TWIN, twin_of, twinned

from cside_bench.report.page.charts.amounts import listing, percent
from cside_bench.report.page.charts.axes import CHANGE
from cside_bench.report.page.charts.figure import Figure, Row, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import COLOURS, GREY, INK, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run

RAW: Final = ["blocks/*.json"]
HOW: Final = (
    "The twin is the reference's package, loaded a second time from a copy of its files: its true ratio is 1, and any "
    "difference is noise or an effect of memory layout. The twin of another binding is the same of that one, at the "
    "workloads of the short table. The relinked control is the reference with its code at other addresses, in a layout "
    "that each process draws. The delayed control is the twin made 5 % slower on purpose. A dot is one workload: the "
    "geometric mean over processes of the paired ratio to the reference, to the twin's own binding or, for the delayed "
    "control, to the twin. The grey band is the margin: the band that contains 95 % of the ratios of the relinked "
    "control, or 3 % if that is more. Ticks are the true ratios."
)
CHECKED: Final = (
    "Each check gives one number per process; the line is Student's 95 % interval over processes. A check fails if its "
    "whole interval is beyond its limit, the grey band. For the delayed control, the distance from +5 % is drawn."
)


def controls_of(runs: Sequence[Run]) -> list[str]:
    """Return the controls in their order: the reference's twin, those of other bindings, the relinked, the delayed."""
    names = {twin_of(name) for run in runs for name in run.bindings}
    measured = {f"{it['binding']}.{it['variant']}" for run in runs for it in run.summary["cells"] if it["variant"]}
    return [TWIN, *sorted(names & measured), RELINKED, DELAYED]


def compared_with(subject: str) -> str | None:
    """Return the subject whose ratio a control's is divided by; None for the reference, whose ratio is 1."""
    return TWIN if subject == DELAYED else twinned(subject)


def strip_rows(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, control and workload; ``change`` is the ratio minus one."""
    found: list[Row] = []
    for run, label, where in places(runs):
        for subject in controls_of(runs):
            for workload in run.workloads(label):
                cell = run.cell(label, workload, subject)
                if cell is None or cell["void"] is not None or cell["ratio"] is None:
                    continue
                base = compared_with(subject)
                other = run.cell(label, workload, base) if base is not None else None
                if base is not None and (other is None or other["void"] is not None or not other["ratio"]):
                    continue
                ratio = cell["ratio"] / other["ratio"] if other is not None else cell["ratio"]
                found.append(
                    where
                    | {"control": title(subject), "workload": workload, "change": number(ratio - 1)}
                    | {"expected": DELAY if subject == DELAYED else 0.0, "margin": run.margin(label)}
                    | {"processes": cell["processes"]}
                )
    return found


def strips(runs: Sequence[Run]) -> Figure:
    """Draw a dot per workload for each control."""
    rows = strip_rows(runs)
    frame: dict[str, Any] = {
        "name": "controls",
        "section": "trust",
        "title": "Code that is known to be equal, and code known to be 5 % slower",
        "how": HOW,
        "raw": RAW,
    }
    if not rows:
        return Figure(**frame, says="", reason="No controls were measured in this run.")
    subjects = controls_of(runs)
    names = [title(subject) for subject in subjects]
    kind = alt.Scale(domain=names, range=[COLOURS[at % len(COLOURS)] for at in range(len(names))])
    shapes = {RELINKED: "square", DELAYED: "triangle-up"}
    marks = alt.Scale(domain=names, range=[shapes.get(subject, "circle") for subject in subjects])
    y = alt.Y("control:N", sort=names, axis=None, scale=alt.Scale(paddingInner=0.1))
    x = alt.X(
        "drawn:Q",
        scale=alt.Scale(nice=True),
        axis=alt.Axis(title="change of time against equal code", labelExpr=CHANGE, tickCount=8, labelOverlap="greedy"),
    )
    tooltip = [
        alt.Tooltip("control:N"),
        alt.Tooltip("workload:N"),
        alt.Tooltip("change:Q", title="measured", format="+.2%"),
        alt.Tooltip("expected:Q", title="true", format="+.0%"),
        alt.Tooltip("processes:Q"),
    ]
    band = (
        alt.Chart()
        .transform_aggregate(margin="max(margin)")
        .transform_calculate(least="1 / (1 + datum.margin) - 1")
        .mark_rect(color=GREY, opacity=0.2)
        .encode(x="least:Q", x2="margin:Q", tooltip=[alt.Tooltip("margin:Q", format=".1%")])
    )
    dots = (
        alt.Chart()
        .transform_window(place="row_number()", groupby=["control"])
        .transform_calculate(lane="20 + (datum.place * 7) % 29", drawn="clamp(datum.change, -0.2, 0.2)")
        .mark_point(filled=True, size=26, opacity=0.85)
        .encode(
            x=x,
            y=y,
            yOffset=alt.YOffset("lane:Q", scale=alt.Scale(domain=[0, 60], range=[0, 60])),
            color=alt.Color("control:N", scale=kind, legend=None),
            shape=alt.Shape("control:N", scale=marks, legend=None),
            tooltip=tooltip,
        )
    )
    top = alt.Y("control:N", sort=names, axis=None, bandPosition=0)
    once = alt.Chart().transform_aggregate(
        number="count()", expected="max(expected)", typical="median(change)", groupby=["control"]
    )
    ticks = once.mark_rule(strokeWidth=2, color=INK).encode(
        x="expected:Q",
        y=alt.Y("control:N", sort=names, axis=None, bandPosition=0.28),
        y2=alt.Y2("control:N", bandPosition=0.95),
    )
    told = (
        once.transform_calculate(
            label="datum.control + ': ' + datum.number + ' workloads, median ' + format(datum.typical, '+.2%')"
        )
        .mark_text(align="left", baseline="top", dx=2, dy=1, fontSize=11, fontWeight="bold")
        .encode(x=alt.value(0), y=top, text="label:N")
    )
    return Figure(
        **frame,
        says=strips_say(rows) + doubts(runs),
        spec=specification(
            alt.layer(band, ticks, dots, told), "Strip plot: ratios of control cells, one dot a workload.", alt.Step(66)
        ),
        rows=rows,
        controls=whereabouts(runs, rows),
    )


def strips_say(rows: Sequence[Row]) -> str:
    """Return, by control, how many cells are within the margin of the truth, on the first interpreter."""
    own = [row for row in rows if all(row.get(key) == rows[0].get(key) for key in ("machine", "interpreter"))]
    told = []
    for name in dict.fromkeys(str(row["control"]) for row in own):
        mine = [row for row in own if row["control"] == name]
        margin = float(str(mine[0]["margin"]))
        near = sum(abs(float(str(row["change"])) - float(str(row["expected"]))) <= margin for row in mine)
        told.append(f"{name} {near} of {len(mine)}")
    limit = percent(float(str(own[0]["margin"])), 1)
    where = rows[0]["interpreter"]
    return f"Workloads on {where} whose ratio is within the margin, {limit}, of the true one: {listing(told)}."


def check_rows(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter and check of the run on itself; values are shares of one."""
    found: list[Row] = []
    for run, label, where in places(runs):
        entry = next(it for it in run.summary["interpreters"] if it["label"] == label)
        for check in entry["checks"]:
            truth = DELAY if check["name"] == DELAYED else 0.0
            limit = DELAY_TOLERANCE if check["name"] == DELAYED else check["limit"]
            found.append(
                where
                | {"check": check["name"], "decides": bool(check["decides"])}
                | {name: check[name] for name in ("estimate", "low", "high")}
                | {"expected": truth, "limit": limit}
                | {"passed": {True: "passed", False: "FAILED", None: "informs"}[check["passed"]], "says": check["says"]}
            )
    return found


def checks(runs: Sequence[Run]) -> Figure:
    """Draw the pooled checks with their intervals and limits."""
    rows = check_rows(runs)
    frame: dict[str, Any] = {
        "name": "checks",
        "section": "trust",
        "title": "The run's checks of itself",
        "how": CHECKED,
        "raw": RAW,
    }
    if not any(row["estimate"] is not None for row in rows):
        return Figure(**frame, says="", reason="This tier measures too few processes for the run to check itself.")
    y = alt.Y("check:N", sort=None, axis=None, scale=alt.Scale(paddingInner=0.1))
    low = alt.Y("check:N", sort=None, axis=None, bandPosition=0.72)
    top = alt.Y("check:N", sort=None, axis=None, bandPosition=0.28)
    deciding = alt.Scale(domain=["passed", "FAILED", "informs"], range=["circle", "cross", "square"])
    colours = alt.Scale(domain=["passed", "FAILED", "informs"], range=[COLOURS[0], COLOURS[1], GREY])
    tooltip = [
        alt.Tooltip("check:N"),
        alt.Tooltip("estimate:Q", format="+.2%"),
        alt.Tooltip("low:Q", title="from", format="+.2%"),
        alt.Tooltip("high:Q", title="to", format="+.2%"),
        alt.Tooltip("limit:Q", format=".0%"),
        alt.Tooltip("passed:N", title="outcome"),
    ]
    base = (
        alt.Chart()
        .transform_filter("datum.limit !== null")
        .transform_calculate(
            off="clamp(datum.estimate - datum.expected, -0.05, 0.05)",
            least="clamp(datum.low - datum.expected, -0.05, 0.05)",
            most="clamp(datum.high - datum.expected, -0.05, 0.05)",
            below="-datum.limit",
            label="datum.check + ' (' + datum.passed + '): ' + (datum.estimate === null ? 'not measured' : "
            "format(datum.estimate, '+.2%') + ' (' + format(datum.low, '+.2%') + ' to ' + format(datum.high, '+.2%') "
            "+ ')')",
        )
    )
    known = base.transform_filter("datum.estimate !== null")
    x = alt.X(
        "off:Q",
        axis=alt.Axis(title="distance from the true value", labelExpr=CHANGE, tickCount=6, labelOverlap="greedy"),
        scale=alt.Scale(nice=False, padding=10),
    )
    band = base.mark_bar(color=GREY, opacity=0.2).encode(x="below:Q", x2="limit:Q", y=y)
    zero = alt.Chart().mark_rule(color=GREY, strokeDash=[3, 3]).encode(x=alt.datum(0))
    spans = known.mark_rule(strokeWidth=2.5).encode(
        x="least:Q", x2="most:Q", y=low, color=alt.Color("passed:N", scale=colours, legend=None), tooltip=tooltip
    )
    dots = known.mark_point(filled=True, size=60, opacity=1).encode(
        x=x,
        y=low,
        color=alt.Color("passed:N", scale=colours, legend=None),
        shape=alt.Shape("passed:N", scale=deciding, legend=None),
        tooltip=tooltip,
    )
    told = base.mark_text(align="left", dx=4, fontSize=11).encode(
        x=alt.value(0), y=top, text="label:N", tooltip=tooltip
    )
    return Figure(
        **frame,
        says=checks_say(runs),
        spec=specification(
            alt.layer(band, zero, spans, dots, told), "Interval plot: checks of the run on itself.", alt.Step(40)
        ),
        rows=rows,
        controls=whereabouts(runs, rows),
    )


def checks_say(runs: Sequence[Run]) -> str:
    """Return the trust in each interpreter, with the failed checks."""
    told = []
    for run, label, _ in places(runs):
        entry = next(it for it in run.summary["interpreters"] if it["label"] == label)
        lost = [it["name"] for it in entry["checks"] if it["decides"] and not it["passed"]]
        where = f"{label} on {run.machine}" if len(runs) > 1 else label
        state = {True: "trustworthy", False: f"not trustworthy ({listing(lost)})", None: "not judged"}
        told.append(f"{where}: {state[run.trusted(label)]}")
    return f"{'; '.join(told)}. The rows include the drift of the machine, which pairing removes."
