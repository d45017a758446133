# SPDX-License-Identifier: Apache-2.0
"""Draws the costs of approaches beside time per call, and the speed of approaches against these costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import altair as alt

from cside_bench.report.costs import code_lines, smaller
from cside_bench.report.page.charts.amounts import listing, ratio
from cside_bench.report.page.charts.axes import LOG, ratio_log
from cside_bench.report.page.charts.bands import Bands
from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import GREY, INK, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run
from cside_bench.results.starts import TOGETHER

RAW: Final = ["costs.json", "cold/*.json"]
HOW: Final = (
    "Lines are lines of code, without comments and documentation. The time of a build is CPU time, for a clean build "
    "and for a rebuild after an edit of one file, on one interpreter. Imports, memory and first calls are measured in "
    "new processes that have imported nothing before. The value is the median over processes, and the thin line is the "
    "range from the least to the most, which is no confidence interval. Every panel has its own scale: the longest bar "
    "is the largest value."
)
WITH_BINDING: Final = "measured with its binding"
NOT_MEASURED: Final = "not measured"


@dataclass(frozen=True, slots=True)
class Cost:
    """A kind of cost."""

    name: str
    """The name with its unit."""
    divide: float
    """Divisor that converts the summary's unit to this unit."""


LINES: Final = Cost("lines of code by hand", 1)
GENERATED: Final = Cost("lines of code from headers", 1)
BUILD: Final = Cost("build from nothing, CPU s", 1)
REBUILD: Final = Cost("build after an edit, CPU s", 1)
WHEEL: Final = Cost("wheel, KiB", 1024)
IMPORT: Final = Cost("import of everything, CPU ms", 1e6)
MEMORY: Final = Cost("private memory after import, KiB", 1024)
FIRST: Final = Cost("first call of a no-op, µs", 1e3)
COSTS: Final = (LINES, GENERATED, BUILD, REBUILD, WHEEL, IMPORT, MEMORY, FIRST)

Spread = tuple[float, float, float]
"""Median, least and most."""


def spread(found: Mapping[str, Any] | None) -> Spread | None:
    """Return median, least and most of an object of the summary; None for None."""
    return None if found is None else (found["median"], found["low"], found["high"])


def static(binding: Mapping[str, Any], label: str) -> dict[Cost, Spread | None]:
    """Return the costs of lines, builds and wheels."""
    lines, generated = (code_lines(binding, origin) for origin in ("written", "generated"))
    wheel = next((it for it in binding["wheels"] or [] if it["interpreter"] == label), None)
    nbytes = wheel["wheel_bytes"] if wheel is not None else None
    return {
        LINES: None if lines is None else (lines, lines, lines),
        GENERATED: None if generated is None else (generated, generated, generated),
        BUILD: spread(binding["clean_build_cpu_s"]),
        REBUILD: spread(binding["rebuild_cpu_s"]),
        WHEEL: None if nbytes is None else (nbytes, nbytes, nbytes),
    }


def cold(entry: Mapping[str, Any]) -> dict[Cost, Spread | None]:
    """Return the costs of a start."""
    return {
        IMPORT: spread(entry["import_cpu_ns"].get(TOGETHER)),
        MEMORY: spread(entry["grown_private_bytes"].get(TOGETHER)),
        FIRST: spread(entry["first_call_ns"].get("idioms.noop")),
    }


