# SPDX-License-Identifier: Apache-2.0
"""Prints the last lines of a run on the terminal, at most 30 of 100 columns: the answer, and whether to trust it.

The answers come first, one line a profile, then whether the run passed its own checks, one table of times, the results
that contradict what is said of bindings most, and where the page is.
"""

import textwrap
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.report.amounts import ratio, time
from cside_bench.report.decisions import Decisions, between, percent, settled_by, told
from cside_bench.report.report import NO_VERDICTS, Report, failed
from cside_bench.results import headline

WIDEST: Final = 100
LINES: Final = 30
"""Greatest number of lines, the empty one before them included."""
ROWS: Final = 6
"""Greatest number of rows of the table of times; it has fewer where the lines would not suffice."""
SURPRISES: Final = 3
FEWEST: Final = 10
"""Least number of rows of evidence for a refuted claim to count as a surprise."""
AGAINST: Final = "against"


def surprises(claims: list[dict[str, Any]], *, judged: bool = True) -> list[str]:
    """Return the claims that the run contradicts most, as a line each.

    The rule: of the claims that the run refutes by at least :data:`FEWEST` rows of evidence, those with the largest
    share of rows that contradict them come first, and of equal shares those with more such rows. A claim that one or
    a few rows refute, as a count of lines or wheels, is listed by ``cside claims`` and is no surprise here.

    Where nothing is ``judged``, the side of each row is that of its value alone, and a claim that more than half of the
    rows contradict counts as refuted.
    """
    found = []
    for claim in claims:
        if judged:
            against, total = claim["counts"][AGAINST], sum(claim["counts"].values())
            refuted = claim["verdict"] == "refuted"
        else:
            sides = [row["leans"] for row in claim["evidence"] if row.get("leans")]
            against, total = sides.count(AGAINST), len(sides)
            refuted = 2 * against > total
        if refuted and total >= FEWEST:
            found.append((-against / total, -against, claim["title"], total, claim))
    lines = []
    for _, against, title, total, claim in sorted(found, key=lambda it: it[:3])[:SURPRISES]:
        ratios = [row["ratio"] for row in claim["evidence"] if row["ratio"] is not None]
        middle = f"; median ratio {median(ratios):.3g}" if ratios else ""
        tail = f": no, in {-against} of {total} cells"
        if len(title) + len(tail) + len(middle) <= WIDEST - 4:
            tail += middle
        room = WIDEST - 4 - len(tail)
        lines.append(f"“{title if len(title) <= room else title[: room - 1] + '…'}”{tail}")
    return lines


