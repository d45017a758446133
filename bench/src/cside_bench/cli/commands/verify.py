# SPDX-License-Identifier: Apache-2.0
"""``cside verify``: measure cells of a finished run again, each alone, and say whether the run was right."""

import json
import secrets
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from cside_bench.cli import asked
from cside_bench.cli.console import make_console, shown
from cside_bench.cli.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_LOOK
from cside_bench.cli.options import (
    found_run,
    json_option,
    measuring_options,
    reading,
    results_option,
    selection_options,
)
from cside_bench.cli.parameters import RUN
from cside_bench.machine import checkout, lock
from cside_bench.machine.guard import TooBusy
from cside_bench.report import verify as report
from cside_bench.results.evidence import Run
from cside_bench.results.files import LATEST
from cside_bench.results.plan import Plan, PlanError
from cside_bench.results.selection import Selection, matches
from cside_bench.results.verified import FOLDER, Cell, Settings, choose, read, unmeasurable, with_references
from cside_bench.run.prepare import check_unchanged, load_manifest
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.run.verify import VerifyError, again
from cside_bench.summary import verified

SECONDS: Final = 2.0
"""Seconds of rounds of each cell."""
PROCESSES: Final = 3
"""Processes of each cell. A single one tells nothing of how much such processes differ."""
START_S: Final = 1.5
"""Seconds that a process takes beside its rounds, about."""