def known(run: Run, label: str) -> dict[str, dict[Cost, Spread | None]]:
    """Return the costs of each whole binding on an interpreter."""
    section = run.summary["costs"]
    if not section:
        return {}
    own = {it["binding"]: static(it, label) for it in section["bindings"]}
    started = {it["subject"]: cold(it) for it in section["cold"] if it["interpreter"] == label}
    return {name: own.get(name, {}) | started.get(name, {}) for name in run.bindings}


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, cost and binding."""
    found: list[Row] = []
    for run, label, where in places(runs):
        costs = known(run, label)
        for cost in COSTS:
            values = {name: own.get(cost) for name, own in costs.items()}
            largest = max((it[2] for it in values.values() if it is not None), default=0.0)
            if not any(it is not None for it in values.values()):
                continue
            for name, value in values.items():
                row: Row = {"band": cost.name, "subject": title(name), "value": None, "low": None, "high": None}
                row |= {"share": None, "share_low": None, "share_high": None, "note": None}
                if value is None:
                    part = "." in name and cost in (LINES, GENERATED, BUILD, REBUILD, WHEEL)
                    row["note"] = WITH_BINDING if part else NOT_MEASURED
                else:
                    names = ("value", "low", "high")
                    row |= {key: number(it / cost.divide) for key, it in zip(names, value, strict=True)}
                    shares = ("share", "share_low", "share_high")
                    row |= {key: number(it / (largest or 1)) for key, it in zip(shares, value, strict=True)}
                found.append(where | row)
    return found


def panels(runs: Sequence[Run]) -> Figure:
    """Draw a panel per cost with a bar per binding."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "costs",
        "section": "costs",
        "title": "Costs beside speed",
        "how": HOW,
        "raw": RAW,
    }
    if not rows:
        return Figure(**frame, says="", reason="Costs beside speed were not measured in this run.")
    look = Look(runs)
    bands = Bands(look, step=13)
    place = {"y": bands.y(), "yOffset": bands.slot()}
    x = alt.X("zero:Q", scale=alt.Scale(domain=[0, 1.45]), axis=None)
    tooltip = [
        alt.Tooltip("band:N", title="cost"),
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("value:Q", format=",.4~g"),
        alt.Tooltip("low:Q", title="least", format=",.4~g"),
        alt.Tooltip("high:Q", title="most", format=",.4~g"),
    ]
    base = alt.Chart().transform_filter("datum.value !== null").transform_calculate(zero="0")
    bars = base.mark_rule(strokeWidth=9, opacity=0.8).encode(
        x=x, x2="share:Q", color=look.colour(legend=False), tooltip=tooltip, **place
    )
    ranges = base.transform_filter("datum.low < datum.high").mark_rule(strokeWidth=1.5, color=INK)
    ranges = ranges.encode(x="share_low:Q", x2="share_high:Q", tooltip=tooltip, **place)
    told = (
        base.transform_calculate(
            label="datum.subject + '  ' + format(datum.value, datum.value >= 1000 ? ',.0f' : '.3~r')",
            end="max(datum.share, datum.share_high)",
        )
        .mark_text(align="left", baseline="middle", dx=5, fontSize=10)
        .encode(x="end:Q", text="label:N", tooltip=tooltip, **place)
    )
    return Figure(
        **frame,
        says=" ".join([says(rows, runs[0].reference), *without(runs), "This figure does not show speed."]),
        spec=specification(
            alt.layer(*bands.headings(), bars, ranges, told, bands.absent("value")),
            "Bars: costs of each approach, a panel for each cost with a scale of its own.",
            bands.height,
        ),
        rows=rows,
        controls=whereabouts(runs, rows),
    )


def without(runs: Sequence[Run]) -> list[str]:
    """Return sentences on the bindings of the runs that leave out nouns, each once."""
    return list(dict.fromkeys(it for run in runs for it in smaller((run.summary["costs"] or {}).get("bindings", []))))


def says(rows: Sequence[Row], reference: str) -> str:
    """Return the least and the most of three costs on the first interpreter."""
    own = [row for row in rows if all(row.get(key) == rows[0].get(key) for key in ("machine", "interpreter"))]
    told = []
    for cost in (LINES, WHEEL, IMPORT):
        values = {str(row["subject"]): row["value"] for row in own if row["band"] == cost.name}
        there = {name: value for name, value in values.items() if isinstance(value, float)}
        if len(there) > 1:
            least, most = min(there, key=lambda name: there[name]), max(there, key=lambda name: there[name])
            told.append(f"{cost.name}: {there[least]:,.4g} ({least}) to {there[most]:,.4g} ({most})")
    return f"On {rows[0]['interpreter']}, {'; '.join(told)}." if told else f"Costs of {reference} and others."


