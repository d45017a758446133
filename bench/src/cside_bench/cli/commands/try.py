# SPDX-License-Identifier: Apache-2.0
"""``cside try``: call every bound function of the user's library, each in a process of its own."""

import json
import sys
import time
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import click
from cside_wrap.errors import WrapError
from cside_wrap.project import reading
from cside_wrap.roles.vocabulary import State
from cside_wrap.trial.run import Outcome, run
from rich.console import Console
from rich.progress import Progress

from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import json_option, project_argument

TOLD = {
    Outcome.CRASHED: "crashed",
    Outcome.HUNG: "did not return",
    Outcome.KEEPS: "keep a pointer to an input (bindings keep it alive until the object is closed)",
    Outcome.NO_VALUE: "had no value to pass",
    Outcome.FAILED: "failed at every size",
}


@click.command("try")
@click.option("--only", metavar="PATTERN", help="Only functions of this name or pattern, as ZSTD_*.")
@json_option("Print the trials as one JSON document.")
@project_argument()
def command(only: str | None, as_json: bool, folder: Path) -> None:
    """Call every bound function once, each in a process of its own.

    Inputs are read-only and end at a page that cannot be accessed, and so do outputs: a role that is wrong is a
    reported crash, never a wrong byte. Inputs that have no fixed size are tried with 0, 1 and 4096 bytes. Each function
    is called again after the inputs of its first call were freed: what crashes then keeps a pointer to them. Objects
    are made by the functions that make them, or by the recipes of overrides.toml.

    \b
    Examples:
      cside try zstd
      cside try zstd --only "ZSTD_compress*"
      cside try zstd --json

    Exit codes: 0 nothing crashed; 1 a function crashed or did not return; 2 wrong usage or a wrong recipe.
    """
    started = time.perf_counter()
    try:
        found = reading.read(folder)
        for line in reading.check_lock(found):
            click.echo(f"since cside init: {line}", err=True)
        form = found.form()
        chosen = [name for name in form.plans if only is None or fnmatchcase(name, only)]
        if not chosen:
            raise click.UsageError(f"no bound function is {only}" if only else "no function is bound: cside review")
        trials = []
        # Without a thread of its own: a process that has threads must not fork.
        with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
            task = bar.add_task("trying", total=len(chosen))
            for one in run(form, found.libraries, found.overrides.recipes, set(chosen).__contains__):
                trials.append(one)
                bar.update(task, advance=1, description=one.function, refresh=True)
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    counts = Counter(one.outcome for one in trials)
    if as_json:
        click.echo(json.dumps([one.plain() for one in trials], indent=1))
    else:
        for outcome, words in TOLD.items():
            if its := [one for one in trials if one.outcome == outcome]:
                click.echo(f"{len(its)} {words}:")
                for one in its:
                    click.echo(f"  {one.function}: {one.said}")
        states = found.states()
        ran = counts[Outcome.RAN] + counts[Outcome.KEEPS]
        click.echo(
            f"{found.settings.name}: {len(trials)} of {sum(states.values())} functions tried, {ran} ran "
            f"({counts[Outcome.KEEPS]} keep an input), {counts[Outcome.FAILED]} failed, "
            f"{counts[Outcome.CRASHED] + counts[Outcome.HUNG]} crashed or hung, "
            f"{counts[Outcome.NO_VALUE]} without a value; "
            f"{states[State.ASKED]} asked, {states[State.REFUSED]} refused; {time.perf_counter() - started:.1f} s"
        )
    sys.exit(EXIT_LOOK if counts[Outcome.CRASHED] or counts[Outcome.HUNG] else 0)