class Ending:
    """The last lines of one run."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.decisions = Decisions(report.folder)

    def show(self, console: Console, page: str) -> None:
        """Print the lines; ``page`` is the path of the page as the user would type it."""
        before = [*self.settling(), *self.trust(), *self.conditions()]
        after = [*self.surprising(), *self.beyond()]
        answers = len(self.decisions.answers) + 1 if self.decisions.answers else 0
        rows = min(ROWS, LINES - 2 - answers - len(before) - len(after) - 1)
        console.print()
        if answers:
            console.print(self.answers(), highlight=False)
        for line in before:
            self._line(console, line)
        label = self.label()
        if label is not None and rows > 0 and (chosen := self.rows(label)[:rows]):
            console.print(self.times(label, chosen), highlight=False)
        for line in after:
            self._line(console, line)
        self._line(console, f"Page: {page} (as text: report.md); one answer in full: cside recommend")

    def settling(self) -> list[str]:
        """Return the line with the commands that settle what is open; empty if nothing that is missing does."""
        commands = sorted({it for answer in self.decisions.answers for it in settled_by(answer)})
        if not commands:
            return []
        return [f"open: a criterion without evidence could turn it; to settle: {', '.join(commands)}"]

    def conditions(self) -> list[str]:
        """Return what else there is to know: one warning about the run, and how many cells have no ratio."""
        found = self.report.conditions()
        more = f" ({len(found) - 1} more warnings in report.md)" if len(found) > 1 else ""
        lines = [f"{textwrap.shorten(found[0], WIDEST - len(more), placeholder=' …')}{more}"] if found else []
        parts = [
            f"{len(cells)} {what}"
            for cells, what in ((self.report.unsteady(), "not steady"), (self.report.void(), "void"))
            if cells
        ]
        if parts:
            lines.append(
                f"Cells without a ratio, of {len(self.report.cells)}: {', '.join(parts)}; report.md names them."
            )
        return lines

    def surprising(self) -> list[str]:
        """Return the surprises under a line that says what they are; a line that says so if there are none."""
        claims = self.decisions.claims
        if not claims:
            return []
        judged = any(entry["trustworthy"] for entry in self.report.summary["interpreters"])
        if found := surprises(claims, judged=judged):
            how = "" if judged else ", by values that decide nothing"
            title = f"Worth a look, of what is said of bindings{how} (all: cside claims):"
            return [title, *(f"  {it}" for it in found)]
        return ["No surprises: no claim of the article or folklore is contradicted by ten cells or more."]

    def beyond(self) -> list[str]:
        """Return the line for developers of cside about targets; empty if none is beyond what is fair."""
        count = sum(entry["unfair"] for entry in self.report.summary["targets"])
        if not count:
            return []
        return [
            f"For developers of cside: {count} {'target is' if count == 1 else 'targets are'} beyond what is fair: "
            "cside targets"
        ]

    def _line(self, console: Console, text: str) -> None:
        console.print(Text(text), width=min(WIDEST, console.width), overflow="ellipsis", no_wrap=True)

    def answers(self) -> Table:
        """Return the answers, one line each: the profile, what to take, and how sure or what would settle it."""
        table = Table(box=None, padding=(0, 2, 0, 0), width=WIDEST)
        indicative = any(answer["indicative"] for answer in self.decisions.answers)
        for name in (
            "If you have",
            "take" + (" (indicative)" if indicative else ""),
            "probability of being best; or open between",
        ):
            table.add_column(name, no_wrap=True, overflow="ellipsis")
        for answer in self.decisions.answers:
            sure = "—" if answer["probability"] is None else percent(answer["probability"])
            if answer["outcome"] == "tie":
                sure += ", together"
            elif names := between(answer):
                sure = ", ".join(names)
            table.add_row(answer["profile"]["title"], told(answer), sure)
        return table

    def trust(self) -> list[str]:
        """Return whether the run is to be trusted: a line for all interpreters, and one for each that failed."""
        summary = self.report.summary
        entries = summary["interpreters"]
        good = [it["label"] for it in entries if it["trustworthy"]]
        bad = [it for it in entries if it["trustworthy"] is False]
        lines = []
        if good:
            margin = max(it["margin"] for it in entries if it["trustworthy"])
            lines.append(f"Trustworthy by its own checks on {', '.join(good)} (margin {margin:.1%}).")
        lines += [f"NOT TRUSTWORTHY on {it['label']}: {' '.join(failed(it))}" for it in bad]
        if not good and not bad:
            lines.append(f"Not judged. {NO_VERDICTS}")
        if not summary["complete"]:
            lines.append("The run was interrupted, and shows only what is finished.")
        return lines

    def label(self) -> str | None:
        """Return the interpreter of the table: the newest CPython with the GIL, or the first interpreter."""
        labels = self.report.labels
        usual = [it for it in labels if it.startswith("cpython-") and not it.endswith("t")]
        if usual:
            return usual[-1]
        return labels[0] if labels else None

    def rows(self, label: str) -> list[dict[str, str]]:
        """Return the rows of the table: those of the README, or the first of all headline rows that were measured."""
        known = self.report.headline(label)
        return ([row for row in known if row["workload"] in headline.readme()] or known)[:ROWS]

    def times(self, label: str, rows: list[dict[str, str]]) -> Table:
        """Return times per call of the reference on an interpreter, and the other bindings' ratios to it."""
        report, reference = self.report, self.report.summary["reference"]
        names = [name for name in report.bindings if name != reference]
        table = Table(box=None, padding=(0, 2, 0, 0), title=None)
        table.add_column(f"{label}: ratios to {reference}", no_wrap=True, overflow="ellipsis")
        for name in (reference, *names):
            table.add_column(name, justify="right", no_wrap=True, overflow="ellipsis")
        for row in rows:
            own = time(report.cells.get((label, row["workload"], reference)))
            others = [ratio(report.cells.get((label, row["workload"], name)), interval=False) for name in names]
            table.add_row(row["label"], own, *others)
        return table


def show(folder_report: Report, console: Console, page: Path | str) -> None:
    """Print the last lines of a run."""
    Ending(folder_report).show(console, str(page))
