# SPDX-License-Identifier: Apache-2.0
"""Draws the probability of being the best choice, by profile and approach."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import altair as alt

from cside_bench.report.page.charts.amounts import listing
from cside_bench.report.page.charts.axes import PERCENT, SHARE_DOMAIN, told
from cside_bench.report.page.charts.bands import Bands
from cside_bench.report.page.charts.figure import MACHINE, Figure, Row, control, number, specification
from cside_bench.report.page.charts.palette import GREY, INK, Look, title
from cside_bench.report.page.charts.trusting import doubts
from cside_bench.report.page.data import machine_ids
from cside_bench.results.evidence import Run
from cside_bench.results.files import RECOMMENDATIONS_FILE

FILE: Final = RECOMMENDATIONS_FILE
HOW: Final = (
    "Approaches that a profile excludes are shown with the reason. The others are scored on measured data with the "
    "stated weights, in many random draws of the measurement uncertainty. The probability is the share of draws in "
    "which an approach has the best score; approaches that tie have one together, shown for each. "
    "It says how certain the choice is, given the weights; it does not say how "
    "much better the best approach is."
)


def documents(runs: Sequence[Run]) -> list[tuple[Run, str, list[dict[str, Any]]]]:
    """Return the answers of each run that has recommendations, with the name of its machine."""
    found = []
    for run, machine in zip(runs, machine_ids(runs), strict=True):
        path = run.folder / FILE
        if path.exists():
            found.append((run, machine, json.loads(path.read_text(encoding="utf-8"))["answers"]))
    return found


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Return one row per profile and whole binding."""
    found: list[Row] = []
    for run, machine, answers in documents(runs):
        where: Row = {MACHINE: machine} if len(runs) > 1 else {}
        for answer in answers:
            candidates = {it["subject"]: it for it in answer["candidates"]}
            excluded = {it["subject"]: it for it in answer["excluded"]}
            for subject in run.bindings:
                row: Row = {"band": answer["profile"]["title"], "subject": title(subject), "probability": None}
                row |= {
                    "score": None,
                    "score_low": None,
                    "score_high": None,
                    "outcome": answer["outcome"],
                    "note": None,
                }
                entry = candidates.get(subject)
                if entry is None or entry["probability"] is None:
                    unknown = f"{answer['outcome']}: no probability is given"
                    row["note"] = excluded[subject]["reason"] if subject in excluded else unknown
                else:
                    row["probability"] = number(entry["probability"])
                    row |= {name: number(entry.get(name)) for name in ("score", "score_low", "score_high")}
                found.append(where | row)
    return found


def probabilities(runs: Sequence[Run]) -> Figure:
    """Draw a bar per profile and approach."""
    rows = rows_of(runs)
    frame: dict[str, Any] = {
        "name": "answer",
        "section": "answer",
        "title": "Probability of being the best choice, by profile",
        "how": HOW,
        "raw": [FILE, "evidence.json", "costs.json"],
    }
    if all(row["probability"] is None for row in rows):
        reason = "The run cannot rank the approaches." if rows else "No recommendations were made from this run."
        return Figure(**frame, says="", reason=reason)
    look = Look(runs)
    bands = Bands(look, step=13)
    place = {"y": bands.y(), "yOffset": bands.slot()}
    x = alt.X(
        "zero:Q",
        scale=alt.Scale(domain=SHARE_DOMAIN),
        axis=alt.Axis(title="probability of being best", labelExpr=PERCENT, values=[0, 0.25, 0.5, 0.75, 1]),
    )
    tooltip = [
        alt.Tooltip("band:N", title="profile"),
        alt.Tooltip("subject:N", title="approach"),
        alt.Tooltip("probability:Q", format=".1%"),
        alt.Tooltip("score:Q", format=".3~g"),
        alt.Tooltip("score_low:Q", title="from", format=".3~g"),
        alt.Tooltip("score_high:Q", title="to", format=".3~g"),
        alt.Tooltip("outcome:N"),
    ]
    base = alt.Chart().transform_filter("datum.probability !== null").transform_calculate(zero="0", whole="1")
    track = base.mark_rule(strokeWidth=9, color=GREY, opacity=0.15).encode(x=x, x2="whole:Q", tooltip=tooltip, **place)
    bars = base.mark_rule(strokeWidth=9, opacity=0.85).encode(
        x=x, x2="probability:Q", color=look.colour(legend=False), tooltip=tooltip, **place
    )
    named = (
        base.transform_calculate(label="datum.subject + '  ' + " + told("probability"))
        .mark_text(align="left", baseline="middle", dx=5, fontSize=10, color=INK)
        .encode(x="whole:Q", text="label:N", tooltip=tooltip, **place)
    )
    controls = [control(rows, MACHINE, "Machine")] if len(runs) > 1 else []
    return Figure(
        **frame,
        says=says(runs) + doubts(runs),
        spec=specification(
            alt.layer(*bands.headings(), track, bars, named, bands.absent("probability")),
            "Bars: probability of each approach being the best choice, by profile.",
            bands.height,
        ),
        rows=rows,
        controls=controls,
    )


def says(runs: Sequence[Run]) -> str:
    """Return the number of profiles with each outcome, in the first run."""
    _, _, answers = documents(runs)[0]
    counts = Counter(it["outcome"] for it in answers)
    firm = [it for it in answers if it["outcome"] == "recommended"]
    named = [f"{it['profile']['title']}: {listing([title(name) for name in it['recommended']])}" for it in firm]
    outcomes = listing([f"{count} {outcome}" for outcome, count in counts.most_common()])
    words = f"Outcomes of {len(answers)} profiles: {outcomes}."
    return f"{words} Recommended for {'; for '.join(named)}." if named else words
