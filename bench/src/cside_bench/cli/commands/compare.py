# SPDX-License-Identifier: Apache-2.0
"""``cside compare``: what changed from one run to another."""

import json
import math
import sys
from pathlib import Path

import click
from rich.console import Console

from cside_bench.cli.console import make_console
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import found_run, json_option, reading, results_option, selection_options
from cside_bench.cli.parameters import RUN
from cside_bench.compare.runs import Run, RunComparison
from cside_bench.report.compare import Page
from cside_bench.results.selection import Selection


def percentage(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """Read ``2%`` or ``2`` as 0.02. Raises `click.BadParameter` where the text is no percentage of zero or more."""
    if value is None:
        return None
    try:
        number = float(value.strip().removesuffix("%")) / 100
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise click.BadParameter(f"{value} is no percentage, as 2%", context, parameter)
    return number


@click.command("compare")
@click.argument("base", type=RUN)
@click.argument("other", type=RUN)
@click.option(
    "--fail-over",
    callback=percentage,
    metavar="P%",
    help="Exit with 1 where a cell of a binding is slower by more than P %.",
)
@json_option()
@selection_options
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the whole comparison to FILE as well.",
)
@results_option
def command(
    base: str,
    other: str,
    fail_over: float | None,
    as_json: bool,
    only: tuple[str, ...],
    binding: tuple[str, ...],
    python: tuple[str, ...],
    markdown: Path | None,
    results: Path,
) -> None:
    """Show what changed from run BASE to run OTHER.

    A run is given by its name, by a path, or as "latest". Ratios to the reference binding are always compared. Times
    are compared only where both runs were made on the same machine by the same build of an interpreter, and
    instructions per call only where both runs counted them. Every change has a 95 % interval over processes, alone and
    adjusted for the number of comparisons. Runs of the quick tier, and runs that are not trustworthy by their own
    checks, have numbers and no verdicts.

    With --fail-over, a timed cell is over the limit where its whole adjusted interval is beyond P %. This is the
    interval of its ratio or, where the time of the reference itself changed, that of its time, which also has to be
    beyond the change of unchanged code. A counted cell is over the limit where its instructions per call grew by more
    than P %.

    \b
    Examples:
      cside compare 20261121-120000 latest
      cside compare 20261121-120000 latest --only codec.crc32 --binding cffi
      cside compare main/results/latest branch/results/latest --fail-over 2%
      cside compare ../laptop/results/latest latest --markdown compare.md
      cside compare A B --json | jq .agreement.bindings.share_turned

    Exit codes: 0 compared, and no cell is over the limit; 1 a cell is over the limit of --fail-over; 2 wrong usage, no
    such run, nothing in common, or --fail-over on an interpreter that has neither verdicts nor counts. A cell that is
    void, or that only one run has, is listed and never counts as over the limit.
    """  # click's \b is the character itself
    selection = Selection(pythons=python, bindings=binding, only=only)
    folders = [found_run(results, name) for name in (base, other)]
    with reading(*folders), Console(stderr=True).status("computing intervals"):
        runs = [Run.load(folder) for folder in folders]
        comparison = RunComparison(runs[0], runs[1], selection, fail_over)
    plain = comparison.plain()
    if not any(entry["cells"] or entry["void"] for entry in [*plain["interpreters"], *plain["counted"]]):
        chosen = f" of what {plain['selection']} selects" if plain["selection"] else ""
        raise click.UsageError(f"{base} and {other} have no cell in common{chosen}")
    page = Page(plain)
    if markdown is not None:
        markdown.write_text(page.markdown(), encoding="utf-8")
    if as_json:
        click.echo(json.dumps(plain, indent=1))
    else:
        page.show(make_console())
    if comparison.exceeded():
        sys.exit(EXIT_LOOK)
    if plain["unjudged"]:
        raise click.UsageError(
            f"--fail-over cannot judge {', '.join(plain['unjudged'])}: the runs have no counts there, and no verdicts"
        )
