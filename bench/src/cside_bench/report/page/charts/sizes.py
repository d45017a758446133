# SPDX-License-Identifier: Apache-2.0
"""Draws time against the size of the payload: measured points, the fitted model, its crossings and jumps."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import altair as alt
import numpy as np

from cside_bench.report.page.charts.amounts import nbytes, percent
from cside_bench.report.page.charts.axes import LOG, PERCENT, bytes_log, ns_log
from cside_bench.report.page.charts.calls import bounds
from cside_bench.report.page.charts.figure import Figure, Row, control, number, places, specification, whereabouts
from cside_bench.report.page.charts.palette import GREY, INK, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run

RAW: Final = ["blocks/*.json"]
FLOOR: Final = "floor.direct"
BOUNDS: Final = ("value", "high", "low")
"""Keys of a share inside the library, in the order in which they give value, low and high of its complement."""
BESIDE: Final = ("stdlib", FLOOR)
SIZED: Final = re.compile(
    r"(?P<family>codec\.(?:adler32|crc32|compress|decompress)|pkcs11\.(?:digest|digest_parts|random|aes_gcm|hmac_\w+))"
    r"\[(?P<nbytes>\d+)(?P<suffix>-.*)?\]"
)
"""Workloads whose first parameter is the payload in bytes."""
FEWEST: Final = 3
"""Least number of sizes in a sweep."""
HOW: Final = (
    "Points are medians over processes of ns per call. Their intervals are those of the ratio to the reference, "
    "adjusted so that at most 5 % of those that decide are wrong, multiplied by the reference's time. Lines are the "
    "model t = a + b·bytes, fitted in each process separately, in pieces where one line does not fit. Sweeps without "
    "a model have lines from point to point. Dashed rules mark the sizes at which two curves cross, and the size from "
    "which on the slowest approach is within 5 % of the fastest. A ring marks a jump or bend; noise alone would give "
    "one in one of twenty sweeps. A size of 0 bytes is in the rows, but not on the logarithmic axis."
)
COLUMNS: Final = (
    *("kind", "subject", "nbytes", "ns", "low_ns", "high_ns", "a_ns", "b_ns_per_byte", "from_nbytes", "to_nbytes"),
    "says",
)
POINT: Final = [
    alt.Tooltip("subject:N", title="approach"),
    alt.Tooltip("nbytes:Q", title="bytes", format=","),
    alt.Tooltip("ns:Q", title="ns per call", format=",.4~g"),
    alt.Tooltip("low_ns:Q", title="from ns", format=",.4~g"),
    alt.Tooltip("high_ns:Q", title="to ns", format=",.4~g"),
]
LINE: Final = [
    alt.Tooltip("subject:N", title="approach"),
    alt.Tooltip("a_ns:Q", title="a, ns", format=",.4~g"),
    alt.Tooltip("b_ns_per_byte:Q", title="b, ns a byte", format=".4~g"),
    alt.Tooltip("from_nbytes:Q", title="from bytes", format=","),
    alt.Tooltip("to_nbytes:Q", title="to bytes", format=","),
]
MARK: Final = [
    alt.Tooltip("says:N", title="found"),
    alt.Tooltip("from_nbytes:Q", title="from bytes", format=",.4~g"),
    alt.Tooltip("to_nbytes:Q", title="to bytes", format=",.4~g"),
]


def families(run: Run, label: str) -> dict[str, dict[int, str]]:
    """Return the sweeps of an interpreter, as ``codec.compress[bytes-6]``: the workloads by size."""
    found: dict[str, dict[int, str]] = {}
    for workload in run.workloads(label):
        match = SIZED.fullmatch(workload)
        if match is not None:
            name = f"{match['family']}[bytes{match['suffix'] or ''}]"
            found.setdefault(name, {})[int(match["nbytes"])] = workload
    swept = {name: dict(sorted(sizes.items())) for name, sizes in found.items() if len(sizes) >= FEWEST}
    return dict(sorted(swept.items(), key=lambda item: (-len(item[1]), item[0])))


def models(run: Run, label: str) -> dict[str, dict[str, Any]]:
    """Return the models of an interpreter by family, under the names of :func:`families`."""
    own = next((entry for entry in run.summary["models"] or [] if entry["label"] == label), None)
    found = {}
    for model in own["families"] if own is not None else []:
        stem, dash, suffix = model["family"].partition("-")
        found[f"{stem}[bytes{dash}{suffix}]"] = model
    return found


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return rows of the kinds ``measured``, ``joined``, ``fitted`` (a piece), ``cliff``, ``near`` and ``crossing``."""
    found: list[Row] = []
    for run, label, where in places(runs):
        fitted = models(run, label)
        for family, sizes in families(run, label).items():
            model = fitted.get(family)
            for row in [*measured(run, label, sizes, modelled=model is not None), *(marks(model) if model else ())]:
                found.append(where | {"family": family} | dict.fromkeys(COLUMNS) | row)
    return found


