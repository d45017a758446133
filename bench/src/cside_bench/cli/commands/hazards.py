# SPDX-License-Identifier: Apache-2.0
"""``cside hazards``: show what each approach lets one do wrong, or make all mistakes again by ``nox -s hazards``."""

import json
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from cside_bench.cli import options
from cside_bench.cli.exit_codes import EXIT_FAILED
from cside_bench.cli.parameters import BINDING, PYTHON
from cside_bench.hazards.prepared import Prepared
from cside_bench.hazards.running import run
from cside_bench.report.hazards import show
from cside_bench.results import hazards
from cside_bench.results.files import point_latest
from cside_bench.results.hazards import HazardError
from cside_bench.results.selection import matches


@click.command("hazards")
@click.option(
    "--python",
    multiple=True,
    type=PYTHON,
    metavar="VERSION",
    help="Only this interpreter, as 3.14 or pypy3.11 (repeatable).",
)
@click.option(
    "--binding",
    multiple=True,
    type=BINDING,
    metavar="NAME",
    help="Only this approach, a binding's name (repeatable).",
)
@click.option("--only", multiple=True, metavar="NAME", help="Only this mistake (repeatable).")
@click.option("--says", is_flag=True, help="Print also what was observed in each cell.")
@options.json_option("Print hazards.json on standard output and nothing else there.")
@click.option(
    "--prepared",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make the mistakes again, with the interpreters and tools that this file of nox names.",
)
@options.results_option
def command(
    python: tuple[str, ...],
    binding: tuple[str, ...],
    only: tuple[str, ...],
    says: bool,
    as_json: bool,
    prepared: Path | None,
    results: Path,
) -> None:
    """Make classic mistakes with each approach, and see what happens.

    This prints the newest outcomes of this machine, or those that ship with cside. Each mistake is written as users of
    the approach write it, in the folder hazards of the checkout: a file per approach, a function per mistake. Each runs
    in processes of its own, so that a crash is an outcome. `nox -s hazards` makes them again, with the same options; in
    about five minutes for the newest CPython and PyPy.

    \b
    Examples:
      nox -s hazards
      nox -s hazards -- --python 3.14 --only fork --binding ctypes
      cside hazards
      cside hazards --only buffer_freed --says
      cside hazards --json

    Exit codes: 0 done; 2 wrong usage; 3 something failed that is no outcome of the catalogue; 130 interrupted.
    """
    console = Console(width=None if sys.stdout.isatty() else 120, stderr=as_json)
    try:
        if prepared is not None:
            told = _made(Prepared.load(prepared), results, console, python, binding, only)
        else:
            newest = hazards.newest(results)
            told = _narrowed(hazards.reference() if newest is None else hazards.load(newest), python, binding, only)
    except HazardError as error:
        console.print(str(error), highlight=False, markup=False, soft_wrap=True)
        sys.exit(EXIT_FAILED)
    if as_json:
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        show(told, console, says=says)


def _made(
    prepared: Prepared,
    results: Path,
    console: Console,
    python: Sequence[str],
    binding: Sequence[str],
    only: Sequence[str],
) -> dict[str, Any]:
    words = [word for option, values in _given(python, binding, only) for value in values for word in (option, value)]
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("making mistakes", total=None)
        told = run(
            prepared,
            shlex.join(["nox", "-s", "hazards", *(["--", *words] if words else [])]),
            approaches=binding,
            only=only,
            say=lambda text: bar.update(task, description=text),
            advance=lambda done, count: bar.update(task, description="making mistakes", completed=done, total=count),
        )
    folder = results / hazards.FOLDER / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    written = hazards.write(folder, told)
    if python or binding or only:
        note = f"{written}; it is limited, so results/hazards/latest was not changed"
    else:
        point_latest(folder)
        note = str(written)
    console.print(f"cside: {note}", highlight=False, markup=False, soft_wrap=True)
    return told


def _given(python: Sequence[str], binding: Sequence[str], only: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    return [("--python", python), ("--binding", binding), ("--only", only)]


def _narrowed(
    told: dict[str, Any], python: Sequence[str], binding: Sequence[str], only: Sequence[str]
) -> dict[str, Any]:
    """Leave only what was asked for in the document. Raises `click.UsageError` where it does not have it."""
    labels = [each["label"] for each in told["interpreters"]]
    ids = [each["id"] for each in told["hazards"]]
    kept_labels = [label for label in labels if not python or any(matches(label, each) for each in python)]
    kept = [name for name in told["approaches"] if not binding or name in binding]
    kept_ids = [name for name in ids if not only or name in only]
    for found, asked, known in (
        (kept_labels, python, labels),
        (kept, binding, told["approaches"]),
        (kept_ids, only, ids),
    ):
        if not found:
            raise click.UsageError(f"there is no outcome of {', '.join(asked)}; there are: {', '.join(known)}")
    return told | {
        "interpreters": [each for each in told["interpreters"] if each["label"] in kept_labels],
        "approaches": kept,
        "hazards": [each for each in told["hazards"] if each["id"] in kept_ids],
        "outcomes": [
            each
            for each in told["outcomes"]
            if each["interpreter"] in kept_labels and each["approach"] in kept and each["hazard"] in kept_ids
        ],
    }
