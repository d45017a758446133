# SPDX-License-Identifier: Apache-2.0
"""Prints an answer to a profile on the terminal, within 100 columns."""

from typing import Any, Final
from urllib.parse import quote

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cside_bench.recommend.rules import Rules
from cside_bench.recommend.wording import chance, listed
from cside_bench.report.decisions import between, told
from cside_bench.results.evidence import MARKS

WIDEST: Final = 100
INDENT: Final = (0, 0, 0, 2)
UNITS: Final = (("s", 1e9), ("ms", 1e6), ("µs", 1e3))
NOTHING: Final = "—"


def times(values: list[float]) -> str:
    """Format times in one unit, the one that suits the first."""
    unit, size = next(((unit, size) for unit, size in UNITS if abs(values[0]) >= size), ("ns", 1.0))
    return f"{', '.join(f'{value / size:.3g}' for value in values)} {unit}"


def interval(low: float | None, high: float | None, form: str = ".3g") -> str:
    """Format an interval in brackets; empty if an end is missing."""
    return f" ({low:{form}} to {high:{form}})" if low is not None and high is not None else ""


def _short(probability: float | None) -> str:
    return NOTHING if probability is None else chance(probability).replace("above", ">").replace("below", "<")


class Shown:
    """Prints answers of one run."""

    def __init__(self, console: Console, rules: Rules) -> None:
        self.console = console
        self.rules = rules
        self.width = min(WIDEST, console.width)

    def banner(self, text: str) -> None:
        """Print above all answers that they are another machine's."""
        self._text(Text(text, "bold yellow"))
        self.console.print()

    def answer(self, answer: dict[str, Any]) -> None:
        """Print the complete answer to one profile."""
        profile = answer["profile"]
        self._text(Text(profile["title"], "bold"))
        if profile["text"]:
            self._text(Text(profile["text"]), indent=True)
        mark = "ANOTHER MACHINE'S. " if answer["another_machine"] else ""
        mark += "INDICATIVE. " if answer["indicative"] else ""
        self._heading(f"{answer['outcome'].capitalize()}")
        self._text(Text(mark + answer["says"], "bold"), indent=True)
        if answer["probability"] is not None:
            self._text(
                Text(
                    f"Probability that {self._leader(answer)} best of those that fit: {chance(answer['probability'])} "
                    f"from the measurements alone, {chance(answer['probability_if_weights_doubted'])} if the weights "
                    "are doubted as well."
                ),
                indent=True,
            )
        if answer["runner_up"]:
            self._text(Text(f"Runner-up: {self.rules.title(answer['runner_up'])}."), indent=True)
        self._evidence(answer)
        self._list("What would break the tie", answer["tie_breakers"])
        if answer["flip_points"]:
            self._list("What would change the answer", [it["says"] for it in answer["flip_points"]])
        elif answer["probability"] is not None:
            self._list("What would change the answer", ["Nothing within the ranges that were searched."])
        self._contributions(answer)
        self._list("Left out", [f"{it['title']} [{it['rule']}]: {it['reason']}" for it in answer["excluded"]])
        self._list("Notes", answer["notes"])
        if answer["rules"]:
            self._heading("Rules used (rules.toml)")
            self._text(Text(", ".join(answer["rules"])), indent=True)
        self.console.print()

    def _leader(self, answer: dict[str, Any]) -> str:
        """Return the subject and verb of the sentence on the probability; those that tie have one together."""
        if answer["outcome"] == "tie":
            return f"one of {listed([self.rules.title(name) for name in answer['recommended']])} is"
        return f"{answer['candidates'][0]['title']} is"

    def _text(self, text: Text, *, indent: bool = False) -> None:
        self.console.print(Padding(text, INDENT if indent else 0, expand=False), width=self.width, highlight=False)

    def _heading(self, title: str) -> None:
        self.console.print()
        self._text(Text(title, "underline"))

    def _list(self, title: str, lines: list[str]) -> None:
        if not lines:
            return
        self._heading(title)
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=1)
        grid.add_column(overflow="fold")
        for line in lines:
            grid.add_row("-", Text(line))
        self.console.print(Padding(grid, INDENT, expand=False), width=self.width, highlight=False)

    def _evidence(self, answer: dict[str, Any]) -> None:
        """Print the cells that compare the leader with the next, each with the name that the report's links use."""
        if not answer["evidence"]:
            return
        first = answer["evidence"][0]
        self._heading(f"Evidence: time of {first['subject']} over that of {first['against']}")
        table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
        for name, right in (("cell", False), ("each", True), ("ratio", True)):
            table.add_column(name, justify="right" if right else "left", overflow="fold")
        for it in answer["evidence"]:
            ratio = f"{it['ratio']:.3g}{interval(it['low'], it['high'])} {MARKS.get(it['verdict'], '')}".rstrip()
            name = f"{it['interpreter']}/{it['workload']}/{it['subject']}"
            link = f"#cell/{'/'.join(quote(it[key], safe='') for key in ('interpreter', 'workload', 'subject'))}"
            linked = self.console.is_terminal and not answer["another_machine"]  # that run has no page here
            style = f"link report.html{link}" if linked else ""
            table.add_row(Text(name, style=style), times(it["ns"]), ratio)
        self.console.print(Padding(table, INDENT, expand=False), width=self.width, highlight=False)
        self._text(Text("▼ faster  ▲ slower  = equivalent  ? inconclusive, by the run's own verdicts"), indent=True)

    def _contributions(self, answer: dict[str, Any]) -> None:
        """Print the points by criterion and approach, and the contributions of the first two approaches."""
        ranked = [it for it in answer["candidates"] if it["score"] is not None]
        if not ranked:
            return
        self._heading("Contributions: points (1 the least cost, 0 twice as much, -1 four times), and score")
        table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
        table.add_column("criterion", overflow="fold", max_width=28)
        table.add_column("weight", justify="right")
        for it in ranked:
            table.add_column(it["subject"], justify="right")
        for place, contribution in enumerate(ranked[0]["contributions"]):
            judged = " *" if contribution["kind"] == "judgement" else ""
            table.add_row(
                contribution["title"] + judged,
                f"{contribution['weight']:.2f}",
                *(f"{it['contributions'][place]['points']:.2f}" for it in ranked),
            )
        table.add_section()
        table.add_row("score", "1.00", *(f"{it['score']:.2f}" for it in ranked))
        table.add_row(
            "P(best)", "", *(_short(it["probability"]) + (" together" if it["tied"] else "") for it in ranked)
        )
        self.console.print(Padding(table, INDENT, expand=False), width=self.width, highlight=False)
        self._text(Text("* judgement, not measurement"), indent=True)
        for it in ranked[:2]:
            said = [f"{each['title']}: {each['says']}" for each in it["contributions"]]
            self._list(it["title"], said)

    def overview(self, document: dict[str, Any]) -> None:
        """Print one line for each profile."""
        table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
        for name in ("profile", "take", "p(best)", "open between", "runner-up"):
            table.add_column(name, overflow="fold")
        for it in document["answers"]:
            probability = NOTHING if it["probability"] is None else chance(it["probability"])
            table.add_row(
                it["profile"]["id"],
                told(it) + (" (indicative)" if it["indicative"] else ""),
                probability + (", together" if it["outcome"] == "tie" else ""),
                ", ".join(between(it)) or NOTHING,
                it["runner_up"] or NOTHING,
            )
        self.console.print(table, width=self.width, highlight=False)
        self.console.print()