def measured(run: Run, label: str, sizes: dict[int, str], *, modelled: bool) -> Iterator[Row]:
    """Yield one row per subject and size, of the kind ``joined`` if no model was fitted."""
    for subject in (*run.bindings, *BESIDE):
        for size, workload in sizes.items():
            cell = run.cell(label, workload, subject)
            if cell is None or cell["void"] is not None or cell["ns_net"] is None or cell["ns_net"] <= 0:
                continue
            own = run.cell(label, workload, run.reference)
            low, high, _ = bounds(cell)
            unit = own["ns_net"] if own is not None and own["void"] is None else None
            yield {
                "kind": "measured" if modelled else "joined",
                "subject": title(subject),
                "nbytes": size,
                "ns": number(cell["ns_net"]),
                "low_ns": number(low * unit) if low is not None and unit is not None else None,
                "high_ns": number(high * unit) if high is not None and unit is not None else None,
            }


def marks(model: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of a model: pieces of lines, jumps, crossings, and the size from which on all are near."""
    shown = {entry["subject"]: entry for entry in model["subjects"] if entry["choice"] or entry["subject"] in BESIDE}
    least = min((size for size in model["sizes"] if size > 0), default=1)
    for subject, entry in shown.items():
        for piece in entry["pieces"]:
            yield {
                "kind": "fitted",
                "subject": title(subject),
                "a_ns": piece["a_ns"]["value"],
                "b_ns_per_byte": piece["b_ns"]["value"],
                "from_nbytes": max(piece["from"], least),
                "to_nbytes": piece["to"],
            }
        for cliff in entry["cliffs"]:
            yield {
                "kind": "cliff",
                "subject": title(subject),
                "nbytes": cliff["above_nbytes"],
                "from_nbytes": cliff["below_nbytes"],
                "to_nbytes": cliff["above_nbytes"],
                "says": jump(cliff, library=subject == model["floor"]),
            }
    for pair in model["crossings"]:
        for at in pair["at"]:
            if not at["extrapolated"]:
                yield {
                    "kind": "crossing",
                    "nbytes": at["nbytes"],
                    "from_nbytes": at["low"],
                    "to_nbytes": at["high"],
                    "says": f"{at['faster_below']} and {at['faster_above']} cross at {nbytes(at['nbytes'])}",
                }
    near = model["all_near"]
    if near is not None and near["nbytes"] is not None:
        yield {
            "kind": "near",
            "nbytes": max(near["nbytes"], least),
            "from_nbytes": near["low"],
            "to_nbytes": near["high"],
            "says": f"from {nbytes(near['nbytes'])} on, all within 5 %",
        }


def jump(cliff: dict[str, Any], *, library: bool) -> str:
    """Describe a cliff in words."""
    between = f"between {cliff['below_nbytes']:,} and {cliff['above_nbytes']:,} bytes"
    whose = "in the library itself" if library else "beyond what the library does"
    if cliff["kind"] == "step" and cliff["step_ns"]["value"] is not None:
        return f"jump of {cliff['step_ns']['value']:+.3g} ns {between}, {whose}"
    return f"bend {between}, {whose}"


def sweep(runs: Sequence[Run]) -> Figure:
    """Draw total time against bytes, both logarithmic, one family at a time."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "sizes",
        "section": "sizes",
        "title": "Total time against payload size",
        "how": HOW,
        "raw": RAW,
    }
    if not rows:
        return Figure(**frame, says="", reason="No workload was measured at three sizes or more.")
    look = Look(runs, [title(name) for name in BESIDE])
    x = alt.X("nbytes:Q", scale=alt.Scale(**LOG), axis=bytes_log("payload (log)"))
    y = alt.Y("ns:Q", scale=alt.Scale(**LOG), axis=ns_log("time per call (log)"))
    points = alt.Chart().transform_filter("datum.ns !== null && datum.nbytes > 0")
    dots = points.mark_point(filled=True, size=34, opacity=1).encode(
        x=x, y=y, color=look.colour(), shape=look.shape(), tooltip=POINT
    )
    spans = (
        points.transform_filter("datum.low_ns > 0")
        .mark_rule(strokeWidth=1.5)
        .encode(x=x, y="low_ns:Q", y2="high_ns:Q", color=look.colour(), tooltip=POINT)
    )
    joined = (
        points.transform_filter("datum.kind == 'joined'")
        .mark_line(strokeWidth=1)
        .encode(x=x, y=y, color=look.colour(), strokeDash=look.dash())
    )
    fitted = (
        alt.Chart()
        .transform_filter("datum.kind == 'fitted'")
        .transform_calculate(step="sequence(0, 1.01, 0.125)")
        .transform_flatten(["step"])
        .transform_calculate(
            nbytes="datum.from_nbytes * pow(datum.to_nbytes / datum.from_nbytes, datum.step)",
            ns="datum.a_ns + datum.b_ns_per_byte * datum.nbytes",
        )
        .transform_filter("datum.ns > 0")
        .mark_line(strokeWidth=1.5)
        .encode(
            x=x,
            y=y,
            color=look.colour(),
            strokeDash=look.dash(),
            detail="from_nbytes:Q",
            tooltip=LINE,
        )
    )
    rings = (
        alt.Chart()
        .transform_filter("datum.kind == 'cliff' || datum.kind == 'measured'")
        .transform_joinaggregate(at="max(ns)", groupby=["subject", "nbytes"])
        .transform_filter("datum.kind == 'cliff' && datum.at > 0")
        .mark_point(shape="circle", size=150, filled=False, strokeWidth=1.2)
        .encode(x=x, y="at:Q", color=look.colour(), tooltip=[POINT[0], *MARK])
    )
    sized = alt.Chart().transform_filter("(datum.kind == 'near' || datum.kind == 'crossing') && datum.nbytes > 0")
    rules = sized.mark_rule(strokeDash=[4, 3], strokeWidth=1.2, color=INK).encode(x=x, tooltip=MARK)
    labels = [
        sized.transform_window(place="row_number()")
        .transform_filter(f"datum.place == {place}")
        .transform_calculate(label="'dashed: ' + datum.says")
        .mark_text(align="left", baseline="top", fontSize=11)
        .encode(x=alt.value(4), y=alt.value(2 + 14 * (place - 1)), text="label:N", tooltip=MARK)
        for place in range(1, 5)
    ]
    chart = alt.layer(rules, joined, fitted, spans, rings, dots, *labels)
    return Figure(
        **frame,
        says=says(runs) + doubts(runs),
        spec=specification(chart, "Line chart: time per call against payload size, both axes logarithmic.", 380),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "family", "Call")],
    )


