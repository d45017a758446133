# SPDX-License-Identifier: Apache-2.0
"""``cside backtest``: what `cside recommend` would have told projects that decided in public."""

import json
import sys
from pathlib import Path

import click

from cside_bench.cli.console import make_console
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import evidence, json_option, named_run_option, results_option
from cside_bench.recommend import backtest, decisions, document, rules
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.profiles import ProfileError
from cside_bench.report.backtest import markdown, show
from cside_bench.results import shipped_run


@click.command("backtest")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.toml",
    help="Try the decisions of this file, of the form of decisions.toml, instead of those that come with cside.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Only this project, or a part of its name (repeatable).")
@named_run_option
@results_option
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the answers in full, as Markdown.")
@json_option()
def command(
    file: Path | None, only: tuple[str, ...], run_name: str | None, results: Path, as_markdown: bool, as_json: bool
) -> None:
    """Try the recommendation on decisions that projects made in public.

    A profile is made of the facts of each project, by rules that are the same for all, and answered from RUN. The
    answer matches if it leads with the approach that experts prefer, alone or with one other, or names the two that the
    project uses. docs/backtest.md says how profiles are made, and what has been seen.

    \b
    Examples:
      cside backtest
      cside backtest --only pyzmq --markdown
      cside backtest --file mine.toml --run 20261121-120000
      cside backtest --json | jq -r '.trials[] | [.name, .verdict] | @tsv'

    Exit codes: 0 no answer would embarrass; 1 one would; 2 wrong usage, no such run, or a file that cannot be read.
    """
    try:
        asked = decisions.shipped() if file is None else decisions.read(file)
        asked = decisions.named(asked, only)
    except ProfileError as error:
        raise click.UsageError(str(error)) from error
    with evidence(results, run_name) as run:
        try:
            found = backtest.trials(Advisor(run, rules.load(), document.SEED), asked)
        except ProfileError as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        told = {
            "run": run.name,
            "another_machine": shipped_run.told(run),
            "trials": [it.plain() for it in found],
            "totals": backtest.totals(found),
        }
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    elif as_markdown:
        click.echo(markdown(found))
    else:
        console = make_console()
        if another := shipped_run.told(run):
            console.print(another, style="bold yellow", highlight=False)
            console.print()
        show(found, console)
        console.print(f" run {run.name} ({run.tier} tier) on {run.machine}", highlight=False)
    if any(it.verdict == backtest.EMBARRASSING for it in found):
        sys.exit(EXIT_LOOK)
