# SPDX-License-Identifier: Apache-2.0
"""The tables of costs by the shape of a call: ns per term and approach, and how far predictions are off."""

from collections.abc import Sequence
from typing import Any, Final

from cside_bench.results.evidence import Run
from cside_bench.results.shapes import document, load, of

MISSING: Final = "\N{EM DASH}"
ERRORS: Final = (
    "approach",
    "fitted",
    "idiom left out",
    "held out",
    "held out, mostly the binding's",
    "range of a prediction",
)
"""Headings of :func:`errors`."""
EXPLAINED: Final = (
    "An error is max(predicted / measured, measured / predicted) of the whole time of a call: the median over kinds of "
    "calls, the factor within which 90 % of them lie, and their number. Fitted: the idioms. Idiom left out: each "
    "idiom, predicted by a fit to the others. Held out: the calls of codec and pkcs11 whose time in C was measured and "
    "is below 20 µs. Mostly the binding's: those of them of whose time C takes at most half. The range is the factor "
    "on the time over C's own within which a further call lies with 90 %. Intervals of costs are over processes: they "
    "do not say that costs add up, the errors do."
)


def _factors(found: dict[str, Any]) -> str:
    """Return ``1.24, 1.70 (17)``: the median, the factor of 90 % and the number of kinds."""
    if found["median"] is None:
        return MISSING
    return f"{found['median']:.2f}, {found['most']:.2f} ({found['kinds']})"


def errors(run: Run, label: str) -> list[list[str]]:
    """Return a row per approach with costs, in the order of :data:`ERRORS`."""
    return [
        [
            it["subject"],
            *(_factors(it[name]) for name in ("fitted", "left_out", "held_out", "mostly")),
            MISSING if it["reach"] is None else f"1 / {it['reach']:.2g} to {it['reach']:.2g}",
        ]
        for it in of(run, label).get("approaches", ())
        if it["reason"] is None
    ]


def subjects(run: Run, label: str) -> list[str]:
    """Return the approaches with costs on an interpreter."""
    return [it["subject"] for it in of(run, label).get("approaches", ()) if it["reason"] is None]


def costs(run: Run, label: str, *, intervals: bool = True) -> list[list[str]]:
    """Return a row per term: its title, and ns by approach, with the interval over processes or without."""
    entries = [it for it in of(run, label).get("approaches", ()) if it["reason"] is None]
    rows = []
    for term in load().terms:
        own = [next((it for it in entry["costs"] if it["term"] == term.name), None) for entry in entries]
        if any(it is not None and it["ns"] is not None for it in own):
            rows.append([term.title, *(_cost(it, interval=intervals) for it in own)])
    return rows


def _cost(found: dict[str, Any] | None, *, interval: bool) -> str:
    if found is None or found["ns"] is None:
        return MISSING
    text = _ns(found["ns"])
    return text if found["low"] is None or not interval else f"{text} ({_ns(found['low'])} to {_ns(found['high'])})"


def _ns(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def lacking(run: Run, label: str) -> list[str]:
    """Return a sentence for each approach without costs."""
    return [
        f"{it['subject']}: {it['reason']}." for it in of(run, label).get("approaches", ()) if it["reason"] is not None
    ]


def made(run: Run) -> bool:
    """Whether the run has the file."""
    return bool(document(run)["interpreters"])


def markdown(run: Run) -> str:
    """Return the section of ``report.md``; empty if no approach has costs."""
    labels = [label for label in run.labels if errors(run, label)]
    if not labels:
        return ""
    lines = [
        "## Costs by the shape of a call",
        "",
        "What each part of a call costs, in ns, fitted to the idioms: a call takes C's own time and the sum of these. "
        "`cside predict` prices a prototype by them.",
    ]
    for label in labels:
        lines += ["", f"### Costs by shape on {label}", ""]
        lines += _table(["part of a call", *subjects(run, label)], costs(run, label))
        lines += ["", "Errors of predictions, with the number of kinds of calls in brackets:", ""]
        lines += _table(ERRORS, errors(run, label))
    return "\n".join([*lines, "", EXPLAINED])


def _table(headings: Sequence[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table whose numbers are on the right."""
    bars = f"|---|{'--:|' * (len(headings) - 1)}"
    return [f"| {' | '.join(headings)} |", bars, *(f"| {' | '.join(row)} |" for row in rows)]
