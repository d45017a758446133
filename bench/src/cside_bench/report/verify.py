# SPDX-License-Identifier: Apache-2.0
"""Prints what a verification found: a table per interpreter, and the cells to look at by name."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.summary.verified import FACTOR, SHARE

WORST: Final = 8
"""Cells that are listed of each interpreter, at most; those that are wrong are always listed."""
ANOTHER_STATE: Final = 0.15
"""Change of the reference's own time from which on the machine is not as it was, as a share."""


def bounds(low: float | None, high: float | None) -> str:
    """Return an interval as text."""
    return "none" if low is None or high is None else f"{low:.3g} to {high:.3g}"


def share(part: int, whole: int) -> str:
    """Return ``18 of 20``, or a dash where there is nothing to count."""
    return f"{part} of {whole}" if whole else "\N{EM DASH}"


def table(entry: Mapping[str, Any]) -> Table:
    """Return the counts of one interpreter by binding, with those of all in the last row."""
    found = Table(title=f"{entry['label']}: measured again, each cell alone", title_justify="left")
    found.add_column("")
    for name in ("cells", "in the run's interval", "in the prediction", "wrong", "shift alone / run, 95 %"):
        found.add_column(name, justify="right")
    for row in [*entry["bindings"], {"subject": "all", **entry}]:
        shift = "" if row["subject"] == "all" else f"{row['shift']:.3f}" if row["shift"] else "\N{EM DASH}"
        if shift and row["shift_low"] is not None and row["shift_high"] is not None:
            shift += f" ({row['shift_low']:.3f} to {row['shift_high']:.3f})"
        found.add_row(
            row["subject"],
            str(row["tried"]),
            share(row["in_interval"], row["with_interval"]),
            share(row["in_prediction"], row["with_prediction"]),
            str(row["wrong"]),
            shift,
        )
    return found


def worst(cells: Sequence[Mapping[str, Any]], label: str) -> list[Mapping[str, Any]]:
    """Return the cells of an interpreter outside their prediction interval or wrong, those that differ most first."""
    found = [it for it in cells if it["interpreter"] == label and (it["in_prediction"] is False or it["wrong"])]
    found.sort(key=lambda it: (not it["wrong"], -it["times"]))
    return found


def line(cell: Mapping[str, Any]) -> str:
    """Return one cell with both of its numbers."""
    mark = "WRONG" if cell["wrong"] else "outside"
    verdict = "no verdict" if cell["verdict"] == "none" else cell["verdict"]
    return (
        f"  {mark}: {cell['subject']} at {cell['workload']}: {cell['ratio']:.4g} in the run "
        f"({bounds(cell['ratio_low'], cell['ratio_high'])}; {verdict}), {cell['alone']:.4g} alone "
        f"(expected {bounds(cell['predicted_low'], cell['predicted_high'])})"
    )


def lines(document: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield what has to be said of an interpreter below its table."""
    scatter = "an unknown amount" if entry["excess"] is None else f"±{entry['excess']:.1%}"
    reach = f"typically ±{entry['reach']:.1%}" if entry["reach"] else "missing, since the run has one process"
    yield (
        f"prediction intervals are {reach}; a ratio of two processes alone scatters by {scatter} beyond one of a block "
        "of the run"
    )
    if entry["reference_time"] is not None:
        text = f"the reference took {entry['reference_time']:.2f} times as long as in the run"
        if abs(math.log(entry["reference_time"])) > math.log1p(ANOTHER_STATE):
            text = f"! {text}: the machine is in another state, to which other ratios may belong (docs/method.md)"
        yield text
    for row in entry["bindings"]:
        if row["beyond"]:
            yield (
                f"! {row['subject']}: its ratios alone are {row['shift']:.3f} times those of the run on average "
                f"({row['shift_low']:.3f} to {row['shift_high']:.3f}), beyond the margin of {entry['margin']:.1%}: "
                "sharing a process moves this binding"
            )
    found = worst(document["cells"], entry["label"])
    least = sum(it["wrong"] for it in found)
    for cell in found[: max(WORST, least)]:
        yield line(cell)
    if len(found) > max(WORST, least):
        yield f"  and {len(found) - max(WORST, least)} more outside, all in verify.json"
    for failed in entry["failed"]:
        yield f"  not measured: {failed['subject']} at {failed['workload']}: {failed['reason']}"


def result(document: Mapping[str, Any]) -> str:
    """Return the verdict on the run as one sentence."""
    inside = sum(entry["in_prediction"] for entry in document["interpreters"])
    total = sum(entry["with_prediction"] for entry in document["interpreters"])
    wrong = sum(entry["wrong"] for entry in document["interpreters"])
    state = "verified" if document["passed"] else "NOT VERIFIED"
    return (
        f"{state}: {inside} of {total} ratios alone lie where the run lets expect them (at least {SHARE:.0%} on each "
        f"interpreter), and {wrong} differ by more than {FACTOR:g} times from a ratio that the run gives (none may)"
    )


def show(document: Mapping[str, Any], console: Console) -> None:
    """Print the whole verification."""
    for entry in document["interpreters"]:
        console.print(table(entry))
        for text in lines(document, entry):
            console.print(Text(text, style="yellow" if text.startswith(("!", "  WRONG", "  not")) else ""))
    if document["without_ratio"]:
        console.print(
            f"{document['without_ratio']} selected cells have no ratio in the run (void or not steady), and were not "
            "tried",
            highlight=False,
        )
    console.print(Text(result(document), style="bold"))


def sampled(section: Mapping[str, Any] | None) -> list[str]:
    """Return sentences about the sample that a run took at its end; none if it took none."""
    found = []
    for entry in (section or {"interpreters": []})["interpreters"]:
        for kind, words in (("alone", "in a process of its own"), ("chunks", "in chunks of 4 ms")):
            part = entry[kind]
            if not part or not part["bindings"]:
                continue
            moved = [row for row in part["bindings"] if row["beyond"]]
            shifts = ", ".join(f"{row['subject']} {change(row)}" for row in part["bindings"])
            says = f"{entry['label']}: measured {words}, ratios of {len(part['workloads'])} workloads move by {shifts}"
            says += (
                f"; {part['cells'] - len(part['outside'])} of {part['cells']} cells lie where the run lets expect them."
            )
            if not part["decides"]:
                known = "by an unknown amount" if part["excess"] is None else f"by ±{part['excess']:.1%}"
                says += f" These processes scatter {known} beyond those of the run, too much to tell a shift."
            if moved:
                names = ", ".join(row["subject"] for row in moved)
                says += f" The whole interval is beyond the margin for {names}: these ratios hold {NOT_SO[kind]} only."
            found.append(says)
    return found


NOT_SO: Final = {
    "alone": "where bindings share a process",
    "chunks": "for short bursts of calls between other work",
}
"""Where the ratios of a run hold, if the sample contradicts them."""


def change(row: Mapping[str, Any]) -> str:
    """Return a shift in percent with its interval."""
    if row["shift"] is None:
        return "\N{EM DASH}"
    if row["shift_low"] is None or row["shift_high"] is None:
        return f"{row['shift'] - 1:+.1%}"
    return f"{row['shift'] - 1:+.1%} ({row['shift_low'] - 1:+.1%} to {row['shift_high'] - 1:+.1%})"
