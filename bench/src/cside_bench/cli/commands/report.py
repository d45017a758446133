# SPDX-License-Identifier: Apache-2.0
"""``cside report``: draw the report of a run again, or draw several runs, of any machines, on one page."""

import json
import sys
import webbrowser
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from cside_bench.cli.console import make_console, shown
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.finish import finish, finish_counts
from cside_bench.cli.options import found_run, json_option, reading, results_option
from cside_bench.cli.outcome import told_of
from cside_bench.cli.parameters import PYTHON, RUN
from cside_bench.report import derive
from cside_bench.report.page.draw import draw
from cside_bench.report.report import Report
from cside_bench.results.evidence import Run, RunError
from cside_bench.results.files import CLAIMS_FILE, LATEST, RECOMMENDATIONS_FILE
from cside_bench.results.plan import Plan
from cside_bench.results.selection import matches
from cside_bench.summary.build import summarise

DECIDED: Final = (CLAIMS_FILE, RECOMMENDATIONS_FILE)
"""Files of a run that the page needs beside those that :class:`Run` reads."""


@click.command("report")
@click.argument("runs", nargs=-1, type=RUN, metavar="[RUN]…")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write the page of several runs; results/merged/NAMES.html by default.",
)
@click.option("--open", "opened", is_flag=True, help="Show the page in the browser.")
@click.option(
    "--headline",
    is_flag=True,
    help="Print the table of the README as Markdown, six rows for each interpreter, and nothing else.",
)
@click.option(
    "--python",
    multiple=True,
    type=PYTHON,
    metavar="VERSION",
    help="With --headline: only this interpreter (repeatable).",
)
@json_option("Print the paths of the files, and whether the run is complete and trustworthy, as one JSON document.")
@results_option
def command(
    runs: tuple[str, ...],
    output: Path | None,
    opened: bool,
    headline: bool,
    python: tuple[str, ...],
    as_json: bool,
    results: Path,
) -> None:
    """Draw the report of a run again, or several runs on one page.

    RUN is a name under results/, a path, or "latest", which is the default. For one run, report.html, report.md and
    everything that they are made of are computed anew from the run's raw files and written beside them. Several runs,
    of one machine or of many, are drawn on one page with the machines side by side. The runs themselves are not
    changed, except that a run which was drawn by an older cside is drawn again.

    \b
    Examples:
      cside report
      cside report 20261121-120000 --open
      cside report latest ../laptop/results/latest -o machines.html
      cside report --headline --python 3.14 --python pypy3.11
      cside report --json | jq -r .page

    Exit codes: 0 drawn; 1 drawn, and a cell of the run is void; 2 wrong usage, no such run, or one that is damaged.
    """  # click's \b is the character itself
    names = runs or (LATEST,)
    folders = list(dict.fromkeys(found_run(results, name) for name in names))
    if headline:
        if len(folders) > 1 or as_json or opened or output is not None:
            raise click.UsageError(
                "--headline prints the table of one run; it takes no second run, no --json, --open or -o"
            )
        click.echo(short_table(folders[0], python))
        return
    if python:
        raise click.UsageError("--python selects what --headline prints; use both, or neither")
    if len(folders) == 1:
        if output is not None:
            raise click.UsageError("-o is for several runs; the report of one run is written to the run's folder")
        told = one(folders[0], as_json=as_json)
    else:
        told = merged(folders, output, results, as_json=as_json)
    if as_json:
        click.echo(json.dumps(told, indent=1))
    if opened:
        if not told["page"]:
            raise click.ClickException("there is no page to open")
        if not webbrowser.open(Path(told["page"]).resolve().as_uri()):
            click.echo(f"there is no browser to open {told['page']} with", err=True)
    sys.exit(told["exit_code"])


def short_table(folder: Path, python: tuple[str, ...]) -> str:
    """The table of the README in Markdown, for the interpreters named."""
    with reading(folder):
        summarise(folder)
        drawn = Report(Run.load(folder))
    drawn.labels = [label for label in drawn.labels if not python or any(matches(label, it) for it in python)]
    return drawn.headline_markdown().rstrip()


def one(folder: Path, *, as_json: bool) -> dict[str, Any]:
    """Draw one run again, and print its report unless JSON is printed."""
    with reading(folder):
        plan = Plan.load(folder)
        console = Console(stderr=True, quiet=True) if as_json else make_console()
        code = finish_counts(folder, console) if plan.counted else finish(folder, console)
    return {"exit_code": code, **told_of(folder)}


def merged(folders: list[Path], output: Path | None, results: Path, *, as_json: bool) -> dict[str, Any]:
    """Draw one page of several runs."""
    loaded = [load(folder) for folder in folders]
    target = output if output is not None else results / "merged" / f"{'+'.join(run.name for run in loaded)}.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    with Console(stderr=True).status("drawing the page"):
        page = draw(loaded, target)
    if not as_json:
        for run in loaded:
            click.echo(f"{run.name}: {run.machine}: {', '.join(run.labels)}")
        click.echo(f"report: {shown(page)}")
    void = any(cell["void"] is not None for run in loaded for cell in run.summary["cells"])
    return {
        "exit_code": EXIT_LOOK if void else 0,
        "page": str(page),
        "runs": [{"machine": run.machine, **told_of(run.folder)} for run in loaded],
    }


def load(folder: Path) -> Run:
    """Load the run in a folder. Where it was drawn by an older cside, or never, it is drawn first."""
    with reading(folder):
        try:
            run = Run.load(folder)
            if all((folder / name).exists() for name in DECIDED):
                return run
        except RunError as error:
            if not any((folder / "blocks").glob("*.json")):
                raise
            click.echo(f"{error}; doing so", err=True)
            with Console(stderr=True).status(f"{folder.name}: computing intervals"):
                summarise(folder)
        with Console(stderr=True).status(f"{folder.name}: judging claims, recommending"):
            derive.draw(folder)
        return Run.load(folder)
