# SPDX-License-Identifier: Apache-2.0
"""``cside source``: where a function stands, in C and in every binding."""

import json
from pathlib import Path
from typing import Final

import click
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table

from cside_bench.cli.console import make_console
from cside_bench.cli.options import json_option
from cside_bench.machine import checkout
from cside_bench.source import addresses
from cside_bench.source.places import Place, UnknownName, places, resolve

ALIKE: Final = {".h": ".c", ".hpp": ".cpp", ".i": ".c", ".pxi": ".pyx"}
"""Suffixes of files that are coloured as those of another suffix."""
NARROWEST: Final = 76
"""Columns that a piece of code needs beside another."""


@click.command("source")
@click.argument("name", required=False)
@click.option("--show", is_flag=True, help="Print the code of each place, side by side where the terminal is wide.")
@json_option("Print the places as one JSON document: what, file, first and last line, and with --show the code.")
def command(name: str | None, show: bool, as_json: bool) -> None:
    """Show where a function stands, in C and in each binding.

    Its places are the declaration in C, the code in each binding, the contract, the tests and the workloads.

    NAME is a function or class of the contract, in Python or in C: each_call, idioms.each_call, cs_each_call, C_Sign.
    Without a NAME, the table of all groups of functions and the files that hold them is printed. The command reads a
    checkout of cside, and works in any of its folders.

    \b
    Examples:
      cside source                      all groups
      cside source each_call            the places of one function
      cside source string_repeat --show the code of all, side by side

    Exit codes: 0 found; 2 no such function, or no checkout here.
    """
    root = checkout.root()
    if root is None:
        raise click.UsageError("this is no folder of a checkout of cside; change to one, and try again")
    console = make_console()
    if name is None:
        table = addresses.rows(root)
        if as_json:
            click.echo(json.dumps(table, indent=1))
        else:
            console.print(listing(table))
        return
    try:
        found = places(root, resolve(name))
    except UnknownName as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps([plain(place, root, show=show) for place in found], indent=1))
    elif show:
        side_by_side(found, root, console)
    else:
        for place in found:
            console.print(f"{place.what:18} {where(place, root)}", highlight=False, soft_wrap=True)


def where(place: Place, root: Path) -> str:
    """The file from the top of the checkout, and the first line, as editors take it."""
    return f"{place.code.path.relative_to(root).as_posix()}:{place.code.first}"


def plain(place: Place, root: Path, *, show: bool) -> dict[str, str | int]:
    """A place as JSON has it."""
    path = place.code.path.relative_to(root).as_posix()
    found: dict[str, str | int] = {
        "what": place.what,
        "file": path,
        "first": place.code.first,
        "last": place.code.last,
    }
    return found | {"code": place.code.text()} if show else found


def lexer(path: Path) -> str:
    """The name of the lexer that colours a file."""
    return Syntax.guess_lexer(f"file{ALIKE.get(path.suffix, path.suffix)}")


def side_by_side(found: list[Place], root: Path, console: Console) -> None:
    """Print the code of all places, as many beside each other as the terminal has room for."""
    beside = max(1, console.width // NARROWEST)
    panels = [
        Panel(
            Syntax(place.code.text(), lexer(place.code.path), word_wrap=True),
            title=f"{place.what}: {where(place, root)}",
            title_align="left",
            width=console.width // beside - (beside > 1),
        )
        for place in found
    ]
    console.print(Columns(panels, padding=(0, 1)) if beside > 1 else Columns(panels, padding=0))


def listing(rows: list[dict[str, str]]) -> Table:
    """The groups, their functions and the files in C and in the suite; the bindings' files have the same stem."""
    table = Table(title="Groups of functions; a file of this stem is in every binding", title_justify="left")
    for name in ("group", "functions", "native", "conformance"):
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(row[name].replace("`", "") for name in ("group", "functions", "native", "conformance")))
    return table
