# SPDX-License-Identifier: Apache-2.0
"""Shows the trial of public decisions: on the terminal within 100 columns, and as Markdown."""

from collections.abc import Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cside_bench.recommend.backtest import DEFENSIBLE, EMBARRASSING, MATCH, VERDICTS, Trial, totals
from cside_bench.recommend.wording import chance

WIDEST: Final = 100
MARKS: Final = {MATCH: "✓", DEFENSIBLE: "○", EMBARRASSING: "✗"}
"""Marks beside verdicts, so that no meaning depends on a colour alone; a verdict without one has “?”."""


def ours(trial: Trial) -> str:
    """Return what an answer leads with, how, and with which probability."""
    if not trial.leads:
        return str(trial.answer["outcome"])
    names = ", ".join(trial.leads)
    outcome = {"tie": " (tie)", "unresolved": " (open)"}.get(trial.answer["outcome"], "")
    share = trial.answer["probability"]
    alone = "" if share is None or outcome == " (tie)" else f" {chance(share)}"
    return f"{names}{alone}{outcome}"


def pairs(trial: Trial) -> str:
    """Return the two backends that an answer names beside; empty if none pays."""
    return "; ".join(" + ".join(it["subjects"]) for it in trial.answer["two_backends"] if it["pays"])


def summary(found: Sequence[Trial]) -> str:
    """Return the totals as a sentence."""
    counts = totals(found)
    said = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name] or name in (MATCH, EMBARRASSING))
    return f"{len(found)} decisions: {said}."


def show(found: Sequence[Trial], console: Console) -> None:
    """Print a row for each decision, and why where the preferred approach does not lead."""
    width = min(WIDEST, console.width)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, width=width)
    for name, ratio in (("project", 5), ("uses", 3), ("defensible", 4), ("cside says", 5), ("verdict", 3)):
        table.add_column(name, ratio=ratio, overflow="fold")
    for it in found:
        said = ours(it) + (f"; both: {pairs(it)}" if pairs(it) else "")
        table.add_row(
            Text(it.decision.name),
            Text(", ".join(it.decision.now)),
            Text(", ".join(it.decision.defensible)),
            Text(said),
            Text(f"{MARKS.get(it.verdict, '?')} {it.verdict}"),
        )
    console.print(table, highlight=False)
    for it in found:
        if it.turned:
            console.print(Padding(Text(f"{it.decision.name}: {it.turned}"), (0, 0, 0, 1)), width=width, highlight=False)
    console.print(Text(f" {summary(found)}", "bold"), width=width, highlight=False)


def markdown(found: Sequence[Trial]) -> str:
    """Return the rows, the totals and each answer, as Markdown."""
    lines = ["| project | uses | experts would accept | cside says | |", "|---|---|---|---|---|"]
    for it in found:
        cells = (it.decision.name, ", ".join(it.decision.now), ", ".join(it.decision.defensible), ours(it), it.verdict)
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", summary(found)]
    for it in found:
        decision = it.decision
        lines += ["", f"### {decision.name}", "", f"**Why {' and '.join(decision.now)}.** {decision.reason}", ""]
        lines.append(f"**cside:** {it.answer['says']}")
        if it.turned:
            lines += ["", f"*What turned it:* {it.turned}."]
        lines += ["", f"*An answer may not say:* {decision.must_not_say}"]
        links = [f"<{url}>" if url.startswith("https://") else url for url in decision.source]
        lines += ["", f"*Sources:* {', '.join(links)}"]
    return "\n".join(lines)