SPEED: Final = "time relative to the reference"
MEAN: Final = (
    "Speed is the geometric mean of the ratio to the reference within each process, over the workloads of the short "
    "table that all approaches have, without the import. Its interval is Student's 95 % interval over processes, for "
    "this figure alone. All workloads have equal weight here; the recommendations weight them by use. "
)


def speeds(run: Run, label: str) -> dict[str, tuple[float, float | None, float | None, int]]:
    """Return, for each whole binding, the mean ratio with its bounds and the number of workloads."""
    found = run.figures(label).get("speed", {})
    return {
        name: (its["value"], its["low"], its["high"], found["workloads"])
        for name, its in found.get("bindings", {}).items()
    }


def worth_rows(runs: Sequence[Run]) -> list[Row]:
    """Return one row per interpreter, cost and binding, if both the cost and the speed are known."""
    found: list[Row] = []
    for run, label, where in places(runs):
        fast = speeds(run, label)
        for name, costs in known(run, label).items():
            for cost in (LINES, BUILD, WHEEL, IMPORT, MEMORY):
                value = costs.get(cost)
                if value is None or name not in fast:
                    continue
                mean, low, high, workloads = fast[name]
                found.append(
                    where
                    | {"cost": cost.name, "subject": title(name), "value": number(value[0] / cost.divide)}
                    | {"ratio": number(mean), "low": number(low), "high": number(high), "workloads": workloads}
                )
    order = [cost.name for cost in COSTS]
    return sorted(found, key=lambda row: order.index(str(row["cost"])))


def worth(runs: Sequence[Run]) -> Figure:
    """Draw speed against one cost at a time."""
    rows = worth_rows(runs)
    frame: dict[str, Any] = {
        "name": "worth",
        "section": "costs",
        "title": "Speed against cost",
        "how": MEAN + HOW,
        "raw": ["blocks/*.json", *RAW],
    }
    if not rows:
        return Figure(**frame, says="", reason="This run has not measured both speed and costs.")
    look = Look(runs)
    x = alt.X("value:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title="the cost chosen above", tickCount=5))
    y = alt.Y("ratio:Q", scale=alt.Scale(**(LOG | {"padding": 20})), axis=ratio_log(f"{SPEED} (log; low is faster)"))
    tooltip = [
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("cost:N"),
        alt.Tooltip("value:Q", format=",.4~g"),
        alt.Tooltip("ratio:Q", title="mean ratio", format=".4~g"),
        alt.Tooltip("low:Q", title="from", format=".4~g"),
        alt.Tooltip("high:Q", title="to", format=".4~g"),
        alt.Tooltip("workloads:Q"),
    ]
    base = alt.Chart()
    one = base.mark_rule(color=GREY, strokeDash=[3, 3]).encode(y=alt.datum(1))
    spans = base.mark_rule(strokeWidth=2).encode(
        x=x, y="low:Q", y2="high:Q", color=look.colour(legend=False), tooltip=tooltip
    )
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x, y=y, color=look.colour(legend=False), shape=look.shape(legend=False), tooltip=tooltip
    )
    middle = "datum.value > 0.6 * datum.most"
    measured = base.transform_joinaggregate(most="max(value)")
    left = measured.transform_filter(f"!({middle})").mark_text(align="left", baseline="bottom", dx=6, dy=-5)
    right = measured.transform_filter(middle).mark_text(align="right", baseline="bottom", dx=-6, dy=-5)
    told = [it.encode(x=x, y=y, text="subject:N", tooltip=tooltip) for it in (left, right)]
    return Figure(
        **frame,
        says=worth_says(runs) + doubts(runs),
        spec=specification(
            alt.layer(one, spans, dots, *told), "Scatter plot: mean ratio of times against a cost.", 330
        ),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "cost", "Cost")],
    )


def worth_says(runs: Sequence[Run]) -> str:
    """Return the mean ratios on the first interpreter."""
    run, label, _ = places(runs)[0]
    fast = speeds(run, label)
    if not fast:
        return ""
    workloads = next(iter(fast.values()))[3]
    told = [f"{name} {ratio(its[0])}" for name, its in fast.items() if name != run.reference]
    return f"Mean ratio to {run.reference} over {workloads} calls on {label}: {listing(told)}." if told else ""
