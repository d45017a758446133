# SPDX-License-Identifier: Apache-2.0
"""``cside claims``: the ledger of claims, judged by a run."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from cside_bench.claims.catalogue import Catalogue, CatalogueError
from cside_bench.claims.judging import CONFIRMED, REFUTED, UNDECIDED, UNTESTABLE, judge
from cside_bench.claims.rows import AGAINST, FOR, UNCLEAR
from cside_bench.claims.wording import digits, hypothesis
from cside_bench.cli.console import make_console
from cside_bench.cli.options import found_run, json_option, reading, results_option
from cside_bench.cli.parameters import CLAIM, RUN
from cside_bench.results.evidence import Run
from cside_bench.results.files import LATEST

WIDEST: Final = 100
"""Columns that a table has at most."""
MARKS: Final = {CONFIRMED: "✓", REFUTED: "✗", UNDECIDED: "?", UNTESTABLE: "\N{EM DASH}"}
SIDES: Final = {FOR: "+", AGAINST: "\N{MINUS SIGN}", UNCLEAR: "?"}
"""Signs that stand beside words, so that no meaning depends on a colour alone."""


@click.command("claims")
@click.argument("run", type=RUN, default=LATEST)
@click.option(
    "--claim",
    "claim",
    multiple=True,
    type=CLAIM,
    metavar="ID",
    help="Only this claim, with all its evidence (repeatable).",
)
@click.option(
    "--list", "as_list", is_flag=True, help="Print the claims, their hypotheses and their sources. This needs no run."
)
@click.option(
    "--catalogue",
    "files",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Judge the claims of this TOML file as well (repeatable).",
)
@json_option()
@results_option
def command(
    run: str, claim: tuple[str, ...], as_list: bool, files: tuple[Path, ...], as_json: bool, results: Path
) -> None:
    """Judge what is said of bindings by a run.

    The claims are those of the article "Python by the C side" and of folklore. RUN confirms a claim, refutes it, or
    leaves it undecided. RUN is a name under results/, a path, or "latest", which is the default. A claim that RUN has
    no measurements for is untestable, and the answer says what to run. Claims about time are decided only where the run
    gives verdicts and is trustworthy by its own checks; other evidence is shown as indicative.

    A claim is one entry of a TOML file. docs/claims.md says what it may hold and how it is judged. With --catalogue,
    claims of your own are judged as well.

    \b
    Examples:
      cside claims                             all claims, by the newest run
      cside claims 20261121-120000 --claim few-kib-enough
      cside claims --list                      what is claimed, by whom, and how it is decided
      cside claims --catalogue mine.toml --claim my-claim
      cside claims --json | jq -r '.claims[] | [.verdict, .id, .why] | @tsv'

    Exit codes: 0 judged, whatever the verdicts; 2 wrong usage, no such run or claim, or a catalogue that cannot be
    read.
    """
    try:
        catalogue = Catalogue.shipped()
        for file in files:
            catalogue = catalogue.and_file(file)
        catalogue = catalogue.only(claim)
    except CatalogueError as error:
        raise click.UsageError(str(error)) from error
    console = make_console()
    if as_list:
        if as_json:
            click.echo(json.dumps(listed(catalogue), indent=1, ensure_ascii=False))
        else:
            show_list(listed(catalogue), console)
        return
    folder = found_run(results, run)
    with reading(folder):
        document = judge(Run.load(folder), catalogue)
    if as_json:
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
    elif claim:
        for entry in document["claims"]:
            show_claim(entry, console)
    else:
        show(document, console)


def listed(catalogue: Catalogue) -> list[dict[str, Any]]:
    """The catalogue as plain data."""
    return [
        {
            "id": claim.id,
            "title": claim.title,
            "text": claim.text,
            "source": {"title": claim.source.title, "where": claim.source.where},
            "kind": claim.kind,
            "hypothesis": hypothesis(claim, catalogue),
        }
        for claim in catalogue.claims
    ]


def show_list(claims: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print the catalogue."""
    for claim in claims:
        console.print(f"[bold]{claim['id']}[/]  {escape(claim['title'])}", highlight=False)
        lines = [claim["text"], f"Judged by: {claim['hypothesis']}", source(claim)]
        for line in lines:
            console.print(Padding(escape(line), (0, 0, 0, 2)), highlight=False, width=min(console.width, WIDEST))
        console.print()


def source(claim: Mapping[str, Any]) -> str:
    """The source of a claim, on one line."""
    return f"Source: {claim['source']['title']} ({claim['source']['where']})"


def show(document: Mapping[str, Any], console: Console) -> None:
    """Print all verdicts as a table."""
    console.print(f"claims, judged by {document['run']}", style="bold", highlight=False)
    table = Table(box=SIMPLE, width=min(console.width, WIDEST))
    table.add_column("claim", ratio=1)
    table.add_column("ID for --claim", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("cells", no_wrap=True)
    for claim in document["claims"]:
        verdict = claim["verdict"]
        sides = " ".join(f"{mark}{claim['counts'][name]}" for name, mark in SIDES.items()) if claim["evidence"] else ""
        table.add_row(escape(claim["title"]), claim["id"], f"{MARKS[verdict]} {verdict}", sides)
    console.print(table, highlight=False)
    found = Counter(claim["verdict"] for claim in document["claims"])
    said = ", ".join(f"{found[verdict]} {verdict}" for verdict in MARKS if found[verdict])
    console.print(
        f"{said}; cells: {SIDES[FOR]} for, {SIDES[AGAINST]} against, {SIDES[UNCLEAR]} unclear.", highlight=False
    )
    console.print("To see why, with every cell of the evidence: cside claims --claim ID", highlight=False)


def show_claim(claim: Mapping[str, Any], console: Console) -> None:
    """Print one claim with all its evidence."""
    width = min(console.width, WIDEST)
    verdict = claim["verdict"]
    console.print(f"[bold]{escape(claim['title'])}[/]: {MARKS[verdict]} {verdict}", highlight=False, width=width)
    for line in (claim["why"], f"Claimed: {claim['text']}", f"Judged by: {claim['hypothesis']}", source(claim)):
        console.print(escape(line), highlight=False, width=width)
    if claim["evidence"]:
        table = Table(box=SIMPLE, width=width)
        table.add_column("interpreter", no_wrap=True)
        table.add_column("workload", overflow="fold")
        table.add_column("what was found", ratio=1)
        table.add_column("supports", no_wrap=True)
        for row in claim["evidence"]:
            side = f"{SIDES[row['supports']]} {row['supports']}"
            table.add_row(row["interpreter"] or "any", escape(row["workload"] or ""), escape(in_short(row)), side)
        console.print(table, highlight=False)
    console.print()


def in_short(row: Mapping[str, Any]) -> str:
    """What a row of evidence found; a ratio stands on one line with its interval."""
    if row["ratio"] is None:
        return str(row["what"])
    bounds = "" if row["low"] is None else f" ({digits(row['low'])} to {digits(row['high'])})"
    return f"{row['subject']} / {row['against']}: {digits(row['ratio'])}{bounds}"
