# SPDX-License-Identifier: Apache-2.0
"""Shows the hazards: a table per interpreter on the terminal and on the page, and those of ``docs/hazards.md``."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.results import hazards
from cside_bench.results.hazards import OUTCOMES, HazardError

STYLES: Final = {
    "crash": "red",
    "silent": "bold red",
    "leak": "red",
    "raised": "yellow",
    "import": "green",
    "build": "green",
    "harmless": "dim",
    "impossible": "green",
}
WARNED: Final = "*"
LEGEND: Final = {
    "impossible": "the approach does not let one write it",
    "build": "the compiler or the generator refuses it",
    "import": "the import fails",
    "raised": "a Python exception names or refuses it",
    "silent": "a wrong answer, corrupted memory, or a process that hangs, without an exception that names it",
    "leak": "memory that is never freed",
    "crash": "the process dies",
    "harmless": "the mistake was made, and the answer is right on this machine",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """The outcomes that a page shows."""

    document: Mapping[str, Any]
    whose: str
    """A sentence that says where they were observed."""
    own: bool = False
    """Whether they lie beside the run, and are not those that ship."""

    def tables(self) -> list[dict[str, Any]]:
        """Return, by interpreter: ``{"interpreter", "release", "rows", "counts"}``.

        A row has a mistake and an outcome per approach; ``counts`` are those of :func:`counts`, as lists.
        """
        at = {(it["interpreter"], it["hazard"], it["approach"]): it for it in self.document["outcomes"]}
        names = self.document["approaches"]
        return [
            {
                "interpreter": each["label"],
                "release": each["release"],
                "rows": [
                    (hazard, [at[each["label"], hazard["id"], name] for name in names])
                    for hazard in self.document["hazards"]
                ],
                "counts": [(name, numbers.split()) for name, numbers in counts(self.document, each["label"])],
            }
            for each in self.document["interpreters"]
        ]


def seen(results: Path) -> Seen:
    """Return the newest outcomes below a folder of runs or, if there are none, those that ship with cside."""
    newest = hazards.newest(results)
    if newest is not None:
        try:
            document = hazards.load(newest)
            return Seen(document, f"Observed on this machine, on {document['made'][:10]}.", own=True)
        except HazardError as error:
            document = hazards.reference()
            return Seen(document, f"{error}. So these are the outcomes that ship with cside.")
    document = hazards.reference()
    return Seen(
        document,
        f"Observed on {document['made'][:10]} on another machine, and shipped with cside. nox -s hazards observes them "
        "here.",
    )


def rows(document: Mapping[str, Any], interpreter: str) -> list[tuple[str, list[str]]]:
    """Return the rows of one table: the mistake's id, and a word per approach, with ``*`` if its build warned."""
    at = {
        (each["hazard"], each["approach"]): each["outcome"] + (WARNED if each["warned"] else "")
        for each in document["outcomes"]
        if each["interpreter"] == interpreter
    }
    return [
        (each["id"], [at[each["id"], approach] for approach in document["approaches"]]) for each in document["hazards"]
    ]


def counts(document: Mapping[str, Any], interpreter: str) -> Iterator[tuple[str, str]]:
    """Yield each outcome that occurs, the worst first, with the number of each approach's cells that have it."""
    tally = Counter(
        (each["outcome"], each["approach"]) for each in document["outcomes"] if each["interpreter"] == interpreter
    )
    for outcome in OUTCOMES:
        numbers = [tally[outcome, approach] for approach in document["approaches"]]
        if any(numbers):
            yield outcome, " ".join(map(str, numbers))


def show(document: Mapping[str, Any], console: Console, *, says: bool = False) -> None:
    """Print all tables, the counts and the legend; with ``says`` also what was observed in each cell."""
    console.print(f"Hazards of {document['made']}, by {_compilers(document) or '?'}", highlight=False)
    for each in document["interpreters"]:
        console.print()
        console.print(f"{each['label']} ({each['release']})", style="bold", highlight=False)
        for columns in _side_by_side(document, each["label"], console.width):
            console.print(_table(document, each["label"], columns))
    if says:
        console.print()
        for each in document["outcomes"]:
            place = f"{each['interpreter']} {each['hazard']} {document['titles'][each['approach']]}"
            warned = f"; the build warned: {each['warned']}" if each["warned"] else ""
            console.print(f"{place}: {each['outcome']}: {each['says']}{warned}", highlight=False, markup=False)
    console.print()
    for name, meaning in LEGEND.items():
        console.print(f"{name:<11} {meaning}", highlight=False)
    console.print(f"{WARNED:<11} the build gave a warning about it, and succeeded", highlight=False)


