"""The ``cside`` command. ``nox -s bench`` runs ``cside run`` with the environments that it built."""

import json
import sys
from importlib.metadata import entry_points
from pathlib import Path

import click
from rich.console import Console

from cside_bench import compare_command, export_command, profile, run_command, selftest
from cside_bench.plan import Plan, PlanError
from cside_bench.planning import matches
from cside_bench.report import Report
from cside_bench.run_command import LATEST, RESULTS, finish, make_console
from cside_bench.summary import summarise


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """cside: which way to bind a C library to Python, measured on this machine.

    \b
    Usually run by nox, which builds everything first:
      nox -s bench                      measure all bindings on all interpreters
      nox -s bench -- --quick           the same in minutes, without verdicts
      nox -s report                     draw the newest run's report again

    Any command of this program:
      nox -s cside -- --help

    Exit codes: 0 done; 1 done, with void cells; 2 wrong usage; 3 a process failed; 130 interrupted.
    """


main.add_command(run_command.command, "run")
main.add_command(compare_command.command, "compare")
main.add_command(export_command.command, "export")
main.add_command(selftest.command, "selftest")
for _point in entry_points(group="cside.commands"):
    main.add_command(_point.load(), _point.name)  # commands of other packages, as `headers`


@main.command()
@click.argument("run", default=LATEST)
@click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=RESULTS,
    show_default=True,
    help="Folder of runs.",
)
@click.option("--headline", is_flag=True, help="Print the short table as Markdown and nothing else.")
@click.option("--python", multiple=True, metavar="VERSION", help="Only this interpreter in --headline (repeatable).")
def report(run: str, results: Path, headline: bool, python: tuple[str, ...]) -> None:
    """Draw the report of RUN (the newest by default) again, from its raw files.

    \b
    Examples:
      cside report
      cside report 20261121-120000
      cside report --headline --python 3.14 --python pypy3.11
    """
    folder = (results / run).resolve()
    try:
        Plan.load(folder)
    except PlanError as error:
        raise click.ClickException(str(error)) from error
    if headline:
        summarise(folder)
        drawn = Report(folder)
        drawn.labels = [label for label in drawn.labels if not python or any(matches(label, it) for it in python)]
        click.echo(drawn.headline_markdown().rstrip())
        return
    sys.exit(finish(folder, make_console()))


@main.command("profile", context_settings={"ignore_unknown_options": True})
@click.option(
    "--module",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PKCS #11 library that the program is to use: SoftHSM2's, an HSM vendor's, …",
)
@click.option("--json", "as_json", is_flag=True, help="Print plain data on standard error instead of the table.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
def profile_command(module: Path, as_json: bool, command: tuple[str, ...]) -> None:
    """Tell where a program that uses PKCS #11 spends its time: in the module, or outside of it.

    The program is run with libcside in the place of its module. Wherever MODULE's path or {module} stands in COMMAND,
    libcside's is put; variables by which some programs take their module (PYKCS11LIB, PKCS11_MODULE) are set too.
    The table goes to standard error, after the program's own output; the exit code is the program's.

    \b
    Examples:
      cside profile --module /usr/lib/softhsm/libsofthsm2.so -- pkcs11-tool --module {module} --test --login --pin 1234
      cside profile --module ./vendor.so -- python client.py ./vendor.so
    """
    console = Console(stderr=True) if sys.stderr.isatty() else Console(stderr=True, width=100)
    try:
        found = profile.run(command, module)
    except profile.ProfileError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(found.plain(), indent=1), err=True)
    else:
        profile.show(found, console)
    sys.exit(found.exit_code if found.exit_code >= 0 else 128 - found.exit_code)