def says(runs: Sequence[Run]) -> str:
    """Return the size from which on the choice does not matter, per family of the first interpreter."""
    run = runs[0]
    label = run.labels[0]
    found = [
        f"{family}: all approaches are within 5 % of the fastest from {nbytes(model['all_near']['nbytes'])} on"
        for family, model in models(run, label).items()
        if model["all_near"] is not None and model["all_near"]["nbytes"] is not None
    ]
    return f"On {label}, {'; '.join(found)}." if found else f"On {label}, approaches do not all come within 5 %."


def overhead_rows(runs: Sequence[Run]) -> list[Row]:
    """Return rows of the share of a call's time over the C floor, with Student's interval over processes."""
    found: list[Row] = []
    for run, label, where in places(runs):
        for family, sizes in families(run, label).items():
            for subject, (size, workload) in product((*run.bindings, "stdlib"), sizes.items()):
                its = run.figures(label).get("inside", {}).get(workload, {}).get(subject)
                if its is None:
                    continue
                cell = run.cell(label, workload, subject)
                share, low, high = (number(None if its[name] is None else 1 - its[name]) for name in BOUNDS)
                if share is None or cell is None or cell["void"] is not None:
                    continue
                found.append(
                    where
                    | {"family": family, "subject": title(subject), "nbytes": size, "share": share}
                    | {"low": low, "high": high, "over_ns": number((cell["ns_net"] or np.nan) * share)}
                    | {"processes": its["processes"]}
                )
    return found


