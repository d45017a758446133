# SPDX-License-Identifier: Apache-2.0
"""Summarises recommendations, claims and the drill for ``report.md`` and the terminal.

Other modules compute them; this module reads their files. The page shows them in full.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.results.files import CLAIMS_FILE, DRILL_FILE, RECOMMENDATIONS_FILE

LIKELY: Final = 0.1
"""Least probability of an approach that is named in an unresolved choice."""
VERDICTS: Final = ("confirmed", "refuted", "undecided", "untestable")


def percent(value: float | None) -> str:
    """Format a probability; never as 0 % or 100 %, since the number of draws is finite."""
    if value is None:
        return "—"
    return "< 1 %" if value < 0.01 else "> 99 %" if value > 0.99 else f"{value:.0%}".replace("%", " %")


class Decisions:
    """The recommendations, claims and drill in a run's folder; empty if a file is missing."""

    def __init__(self, folder: Path) -> None:
        self.answers: list[dict[str, Any]] = read(folder / RECOMMENDATIONS_FILE).get("answers", [])
        self.claims: list[dict[str, Any]] = read(folder / CLAIMS_FILE).get("claims", [])
        self.drill: dict[str, Any] = read(folder / DRILL_FILE)

    def counts(self) -> dict[str, int]:
        """Return the number of claims with each verdict."""
        found = Counter(claim["verdict"] for claim in self.claims)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def drill_tables(self) -> list[dict[str, Any]]:
        """Return, for each pass and interpreter, the bindings and the outcome of each change with each binding."""
        outcomes = self.drill.get("outcomes", [])
        found = {(it["pass"], it["interpreter"], it["binding"], it["change"]): it["outcome"] for it in outcomes}
        tables = []
        for way, label in dict.fromkeys((it["pass"], it["interpreter"]) for it in outcomes):
            names = list(dict.fromkeys(key[2] for key in found if key[:2] == (way, label)))
            rows = [
                (change["title"], [found.get((way, label, name, change["id"]), "—") for name in names])
                for change in self.drill["changes"]
            ]
            tables.append({"pass": way, "interpreter": label, "bindings": names, "rows": rows})
        return tables

    def show(self, console: Console) -> None:
        """Print the recommendations and the number of claims on the terminal, within 100 columns."""
        if self.answers:
            console.print(self.table())
            if any(answer["outcome"] == "tie" for answer in self.answers):
                console.print(
                    "a tie names the simplest approach first; p is the probability that the one of least cost is best",
                    highlight=False,
                )
            if any(answer["indicative"] for answer in self.answers):
                console.print("indicative: this tier gives no verdicts", highlight=False)
        if self.claims:
            counts = ", ".join(f"{number} {verdict}" for verdict, number in self.counts().items())
            console.print(f"claims: {counts}; `cside claims` shows them with their numbers", highlight=False)

    def table(self) -> Table:
        """Return the table of profiles and their recommendations."""
        table = Table(title="Recommended approach; p: probability of being best (see cside recommend)")
        table.title_justify = "left"
        for name, right in (("profile", False), ("recommended", False), ("p", True), ("runner-up", False)):
            table.add_column(name, justify="right" if right else "left", overflow="fold")
        for answer in self.answers:
            table.add_row(
                answer["profile"]["title"],
                Text(told(answer)),
                percent(answer["probability"]),
                answer["runner_up"] or "—",
            )
        return table


def told(answer: dict[str, Any]) -> str:
    """Return the outcome of one recommendation in a few words."""
    names = ", ".join(answer["recommended"])
    leading = [it["subject"] for it in answer["candidates"] if (it["probability"] or 0.0) >= LIKELY]
    unresolved = f"open: {' or '.join(leading)}" if leading else "not ranked by this run"
    return {
        "recommended": names,
        "tie": f"tie: {names}",
        "unresolved": unresolved,
        "nothing fits": "nothing fits",
    }.get(str(answer["outcome"]), str(answer["outcome"]))


def read(path: Path) -> dict[str, Any]:
    """Read a JSON document; empty if the file does not exist."""
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
