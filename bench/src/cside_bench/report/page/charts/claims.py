# SPDX-License-Identifier: Apache-2.0
"""Draws the ratios by which a claim was judged, each for, against or unclear."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import altair as alt

from cside_bench.report.page.charts.amounts import listing
from cside_bench.report.page.charts.axes import LOG, ratio_log
from cside_bench.report.page.charts.figure import (
    INTERPRETER,
    Figure,
    Row,
    control,
    number,
    places,
    specification,
    whereabouts,
)
from cside_bench.report.page.charts.palette import COLOURS, GREY
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.results.evidence import Run
from cside_bench.results.files import CLAIMS_FILE

FILE: Final = CLAIMS_FILE
SIDES: Final = ("for", "against", "unclear")
HOW: Final = (
    "Each line is one piece of evidence: the ratio of times of two approaches at one workload, with its interval, "
    "adjusted so that at most 5 % of those that decide are wrong. It is for or against the claim if the whole "
    "interval is on that side of the claim's threshold. The numbers of other kinds of claims (threads, models, costs, "
    "availability) are in the rows of each claim."
)
COLUMNS: Final = ("band", "workload", "subject", "against", "ratio", "low", "high", "supports", "note")


def documents(runs: Sequence[Run]) -> dict[int, list[dict[str, Any]]]:
    """Return the claims by the index of their run, for runs whose claims were judged."""
    found = {}
    for place, run in enumerate(runs):
        path = run.folder / FILE
        if path.exists():
            found[place] = json.loads(path.read_text(encoding="utf-8"))["claims"]
    return found


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per claim and ratio; a claim without ratios on an interpreter has one row with a ``note``."""
    known = documents(runs)
    found: list[Row] = []
    for run, label, where in places(runs):
        for claim in known.get(runs.index(run), ()):
            ratios = [it for it in claim["evidence"] if it["ratio"] is not None and it["interpreter"] is not None]
            if not ratios:
                continue
            base = where | {"claim": claim["title"]} | dict.fromkeys(COLUMNS)
            own = [it for it in ratios if it["interpreter"] == label and it["ratio"] > 0]
            for entry in sorted(own, key=lambda it: -it["ratio"]):
                against = f" against {entry['against']}" if entry["against"] else ""
                found.append(
                    base
                    | {"band": f"{entry['workload'] or entry['what']}: {entry['subject']}{against}"}
                    | {name: entry[name] for name in ("workload", "subject", "against", "supports")}
                    | {name: number(entry[name]) for name in ("ratio", "low", "high")}
                )
            if not own:
                found.append(base | {"band": label, "note": f"the claim has no ratios on {label}"})
    return found


def forest(runs: Sequence[Run]) -> Figure:
    """Draw a forest plot of the ratios of one claim."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "claims",
        "section": "claims",
        "title": "The ratios behind a claim",
        "how": HOW,
        "raw": [FILE, "evidence.json", "blocks/*.json"],
    }
    drawn = [row for row in rows if row["ratio"] is not None]
    if not drawn:
        reason = "No claim was judged by ratios." if documents(runs) else "Claims were not judged in this run."
        return Figure(**frame, says="", reason=reason)
    side = list(SIDES)
    colour = alt.Color(
        "supports:N",
        scale=alt.Scale(domain=side, range=[COLOURS[0], COLOURS[1], GREY]),
        legend=alt.Legend(orient="top", title="evidence", columns=3, symbolOpacity=1),
    )
    shape = alt.Shape(
        "supports:N",
        scale=alt.Scale(domain=side, range=["circle", "cross", "square"]),
        legend=alt.Legend(orient="top", title="evidence", columns=3, symbolOpacity=1),
    )
    band: dict[str, Any] = {"sort": None, "axis": None, "scale": alt.Scale(paddingInner=0.05)}
    low, top = alt.Y("band:N", bandPosition=0.74, **band), alt.Y("band:N", bandPosition=0.28, **band)
    tooltip = [
        alt.Tooltip("workload:N"),
        alt.Tooltip("subject:N"),
        alt.Tooltip("against:N"),
        alt.Tooltip("ratio:Q", format=".4~g"),
        alt.Tooltip("low:Q", title="from", format=".4~g"),
        alt.Tooltip("high:Q", title="to", format=".4~g"),
        alt.Tooltip("supports:N", title="evidence"),
    ]
    known = alt.Chart().transform_filter("datum.ratio !== null")
    one = known.transform_aggregate(rows="count()").mark_rule(color=GREY, strokeDash=[3, 3]).encode(x=alt.datum(1))
    spans = known.transform_filter("datum.low !== null").mark_rule(strokeWidth=2)
    spans = spans.encode(x="low:Q", x2="high:Q", y=low, color=colour, tooltip=tooltip)
    dots = known.mark_point(filled=True, size=42, opacity=1).encode(
        x=alt.X(
            "ratio:Q", scale=alt.Scale(**LOG), axis=ratio_log("ratio of times (log; left of 1: the first is faster)")
        ),
        y=low,
        color=colour,
        shape=shape,
        tooltip=tooltip,
    )
    labels = known.mark_text(align="left", baseline="middle", dx=2, fontSize=10, limit=alt.ExprRef("width"))
    labels = labels.encode(x=alt.value(0), y=top, text="band:N", tooltip=tooltip)
    nothing = alt.Chart().transform_filter("datum.note !== null").mark_text(align="left", dx=2, fontSize=11)
    nothing = nothing.encode(x=alt.value(0), y=top, text="note:N")
    shown = next(row for row in drawn)
    where = whereabouts(runs, rows)
    return Figure(
        **frame,
        says=says(runs) + doubts(runs),
        spec=specification(
            alt.layer(one, spans, dots, labels, nothing), "Forest plot: ratios behind a claim.", alt.Step(25)
        ),
        rows=rows,
        controls=[
            control(rows, "claim", "Claim", str(shown["claim"])),
            *(
                control(rows, it.column, it.title, str(shown[INTERPRETER])) if it.column == INTERPRETER else it
                for it in where
            ),
        ],
    )


def says(runs: Sequence[Run]) -> str:
    """Return the number of claims with each verdict, in the first run whose claims were judged."""
    claims = next(iter(documents(runs).values()))
    counts = Counter(claim["verdict"] for claim in claims)
    told = [f"{counts[name]} {name}" for name in ("confirmed", "refuted", "undecided", "untestable") if counts[name]]
    return f"Of {len(claims)} claims, {listing(told)}."
