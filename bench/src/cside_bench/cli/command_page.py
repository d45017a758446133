# SPDX-License-Identifier: Apache-2.0
"""``docs/command.md``, generated from the command: ``python -m cside_bench.cli.command_page [--check]``.

With ``--check`` nothing is written, and the exit code is 1 where the page is out of date.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import jinja2

from cside_bench.cli import generated, main
from cside_bench.cli.group import Later

PAGE: Final = Path("docs") / "command.md"
WIDTH: Final = 100
DOCUMENTS: Final = {
    "cside doctor": "`exit_code`, `install` (all missing packages in one command), `findings`: `section`, `name`,"
    " `state` (`ok`, `missing`, `advice`), `says`, `needed`, `install`, `package`",
    "cside bench": "as `cside report --json`; `run` is null where none was begun",
    "cside run": "as `cside report --json`",
    "cside verify": "the verification, `verify.json`; with --dry-run `cells`, and what they need",
    "cside drill": "the drill's table, `drill.json`",
    "cside hazards": "the outcomes, `hazards.json`",
    "cside lab": "the campaign, and the notes of the merged page",
    "cside selftest": "every simulated rate with its interval and bounds, `passed`",
    "cside report": "`exit_code`, `run`, `folder`, `page`, `text` and `summary` (paths), `tier`, `complete`,"
    " `trustworthy` by interpreter, `void` (cells); of several runs `page`, and `runs` with the like of each",
    "cside claims": "the ledger, `claims.json`",
    "cside recommend": "the answers, `recommendations.json`",
    "cside predict": "`another_machine`, `function`, `arguments` with role and terms, `shape`, `interpreters` with"
    " `prices`: ns, ratio, ranges, `errors` of held-out calls; with --errors `shapes.json`",
    "cside backtest": "`run`, `another_machine`, `trials` (each with `leads`, `verdict`, `turned` and the `answer`),"
    " `totals` by verdict",
    "cside compare": "both runs, what differs between them, cells with intervals and verdicts, those over the limit",
    "cside targets": "`run`, and `targets` as in `summary.json`, those beyond what is fair first",
    "cside export": "`run`, `to`, `values`, `files`, `left_out` with reasons",
    "cside reference": "`run`, `interpreters`, `bytes`, `folder` (null with --check)",
    "cside review": "a list of questions: `id`, `type`, `argument`, `reason`, `draft`, `complete`, `settles`, `places`",
    "cside build": "a list of packages: `technique`, `python`, `package`, `functions`, `lines` written, `seconds`,"
    " `wheel_bytes`, `failed`",
    "cside test": "a report for each interpreter: `cases`, how many were `compared` by what, `differences`, `notes`",
    "cside try": "a list of trials: `function`, `outcome`, `said`, and `sizes` with the outcome at each",
    "cside list": "a list of objects for one topic; for all, an object of such lists by topic, null where nothing is"
    " built that could tell",
    "cside source": "a list of places: `what`, `file`, `first` and `last` line, with `--show` the `code`; without"
    " a name the table of groups",
    "cside profile": "`wall_ns`, `inside_ns`, `exit_code`, and of each function calls, errors and quantiles",
    "cside headers show": "the model: functions with the role of each argument, structs, constants",
    "cside headers check": "what was compared with the compiler, and mismatches, by layout",
    "cside headers diff": "each change, and when each way of binding notices it",
    "cside headers generate": "`written`, `files`, and paths that `changed` or are `left_over`",
}
"""What each command prints with ``--json``. A test compares the names with the commands that have the option."""


def contexts(command: click.Command = main, parent: click.Context | None = None) -> Iterator[click.Context]:
    """Yield a context of one width for the command and, where it is a group, for each command below it."""
    name = "cside" if parent is None else command.name
    settings = {"terminal_width": WIDTH, **command.context_settings}
    context = command.context_class(command, info_name=name, parent=parent, **settings)
    yield context
    if isinstance(command, click.Group):
        for entry in command.list_commands(context):
            found = command.get_command(context, entry)
            if isinstance(found, Later):
                found = found.load()
            if found is not None and not found.hidden:
                found.name = entry
                yield from contexts(found, context)


def page() -> str:
    """The text of the page. This imports every command."""
    helps = [(context.command_path, context.command.get_help(context).strip()) for context in contexts()]
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cside_bench.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template("command.md.j2").render(
        documents=DOCUMENTS, overview=helps[0][1], commands=helps[1:]
    )


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where the page is out of date.")
def command(check: bool) -> None:
    """Write docs/command.md."""
    root = generated.root()
    generated.write(root, {root / PAGE: page()}, check=check)


if __name__ == "__main__":
    command()