def _side_by_side(document: Mapping[str, Any], interpreter: str, room: int) -> Iterator[slice]:
    """Yield ranges of approaches whose columns fit one table of a terminal that is ``room`` characters wide."""
    found = rows(document, interpreter)
    titles = [document["titles"][name] for name in document["approaches"]]
    first = max(map(len, [*(f"number of {outcome}" for outcome in OUTCOMES), *(name for name, _ in found)]))
    widths = [max(map(len, column)) for column in zip(titles, *(words for _, words in found), strict=True)]
    begin, used = 0, first
    for at, width in enumerate(widths):
        if used + 1 + width > room and at > begin:
            yield slice(begin, at)
            begin, used = at, first
        used += 1 + width
    yield slice(begin, len(widths))


def _table(document: Mapping[str, Any], interpreter: str, columns: slice) -> Table:
    """Draw the table of one interpreter and of a range of approaches."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("mistake", no_wrap=True)
    for approach in document["approaches"][columns]:
        table.add_column(document["titles"][approach], no_wrap=True)
    for name, words in rows(document, interpreter):
        table.add_row(name, *(Text(word, STYLES[word.rstrip(WARNED)]) for word in words[columns]))
    table.add_section()
    for outcome, numbers in counts(document, interpreter):
        table.add_row(f"number of {outcome}", *numbers.split()[columns], style="dim")
    return table


def markdown(document: Mapping[str, Any]) -> str:
    """Return the tables as Markdown, with what made them."""
    lines = [f"Made on {document['made'][:10]} by `{document['command']}`, with {_compilers(document)}."]
    for each in document["interpreters"]:
        tools = ", ".join(f"{name} {version}" for name, version in sorted(each["versions"].items()))
        lines += ["", f"**{each['label']}** ({each['release']}; {tools})", ""]
        lines.append("| mistake | " + " | ".join(document["titles"][name] for name in document["approaches"]) + " |")
        lines.append("|---" * (len(document["approaches"]) + 1) + "|")
        for name, words in rows(document, each["label"]):
            shown = [
                f"**{word}**" if word in ("crash", "silent", "leak") else word.replace("*", "\\*") for word in words
            ]
            lines.append(f"| [{name}](#{name}) | " + " | ".join(shown) + " |")
        for outcome, numbers in counts(document, each["label"]):
            lines.append(f"| *number of {outcome}* | " + " | ".join(numbers.split()) + " |")
    return "\n".join(lines)


def paragraphs(document: Mapping[str, Any]) -> str:
    """Return a heading and a paragraph for each mistake: what goes wrong, what is right, what each approach did."""
    found = []
    first = document["interpreters"][0]["label"]
    for hazard in document["hazards"]:
        found.append(f"### {hazard['id']}\n\n**{hazard['title'][0].upper()}{hazard['title'][1:]}.** {hazard['wrong']}")
        found.append(f"*Instead:* {hazard['instead']}")
        cells = [
            each for each in document["outcomes"] if (each["hazard"], each["interpreter"]) == (hazard["id"], first)
        ]
        by_saying: dict[str, list[str]] = {}
        for each in cells:
            saying = f"{each['outcome']}: {_plain(each['says'])}"
            by_saying.setdefault(saying, []).append(document["titles"][each["approach"]])
        told = "; ".join(f"{', '.join(names)}: {says}" for says, names in by_saying.items())
        found.append(f"*On {first}:* {told}.")
    return "\n\n".join(found)


def _compilers(document: Mapping[str, Any]) -> str:
    """The compilers of C and of C++ with their versions."""
    found = (document["compiler"].get(name) for name in ("compiler", "cpp_compiler"))
    return " and ".join(filter(None, found))


def _plain(text: str) -> str:
    """A text without characters that Markdown would take for markup."""
    return "".join(f"\\{sign}" if sign in "*_<>[]|`\\" else sign for sign in text)
