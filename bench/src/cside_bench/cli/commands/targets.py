# SPDX-License-Identifier: Apache-2.0
"""``cside targets``: what a good binding reaches, judged by a run."""

import json
import sys
from pathlib import Path

import click

from cside_bench.cli.console import make_console
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import found_run, json_option, reading, results_option
from cside_bench.cli.parameters import RUN
from cside_bench.report.targets import chosen, show
from cside_bench.results.evidence import Run
from cside_bench.results.files import LATEST


@click.command("targets")
@click.argument("run", type=RUN, default=LATEST)
@click.option("--all", "everything", is_flag=True, help="Show the targets that are met or unresolved as well.")
@json_option()
@results_option
def command(run: str, everything: bool, as_json: bool, results: Path) -> None:
    """Compare the bindings with what good ones reach, for developers of cside.

    Targets are values that a good binding reaches, from prototypes of each technique (summary/targets.toml). RUN judges
    them: met where the whole interval is within the target, missed where the whole interval is beyond it. One that
    is missed by more than a fair comparison allows points at a bug of the binding, or at another kind of machine. RUN
    is a name under results/, a path, or "latest", which is the default.

    \b
    Examples:
      cside targets
      cside targets 20261121-120000 --all
      cside targets --json | jq -r '.targets[] | select(.unfair) | .name'

    Exit codes: 0 shown; 1 shown, and a target is beyond what is fair; 2 wrong usage, no such run, or one that cannot be
    read.
    """  # click's \b is the character itself
    folder = found_run(results, run)
    with reading(folder):
        targets = Run.load(folder).summary["targets"]
    if as_json:
        document = {"run": folder.name, "targets": chosen(targets, everything=True)}
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
    else:
        show(targets, make_console(), everything=everything)
    sys.exit(EXIT_LOOK if any(it["unfair"] for it in targets) else 0)