@click.command("verify")
@click.argument("run", type=RUN, default=LATEST, metavar="[RUN]")
@selection_options
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Only N of the selected cells, drawn at random."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.05),
    help=f"Seconds of rounds of each cell, divided among its processes.  [default: {SECONDS:g}]",
)
@click.option(
    "--processes", type=click.IntRange(min=1, max=50), help=f"Processes of each cell.  [default: {PROCESSES}]"
)
@click.option("--again", "anew", is_flag=True, help="Discard what an earlier verification of RUN has measured.")
@click.option("--dry-run", is_flag=True, help="Print the cells that would be measured, and end.")
@measuring_options("the verification")
@click.option(
    "--environments",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file in which nox describes what it has built; nox -s verify gives this option.",
)
@json_option()
@results_option
def command(
    run: str,
    only: tuple[str, ...],
    binding: tuple[str, ...],
    python: tuple[str, ...],
    sample: int | None,
    seconds: float | None,
    processes: int | None,
    anew: bool,
    dry_run: bool,
    load_limit: float,
    patience: float,
    no_pin: bool,
    environments: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Measure cells of a finished run again, each alone, and say whether RUN was right.

    This is what a reader who does not believe a number would do by hand. Each cell is measured in fresh processes of
    its own: one binding is loaded, one workload runs, warmed up as in the run, for about two seconds altogether. The
    reference binding is measured in the same way, with the same values. The processes of a workload take turns of
    about 10 ms, so that a slow second of the machine hits all bindings alike. RUN is a name under results/, a path,
    or "latest", which is the default. The cells are the workloads of the short table on all whole bindings, or those
    that the options select.

    Each ratio is held against the interval of the run, and against its prediction interval: that in which 95 % of such
    new ratios lie if nothing else has changed. An interval of the run is one of a mean, and does not promise to hold a
    new measurement. A cell is wrong if the run does not call it inconclusive and the two ratios differ by more than 1.3
    times. The shift of a binding tells whether sharing a process with others moves all its ratios.

    The result is kept in verify.json in the folder of RUN. What is finished is not repeated: after an interruption the
    same command goes on. A workload of which a binding is missing is measured again with all its bindings. "nox -s
    verify -- RUN" builds what is missing first. A run that was made with another library or other bindings than those
    of today is refused.

    \b
    Examples:
      cside verify
      cside verify latest --python 3.14 --python pypy3.11
      cside verify --binding cffi --only idioms.blob_get
      cside verify --sample 20 --dry-run
      cside verify 20261121-120000 --again --json | jq '.cells[] | select(.wrong)'

    Exit codes: 0 on each interpreter 90 % of the cells or more lie within their prediction intervals, and none is
    wrong; 1 otherwise; 2 wrong usage, no such run, or one of other builds; 3 a process failed, or the machine did not
    become quiet; 130 interrupted.
    """  # click's \b is the character itself
    console = Console(stderr=True) if as_json else make_console()
    folder = found_run(results, run)
    selection = Selection(pythons=python, bindings=binding, only=only)
    with reading(folder):
        plan, found = Plan.load(folder), Run.load(folder)
    place = folder / FOLDER
    try:
        refuse(plan, found, selection)
        settings = settings_of(place, seconds, processes, anew=anew)
        cells = choose(found, selection, sample, settings.seed)
        if not cells:
            raise PlanError(
                f"{folder.name} has no ratio of a binding that {selection.words() or 'the short table'} has"
            )
        count = len(with_references(cells, plan.reference)) * settings.processes
        minutes = count * (settings.seconds / settings.processes + START_S) / 60
        if dry_run:
            tell(plan, cells, count, minutes, as_json=as_json)
            return
        plan = today(plan, cells, load_manifest(environments or known_manifest()))
    except PlanError as error:
        raise click.UsageError(str(error)) from error
    if anew:
        shutil.rmtree(place, ignore_errors=True)
    settings.save(place)
    display = Display(console)
    machine = Machine.prepare(display, pin=not no_pin, load_limit=load_limit, patience_s=patience * 60)
    console.print(
        f"verify {folder.name}: {len(cells)} cells in {count} processes, about {minutes:.0f} min; {machine.says}",
        highlight=False,
    )
    try:
        with lock.alone(f"verify {folder.name}", patience_s=patience * 60, say=display.say):
            again(plan, folder, place, cells, settings, display, machine)
    except KeyboardInterrupt:
        display.stop()
        console.print("interrupted; what is finished is kept, and the same command goes on", highlight=False)
        sys.exit(EXIT_INTERRUPTED)
    except (VerifyError, TooBusy, lock.Occupied) as error:
        display.stop()
        console.print(f"error: {error}", style="red", highlight=False)
        console.print("what is finished is kept, and the same command goes on", highlight=False)
        sys.exit(EXIT_FAILED)
    finally:
        display.stop()
    with reading(folder):
        measured = read(place, cells, plan.reference, settings.processes)
    document = verified.judge(found, measured, settings, unmeasurable(found, selection))
    path = verified.write(found, document)
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        report.show(document, console)
        console.print(f"numbers: {shown(path)}", highlight=False)
    sys.exit(0 if document["passed"] else EXIT_LOOK)


def refuse(plan: Plan, run: Run, selection: Selection) -> None:
    """Raise :class:`PlanError` for a run that cannot be verified, and for a name that it does not have."""
    if plan.isolated:
        raise PlanError(f"{run.name} is isolated: its bindings were measured alone already")
    for wanted in selection.pythons:
        if not any(matches(label, wanted) for label in run.labels):
            raise PlanError(f"--python {wanted}: {run.name} has no such interpreter (it has: {', '.join(run.labels)})")
    known = [name for name in run.bindings if name != run.reference]
    for wanted in selection.bindings:
        if not any(wanted in (name, name.partition(".")[0]) for name in known):
            raise PlanError(
                f"--binding {wanted}: {run.name} has no such whole binding beside the reference, whose ratio is 1 "
                f"(it has: {', '.join(known)})"
            )
    workloads = {workload for label in run.labels for workload in run.workloads(label)}
    for text in selection.only:
        if not any(text in name for name in workloads):
            raise PlanError(
                f"--only {text}: no workload of {run.name} has this in its name{asked.nearest(text, workloads)}"
            )


def settings_of(place: Path, seconds: float | None, processes: int | None, *, anew: bool) -> Settings:
    """Return the settings of the verification that is in ``place``, or new ones.

    Raises :class:`PlanError` where the options differ from those by which files were already measured.
    """
    kept = None if anew else Settings.load(place)
    if kept is None:
        return Settings(secrets.randbits(32), seconds or SECONDS, processes or PROCESSES)
    if (seconds or kept.seconds, processes or kept.processes) != (kept.seconds, kept.processes):
        raise PlanError(
            f"{place} has cells that were measured with --seconds {kept.seconds:g} --processes {kept.processes}, and "
            "they cannot be mixed with others: --again discards them"
        )
    return kept


def known_manifest() -> Path | None:
    """Return the file in which nox described what it built last in this checkout; None if there is none."""
    top = checkout.root()
    path = None if top is None else top / checkout.STATE / checkout.MANIFEST
    return path if path is not None and path.exists() else None


def today(plan: Plan, cells: list[Cell], manifest: dict[str, Any]) -> Plan:
    """Return the plan with the interpreters that the cells need, where they are today.

    Raises :class:`PlanError` if the library, one of them or a binding has changed since the run.
    """
    needed = {cell.interpreter for cell in cells}
    plan = replace(plan, interpreters=[it for it in plan.interpreters if it.label in needed])
    check_unchanged(plan, manifest)
    paths = {entry["label"]: entry["python"] for entry in manifest["interpreters"]}
    return replace(plan, interpreters=[replace(it, python=paths[it.label]) for it in plan.interpreters])


def tell(plan: Plan, cells: list[Cell], count: int, minutes: float, *, as_json: bool) -> None:
    """Print what would be measured, and with which bindings of the run's plan (none for all)."""
    if as_json:
        labels = sorted({cell.interpreter for cell in cells})
        needed = {"interpreters": labels, "bindings": plan.bindings, "processes": count}
        click.echo(json.dumps(needed | {"cells": [cell._asdict() for cell in cells]}))
        return
    click.echo("\n".join(f"{cell.interpreter} {cell.workload} {cell.subject}" for cell in cells))
    click.echo(f"{len(cells)} cells, and those of the reference: {count} processes, about {minutes:.0f} min")
