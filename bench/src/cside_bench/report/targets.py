# SPDX-License-Identifier: Apache-2.0
"""Prints the targets of a run: what a good binding reaches, and where those of cside do not."""

from collections import Counter
from typing import Any, Final

from rich.console import Console
from rich.table import Table

ORDER: Final = ("missed", "unresolved", "met")
UNFAIR: Final = (
    "beyond: further off than a fair comparison allows. Either the binding has a bug, or this machine differs from "
    "those that the target is based on"
)


def chosen(targets: list[dict[str, Any]], *, everything: bool) -> list[dict[str, Any]]:
    """Return the targets to show, those beyond what is fair first; without ``everything`` only these and the missed."""
    shown = [it for it in targets if everything or it["unfair"] or it["status"] == "missed"]
    return sorted(shown, key=lambda it: (not it["unfair"], ORDER.index(it["status"])))


def counts(targets: list[dict[str, Any]]) -> str:
    """Return a sentence with the number of targets by result."""
    tally = Counter(it["status"] for it in targets)
    beyond = sum(it["unfair"] for it in targets)
    return (
        f"{tally['met']} met, {tally['missed']} missed, {tally['unresolved']} unresolved; {beyond} beyond what is fair"
    )


def show(targets: list[dict[str, Any]], console: Console, *, everything: bool) -> None:
    """Print the targets as a table, with their number by result."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name, right in (("target", False), ("interpreter", False), ("value", True), ("reach", True), ("", False)):
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    shown = chosen(targets, everything=everything)
    for it in shown:
        state = f"{it['status']}, beyond" if it["unfair"] else it["status"]
        table.add_row(it["name"], it["interpreter"], f"{it['value']:.3g} {it['unit']}", f"{it['reach']:g}", state)
    if shown:
        console.print(table, highlight=False)
    console.print(counts(targets), highlight=False)
    if any(it["unfair"] for it in shown):
        console.print(UNFAIR, highlight=False)
