# SPDX-License-Identifier: Apache-2.0
"""``cside drill``: show the newest drill, or the one that ships; make a new one of what ``nox -s drill`` has built."""

import json
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from cside_bench.cli import options
from cside_bench.cli.exit_codes import EXIT_FAILED
from cside_bench.cli.parameters import BINDING, PYTHON
from cside_bench.drill import changes
from cside_bench.drill.prepared import Prepared
from cside_bench.machine import checkout
from cside_bench.report.drill import show
from cside_bench.results import drill
from cside_bench.results.drill import DrillError
from cside_bench.results.files import point_latest
from cside_bench.results.selection import matches


@click.command("drill")
@click.option(
    "--python",
    multiple=True,
    type=PYTHON,
    metavar="VERSION",
    help="Only this interpreter, as 3.14 or pypy3.11 (repeatable).",
)
@click.option("--all", "every", is_flag=True, help="All interpreters of the matrix. This option is for nox -s drill.")
@click.option(
    "--binding", multiple=True, type=BINDING, metavar="NAME", help="Only this binding or whole variant (repeatable)."
)
@click.option("--change", multiple=True, metavar="ID", help="Only this change (repeatable).")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make the changes of this file in place of those that cside makes. This option is for nox -s drill.",
)
@click.option("--again", is_flag=True, help="Test again also what has a known outcome.")
@click.option(
    "--reference",
    is_flag=True,
    help="Write the outcomes into the checkout, as those that ship with cside. This option is for nox -s drill.",
)
@options.json_option("Print the newest drill.json on standard output and nothing else there.")
@click.option(
    "--prepared",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make a new drill from what nox has built, as this file describes it.",
)
@options.results_option
def command(
    python: tuple[str, ...],
    every: bool,
    binding: tuple[str, ...],
    change: tuple[str, ...],
    file: Path | None,
    again: bool,
    reference: bool,
    as_json: bool,
    prepared: Path | None,
    results: Path,
) -> None:
    """Change the headers, and see which binding notices.

    This prints the newest drill of this machine, or the one that ships with cside: what each binding does when the
    library's headers change, and what its build says. `nox -s drill` makes a new one. It takes the same options,
    continues a drill that was interrupted, and builds and tests only what is not known yet. A drill that is limited by
    --python, --binding or --change, or made of the changes of your own --file, is kept, and does not become the newest.

    \b
    Examples:
      nox -s drill
      nox -s drill -- --python 3.14 --binding cffi --change field-inserted
      cside drill
      cside drill --json

    Exit codes: 0 done; 2 wrong usage; 3 something failed that is no outcome of the drill;
    130 interrupted.
    """
    if reference and (prepared is None or python or binding or change or file):
        raise click.UsageError("--reference ships a drill of everything: nox -s drill -- --reference")
    if file is not None and prepared is None:
        raise click.UsageError(f"changes of your own are made by: nox -s drill -- --file {file}")
    console = Console(width=None if sys.stdout.isatty() else 100, stderr=as_json)
    try:
        if prepared is not None:
            words = _words(python, binding, change, file, every=every, again=again, reference=reference)
            narrowed = bool(python or binding or change or file)
            told = _drill(prepared, results, console, words, file, again=again, narrowed=narrowed)
            if reference:
                console.print(f"cside: {_ship(told)}", highlight=False, markup=False, soft_wrap=True)
        else:
            told = _narrowed(_newest(results), python, binding, change)
    except DrillError as error:
        console.print(str(error), highlight=False, markup=False, soft_wrap=True)
        sys.exit(EXIT_FAILED)
    if as_json:
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        show(told, console)


def _newest(results: Path) -> dict[str, Any]:
    path = drill.newest(results)
    return drill.reference() if path is None else drill.load(path)


def _words(
    python: Sequence[str],
    binding: Sequence[str],
    change: Sequence[str],
    file: Path | None,
    *,
    every: bool,
    again: bool,
    reference: bool,
) -> list[str]:
    """Return the options with which the drill was asked for, as the user typed them after ``nox -s drill --``."""
    files = [file.name] if file is not None else []
    several = (("--python", python), ("--binding", binding), ("--change", change), ("--file", files))
    flags = (("--all", every), ("--again", again), ("--reference", reference))
    words = [word for option, values in several for value in values for word in (option, value)]
    return words + [option for option, given in flags if given]


def _ship(told: dict[str, Any]) -> Path:
    root = checkout.root()
    if root is None:
        raise DrillError("the outcomes that ship are written into a checkout of cside, and this folder is in none")
    return drill.write_reference(root, told)


def _drill(
    prepared: Path,
    results: Path,
    console: Console,
    words: Sequence[str],
    file: Path | None,
    *,
    again: bool,
    narrowed: bool,
) -> dict[str, Any]:
    from cside_bench.drill.drilling import Drill  # takes a second to import, and showing a drill does not need it
    from cside_bench.drill.provenance import of_drill

    def say(text: str) -> None:
        console.print(f"cside: {text}", highlight=False, markup=False, soft_wrap=True)

    built = Prepared.load(prepared)
    told, logs = Drill(built, changes.read(file), say, again=again).run()
    told |= of_drill(built, shlex.join(["nox", "-s", "drill", *(["--", *words] if words else [])]))
    folder = results / drill.DRILLS / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    written = drill.write(folder, told, logs)
    if narrowed:
        say(f"{written}; this drill is limited, so results/drills/latest was not changed")
    else:
        point_latest(folder)
        say(str(written))
    return told


def _narrowed(
    told: dict[str, Any], python: Sequence[str], binding: Sequence[str], change: Sequence[str]
) -> dict[str, Any]:
    """Leave only what was asked for in the document. Raises `click.UsageError` where it does not have it."""
    labels = [each["label"] for each in told["interpreters"]]
    ids = [each["id"] for each in told["changes"]]
    wanted = {name for name in told["bindings"] if not binding or name in binding or name.partition(".")[0] in binding}
    kept_labels = {label for label in labels if not python or any(matches(label, each) for each in python)}
    kept_ids = {name for name in ids if not change or name in change}
    for kept, asked, known in (
        (kept_labels, python, labels),
        (wanted, binding, told["bindings"]),
        (kept_ids, change, ids),
    ):
        if not kept:
            raise click.UsageError(f"the newest drill does not have {', '.join(asked)}; it has {', '.join(known)}")
    return told | {
        "interpreters": [each for each in told["interpreters"] if each["label"] in kept_labels],
        "bindings": [name for name in told["bindings"] if name in wanted],
        "changes": [each for each in told["changes"] if each["id"] in kept_ids],
        "outcomes": [
            each
            for each in told["outcomes"]
            if each["interpreter"] in kept_labels and each["binding"] in wanted and each["change"] in kept_ids
        ],
    }