def overhead(runs: Sequence[Run]) -> Figure:
    """Draw the binding's share of the total time against bytes."""
    rows = overhead_rows(runs)
    frame: dict[str, Any] = {
        "name": "overhead",
        "section": "sizes",
        "title": "Share of the call outside the library",
        "how": "The share inside the library is the time of the same call from a C loop divided by the time of the "
        "approach, within each process; its geometric mean over processes is subtracted from one. The interval is "
        "Student's 95 % interval over processes, for this point alone. The dashed rule is at 5 %: below it, an "
        "approach without any overhead would save at most 5 %.",
        "raw": RAW,
    }
    if not rows:
        return Figure(**frame, says="", reason="No sweep was measured with the C loop.")
    look = Look(runs, [title("stdlib")])
    x = alt.X("nbytes:Q", scale=alt.Scale(**LOG), axis=bytes_log("payload (log)"))
    y = alt.Y(
        "share:Q",
        scale=alt.Scale(domain=[0, 1], clamp=True),
        axis=alt.Axis(title="share of total time", labelExpr=PERCENT, values=[0, 0.05, 0.25, 0.5, 0.75, 1]),
    )
    tooltip = [
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("nbytes:Q", title="bytes", format=","),
        alt.Tooltip("share:Q", format=".1%"),
        alt.Tooltip("low:Q", title="from", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
        alt.Tooltip("over_ns:Q", title="over C, ns", format=",.4~g"),
    ]
    base = alt.Chart().transform_filter("datum.nbytes > 0")
    lines = base.mark_line(strokeWidth=1.5).encode(
        x=x, y=y, color=look.colour(), strokeDash=look.dash(), tooltip=tooltip
    )
    points = base.mark_point(filled=True, size=34, opacity=1).encode(
        x=x, y=y, color=look.colour(), shape=look.shape(), tooltip=tooltip
    )
    spans = base.mark_rule(strokeWidth=1.5).encode(x=x, y="low:Q", y2="high:Q", color=look.colour(), tooltip=tooltip)
    rule = alt.Chart().mark_rule(strokeDash=[4, 3], color=GREY).encode(y=alt.datum(0.05))
    chart = alt.layer(rule, lines, spans, points)
    return Figure(
        **frame,
        says=cheap(rows) + doubts(runs),
        spec=specification(chart, "Line chart: share of time outside the library against payload size.", 320),
        rows=rows,
        controls=[*whereabouts(runs, rows), control(rows, "family", "Call")],
    )


def cheap(rows: Sequence[Row]) -> str:
    """Return the measured size from which on each approach of the first sweep costs less than 5 %."""
    keys = ("machine", "interpreter", "family")
    own = [row for row in rows if all(row.get(key) == rows[0].get(key) for key in keys)]
    told = []
    for subject in dict.fromkeys(str(row["subject"]) for row in own):
        mine = sorted((int(str(row["nbytes"])), float(str(row["share"]))) for row in own if row["subject"] == subject)
        apart = [place for place, (_, share) in enumerate(mine) if share > 0.05]
        first = apart[-1] + 1 if apart else 0
        told.append(f"{subject} {nbytes(mine[first][0]) if first < len(mine) else 'at none of these sizes'}")
    return (
        f"{rows[0]['family']} on {rows[0]['interpreter']}: the measured size from which on the share outside the "
        f"library stays below {percent(0.05)}: {', '.join(told)}."
    )
