# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share, and the errors for inputs that are missing or cannot be read."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from cside_bench.cli.parameters import BINDING, EVIDENCE, PYTHON, WORKLOAD
from cside_bench.machine import checkout
from cside_bench.results.files import LATEST, RUN_FILE
from cside_bench.results.plan import Plan, PlanError
from cside_bench.results.selection import NoRun, find_run

if TYPE_CHECKING:
    from cside_bench.results.evidence import Run

F = TypeVar("F", bound=Callable[..., Any])

LOAD_LIMIT_CORES: Final = 0.5
PATIENCE_MINUTES: Final = 5.0


def parse_handicap(text: str) -> tuple[str, str, float]:
    """Read ``BINDING:idioms.add[i32-small]=5`` as (workload, subject, percent). Raises `click.UsageError`."""
    cell, _, amount = text.rpartition("=")
    subject, _, workload = cell.partition(":")
    try:
        percent = float(amount.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not subject or not workload or not 0 < percent < 1000:
        raise click.UsageError(
            f"--handicap {text} is no cell with a percentage; for example BINDING:idioms.noop=5 makes one 5 % slower"
        )
    return workload, subject, percent


def results_option(command: F) -> F:
    """Add ``--results``, which is the checkout's folder of runs by default, in any folder of the checkout."""
    return click.option(
        "--results",
        type=click.Path(file_okay=False, path_type=Path),
        default=checkout.results,
        show_default="results at the top of the checkout",
        help="The folder of runs.",
    )(command)


def project_argument(default: str | None = ".") -> Callable[[F], F]:
    """Add the argument DIR, the folder of a project, as ``folder``."""
    return click.argument(
        "folder",
        required=False,
        default=default,
        type=click.Path(file_okay=False, path_type=Path),
        metavar="[DIR]",
    )


def json_option(says: str = "Print one JSON document on standard output and nothing else there.") -> Callable[[F], F]:
    """Add ``--json``, with ``says`` as its help."""
    return click.option("--json", "as_json", is_flag=True, help=says)


def measuring_options(what: str) -> Callable[[F], F]:
    """Add ``--load-limit``, ``--patience`` and ``--no-pin``; ``what`` fails if the machine does not become quiet."""

    def add(command: F) -> F:
        for option in (
            click.option("--no-pin", is_flag=True, help="Do not pin processes to a CPU; the system chooses one."),
            click.option(
                "--patience",
                type=click.FloatRange(min=0),
                default=PATIENCE_MINUTES,
                show_default=True,
                metavar="MINUTES",
                help=f"How long to wait for a quiet machine before {what} fails.",
            ),
            click.option(
                "--load-limit",
                type=click.FloatRange(min=0),
                default=LOAD_LIMIT_CORES,
                show_default=True,
                metavar="CORES",
                help="Wait before each process while other programs use more than CORES.",
            ),
        ):
            command = option(command)
        return command

    return add


def selection_options(command: F) -> F:
    """Add ``--only``, ``--binding`` and ``--python``, by which the cells of a run are selected."""
    for name, type_, metavar, says in (
        ("--python", PYTHON, "VERSION", "Only this interpreter, as 3.13 or pypy3.11 (repeatable)."),
        ("--binding", BINDING, "NAME", "Only this binding and its variants (repeatable)."),
        ("--only", WORKLOAD, "TEXT", "Only workloads whose name contains TEXT (repeatable)."),
    ):
        command = click.option(name, multiple=True, type=type_, metavar=metavar, help=says)(command)
    return command


def found_run(results: Path, name: str) -> Path:
    """Find the folder of a run that the user named. Raises `click.UsageError`, whose text says which runs there are."""
    try:
        return find_run(results, name)
    except NoRun as error:
        some = any(results.glob("*/run.json"))
        hint = "to see all runs: cside list runs" if some else "to measure: cside bench --quick"
        raise click.UsageError(f"{error}; {hint}") from error


def named_run_option(command: F) -> F:
    """Add ``--run`` to a command that argues from one run and, where there is none, from the reference run."""
    return click.option(
        "--run",
        "run_name",
        type=EVIDENCE,
        show_default="the newest run; where there is none, reference",
        metavar="RUN",
        help="The name or path of a run, or reference: the run of another machine that ships with cside.",
    )(command)


@contextmanager
def evidence(results: Path, name: str | None) -> Iterator["Run"]:
    """Read the run that the user named; without a name the newest, and where there is none the reference run.

    Raises `click.UsageError` where there is no such run, and as :func:`reading` does where it cannot be read, also for
    what the block does with it.
    """
    from cside_bench.results import shipped_run  # imports numpy
    from cside_bench.results.evidence import Run

    none = name is None and not (results / LATEST / RUN_FILE).is_file() and shipped_run.ships()
    shipped = none or (name == shipped_run.NAME and not (results / name / RUN_FILE).is_file())
    folder = shipped_run.folder() if shipped else found_run(results, name or LATEST)
    with reading(*([] if shipped else [folder])):
        yield shipped_run.load(results) if shipped else Run.load(folder)


@contextmanager
def reading(*folders: Path) -> Iterator[None]:
    """Raise a `click.UsageError` in the place of an error that a damaged run, or one of another version, has caused.

    Other errors are raised as they are. ``folders`` are those of the runs that the block reads.
    """
    from cside_bench.results.evidence import RunError  # imports numpy

    try:
        yield
    except (RunError, PlanError) as error:
        raise click.UsageError(str(error)) from error
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        for folder in folders:
            if (why := damage(folder)) is not None:
                raise click.UsageError(why) from error
        raise


def damage(folder: Path) -> str | None:
    """Why a run cannot be read: a file is no JSON, or its plan is of another version. None where neither is so."""
    for path in sorted(folder.rglob("*.json")):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            return f"{path} is damaged: {error}"
        except OSError as error:
            return f"{path} cannot be read: {error.strerror}"
    try:
        Plan.load(folder)
    except PlanError as error:
        return str(error)
    except (TypeError, KeyError, AttributeError) as error:
        return f"{folder / 'run.json'} is of another version of cside, or not written by cside: {error}"
    return None
