# SPDX-License-Identifier: Apache-2.0
"""What a run decides, in short: recommendations, claims and the drill, for ``report.md`` and the terminal.

They are computed elsewhere and read here from their files; the page shows them in full.
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
"""Probability from which on an approach is named where the choice stays open."""
VERDICTS: Final = ("confirmed", "refuted", "undecided", "untestable")


def percent(value: float | None) -> str:
    """A probability; never 0 % or 100 %, which a simulation cannot know."""
    if value is None:
        return "—"
    return "< 1 %" if value < 0.01 else "> 99 %" if value > 0.99 else f"{value:.0%}".replace("%", " %")


class Decisions:
    """Those of one run's folder; empty lists where something was not drawn."""

    def __init__(self, folder: Path) -> None:
        self.answers: list[dict[str, Any]] = read(folder / RECOMMENDATIONS_FILE).get("answers", [])
        self.claims: list[dict[str, Any]] = read(folder / CLAIMS_FILE).get("claims", [])
        self.drill: dict[str, Any] = read(folder / DRILL_FILE)

    def counts(self) -> dict[str, int]:
        """How many claims got which verdict."""
        found = Counter(claim["verdict"] for claim in self.claims)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def drill_tables(self) -> list[dict[str, Any]]:
        """For each pass and interpreter: the bindings, and of each change what came of it with each of them."""
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
        """On the terminal, within 100 columns."""
        if self.answers:
            console.print(self.table())
            if any(answer["outcome"] == "tie" for answer in self.answers):
                console.print(
                    "a tie names the simplest approach first; p is the probability that the one of lowest cost is best",
                    highlight=False,
                )
            if any(answer["indicative"] for answer in self.answers):
                console.print("indicative: this tier gives no verdicts", highlight=False)
        if self.claims:
            counts = ", ".join(f"{number} {verdict}" for verdict, number in self.counts().items())
            console.print(f"claims: {counts}; `cside claims` shows them with their numbers", highlight=False)

    def table(self) -> Table:
        """Profiles and what is recommended for them."""
        table = Table(title="Which way to bind, with its probability of being best (cside recommend says why)")
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
    """The outcome of one recommendation in a few words."""
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
    """A document; empty where there is none."""
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
