# SPDX-License-Identifier: Apache-2.0
"""Arguments and options that several commands share, and how what they name is found or refused.

Exit codes of every command: 0 done; 1 done, with something to look at; 2 wrong usage, or an input that is not there or
cannot be read; 3 a process failed; 130 interrupted.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from cside_bench.machine import checkout
from cside_bench.results.evidence import RunError
from cside_bench.results.plan import Plan, PlanError
from cside_bench.results.selection import NoRun, find_run

EXIT_INTERRUPTED: Final = 130


def parse_handicap(text: str) -> tuple[str, str, float]:
    """``BINDING:idioms.add[i32]=5`` as (workload, subject, percent). Raises `click.UsageError`."""
    cell, _, amount = text.rpartition("=")
    subject, _, workload = cell.partition(":")
    try:
        percent = float(amount.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not subject or not workload or not 0 < percent < 1000:
        raise click.UsageError(f"--handicap {text}: as in BINDING:idioms.noop=5, for 5 percent slower")
    return workload, subject, percent


EXIT_INTERRUPTED: Final = 130


EXIT_LOOK: Final = 1
EXIT_FAILED: Final = 3

F = TypeVar("F", bound=Callable[..., Any])


def results_option(command: F) -> F:
    """``--results``: the checkout's folder of runs, from any folder of it."""
    return click.option(
        "--results",
        type=click.Path(file_okay=False, path_type=Path),
        default=checkout.results,
        show_default="results at the top of the checkout",
        help="Folder of runs.",
    )(command)


def json_option(says: str = "Print one JSON document on standard output and nothing else there.") -> Callable[[F], F]:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help=says)


def found_run(results: Path, name: str) -> Path:
    """The folder of a run that the user named. Raises `click.UsageError`, which tells which runs there are."""
    try:
        return find_run(results, name)
    except NoRun as error:
        some = any(results.glob("*/run.json"))
        hint = "all of them: cside list runs" if some else "to measure: cside bench --quick"
        raise click.UsageError(f"{error}; {hint}") from error


@contextmanager
def reading(*folders: Path) -> Iterator[None]:
    """Turn what a damaged run, or one of another version, makes the code inside raise into a `click.UsageError`.

    What is raised for another reason passes.
    """
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
    """Why a run cannot be read: a file that is no JSON, or a plan of another version; None where neither is so."""
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
        return f"{folder / 'run.json'} is of another version of cside, or none of its own: {error}"
    return None
