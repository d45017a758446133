# SPDX-License-Identifier: Apache-2.0
"""Prints a drill on the terminal: a table per interpreter and pass, with a row per change and a column per binding."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.results.drill import LIBRARY, PASSES, REBUILT, origin

TITLES: Final = {
    LIBRARY: "the changed library replaces the old one; nothing is rebuilt",
    REBUILT: "rebuilt from unchanged sources, against the changed header and library",
}
STYLES: Final = {"build": "green", "import": "green", "call": "yellow", "silent": "bold red", "crash": "red"}
WARNED: Final = "*"
NOTHING_BUILT: Final = "°"


def rows(document: Mapping[str, Any], interpreter: str, which: str) -> list[tuple[str, list[str]]]:
    """Return the rows of one table: the change's id, and a word for each binding in the document's order.

    A word ends with ``*`` if the build only warned, and with ``°`` if there was nothing to build.
    """
    at = {
        (each["change"], each["binding"]): each
        for each in document["outcomes"]
        if each["interpreter"] == interpreter and each["pass"] == which
    }
    return [
        (change["id"], [_word(at[change["id"], name]) for name in document["bindings"]])
        for change in document["changes"]
    ]


def _word(outcome: Mapping[str, Any]) -> str:
    if outcome["warned"]:
        return f"{outcome['outcome']}{WARNED}"
    if outcome["pass"] == REBUILT and not outcome["rebuilt"]:
        return f"{outcome['outcome']}{NOTHING_BUILT}"
    return str(outcome["outcome"])


def tables(document: Mapping[str, Any]) -> Iterator[tuple[str, Table]]:
    """Yield titles and tables in the order of the document."""
    for interpreter in document["interpreters"]:
        for which in PASSES:
            label = interpreter["label"]
            table = Table(box=None, padding=(0, 1, 0, 0))
            table.add_column("change", no_wrap=True)
            for name in document["bindings"]:
                table.add_column(name, no_wrap=True)
            for change, words in rows(document, label, which):
                table.add_row(
                    change, *(Text(word, STYLES.get(word.rstrip(WARNED + NOTHING_BUILT), "")) for word in words)
                )
            yield f"{label}: {TITLES[which]}", table


def counts(document: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each pass with the number of cells by outcome, the worst first."""
    found = []
    for which in PASSES:
        tally = Counter(each["outcome"] for each in document["outcomes"] if each["pass"] == which)
        outcomes = ", ".join(f"{tally[name]} {name}" for name in reversed(list(document["legend"])) if tally[name])
        found.append(f"{which}: {tally.total()} cells: {outcomes}")
    return found


def show(document: Mapping[str, Any], console: Console) -> None:
    """Print all tables of a drill, the counts and the legend."""
    console.print(f"Header-change drill of {document['created']}, on {document['machine']}", highlight=False)
    for note in origin(document):
        console.print(note, highlight=False, markup=False)
    for title, table in tables(document):
        console.print()
        console.print(title, style="bold", highlight=False)
        console.print(table)
    console.print()
    for sentence in counts(document):
        console.print(sentence, highlight=False)
    console.print()
    for name, says in document["legend"].items():
        console.print(f"{name:<11} {says}", highlight=False)
    console.print(f"{WARNED:<11} the build gave a new warning and succeeded", highlight=False)
    console.print(
        f"{NOTHING_BUILT:<11} no part of the binding is compiled, so that there was nothing to rebuild", highlight=False
    )
