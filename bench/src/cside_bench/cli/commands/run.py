# SPDX-License-Identifier: Apache-2.0
"""``cside run``: plan a run, measure, report. ``nox -s bench`` calls it with the environments that it has built."""

import json
import secrets
import sys
from pathlib import Path

import click
from cside_suite.workloads import corpus
from rich.console import Console

from cside_bench.cli import asked, run_library
from cside_bench.cli.console import make_console
from cside_bench.cli.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED
from cside_bench.cli.finish import finish, finish_counts
from cside_bench.cli.options import found_run, json_option, measuring_options, parse_handicap, results_option
from cside_bench.cli.outcome import told_of
from cside_bench.cli.parameters import BINDING, PYTHON, RUN, WORKLOAD
from cside_bench.machine import checkout, lock
from cside_bench.machine.guard import TooBusy
from cside_bench.results.plan import Plan, PlanError, Tier
from cside_bench.results.selection import NEWEST, NoRun, newest_unfinished
from cside_bench.run import environment, instructions
from cside_bench.run.costs import static
from cside_bench.run.driver import Driver, DriverError, new_folder
from cside_bench.run.prepare import check_unchanged, load_manifest, make_plan
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.summary import look


@click.command()
@click.option(
    "--quick",
    "tier",
    flag_value="quick",
    help="A few processes, in minutes: numbers and no verdicts. nox prepares the newest CPython and PyPy alone.",
)
@click.option(
    "--default",
    "tier",
    flag_value="default",
    default="default",
    help="Six to ten processes per interpreter, with verdicts (the default).",
)
@click.option(
    "--rigorous", "tier", flag_value="rigorous", help="Thirty longer processes per interpreter, which take hours."
)
@click.option(
    "--budget",
    type=click.FloatRange(min=1),
    metavar="MINUTES",
    help="As many processes and rounds as fit into MINUTES; a pilot process measures how long they take.",
)
@click.option(
    "--isolated",
    is_flag=True,
    help="Measure each binding in processes of its own, in turns, as on PyPy anyway. Compare with an ordinary run,"
    " in which bindings share processes, to see whether sharing favours one of them.",
)
@click.option(
    "--count",
    is_flag=True,
    help="Count instructions under callgrind instead of measuring times. Counts repeat, so that CI can compare them."
    " CPython only.",
)
@click.option(
    "--only",
    multiple=True,
    type=WORKLOAD,
    metavar="TEXT",
    help="Only workloads whose name contains TEXT, as codec.crc32 (repeatable).",
)
@click.option(
    "--binding",
    multiple=True,
    type=BINDING,
    metavar="NAME",
    help="Only this binding, its variants, and the reference (repeatable).",
)
@click.option(
    "--python",
    multiple=True,
    type=PYTHON,
    metavar="VERSION",
    help="Only this interpreter, as 3.13 or pypy3.11 (repeatable).",
)
@click.option("--corpus", "corpus_path", type=click.Path(path_type=Path), help="Compress this file or folder as well.")
@click.option("--seed", type=int, help="Seed of the random choices, to repeat those of another run; random by default.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=NEWEST,
    type=RUN,
    metavar="[RUN]",
    help="Go on with an interrupted run: the newest that is not complete, or RUN.",
)
@click.option(
    "--handicap",
    multiple=True,
    metavar="CELL=PERCENT",
    help="Slow a cell down by PERCENT, as BINDING:idioms.noop=5, to see whether the run detects it (repeatable).",
)
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Measure the packages of this project of cside init, and not the bindings of cside. --only then selects"
    " functions, --binding techniques.",
)
@measuring_options("the run")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Check the names in the options, print the workloads that the tier measures on CPython, and end.",
)
@click.option(
    "--environments",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file in which nox describes what it has built; nox -s bench gives this option.",
)
@json_option()
@results_option
def command(
    tier: str,
    budget: float | None,
    isolated: bool,
    count: bool,
    only: tuple[str, ...],
    binding: tuple[str, ...],
    python: tuple[str, ...],
    corpus_path: Path | None,
    seed: int | None,
    resume: str | None,
    handicap: tuple[str, ...],
    project: Path | None,
    load_limit: float,
    patience: float,
    no_pin: bool,
    dry_run: bool,
    environments: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Measure, and report.

    This measures what nox has built; "cside bench" builds first. It ends with a table, report.html and report.md in the
    run's folder. Without --environments it measures the bindings that are installed for its own interpreter.

    \b
    Examples:
      cside run --quick
      cside run --budget 12 --python 3.14
      cside run --only codec.crc32 --binding cffi --python 3.13 --python pypy3.11
      cside run --corpus ~/Documents
      cside run --count --python 3.14
      cside run --isolated --only idioms
      cside run --only codec.crc32 --dry-run
      cside run --resume

    Exit codes: 0 measured; 1 measured, and a cell is void; 2 wrong usage, or nothing to measure with; 3 a process
    failed, or the machine did not become quiet; 130 interrupted. What is finished is kept: --resume goes on.
    """
    console = Console(stderr=True) if as_json else make_console()
    results = run_library.results(project) if project is not None and results == checkout.results() else results
    if dry_run and resume is not None:
        raise click.UsageError("--dry-run says what a new run would measure; --resume goes on with one that has a plan")
    handicaps = [parse_handicap(text) for text in handicap]
    try:
        if project is not None:
            run_library.check(project, only, isolated=isolated, counted=count, corpus=corpus_path)
            if dry_run:
                return
        elif resume is None:
            asked.check_bindings(binding)
        if project is None and (dry_run or (resume is None and (only or handicaps))):
            names = asked.workloads(Tier.named(tier), only, handicaps)
            if dry_run:
                click.echo("\n".join(names))
                return
    except PlanError as error:
        raise click.UsageError(str(error)) from error
    display = Display(console)
    machine = Machine.prepare(display, pin=not no_pin, load_limit=load_limit, patience_s=patience * 60)
    manifest = load_manifest(environments)
    try:
        if resume is not None:
            folder = found_run(results, newest_unfinished(results) if resume == NEWEST else resume)
            plan = Plan.load(folder)
            if not plan.library:  # whose processes compare the file that they load
                check_unchanged(plan, manifest)
        else:
            library = None
            if project is not None:
                library = run_library.staged(project, manifest, python, binding, only, console)
                manifest = run_library.measured(manifest, library)
            plan = make_plan(
                manifest,
                Tier.named(tier),
                secrets.randbits(32) if seed is None else seed,
                python,
                () if library else binding,
                () if library else only,
                budget_minutes=budget,
                isolated=isolated,
                counted=count,
                handicaps=handicaps,
                **({} if library is None else run_library.planned(library)),
            )
            folder = new_folder(results.resolve())
            if library is None:
                plan.corpora.update(corpus.save(folder / "corpus", corpus_path))
            elif project is not None:
                run_library.prepare(project, folder, plan, library, console)
            plan.save(folder)
            environment.record(plan, folder, machine.placement)
    except (PlanError, NoRun, corpus.CorpusError) as error:
        raise click.UsageError(str(error)) from error
    for entry in plan.missing:
        console.print(
            f"not measured: {entry['label']}: {entry['reason']}; to install it: {entry['install']}", highlight=False
        )
    labels = ", ".join(interpreter.label for interpreter in plan.interpreters)
    console.print(f"run {folder.name}: tier {plan.tier} on {labels}; {machine.says}", highlight=False)
    interrupted = False
    resuming = f"nox -s bench -- {f'--project {project} ' if project else ''}--resume "
    try:
        if plan.counted:
            static.keep(manifest, folder, display.say, with_builds=False)
            instructions.run(plan, folder, display)
        else:
            with lock.alone(f"run {folder.name}", patience_s=patience * 60, say=display.say):
                if not plan.library:
                    static.keep(manifest, folder, display.say, with_builds=plan.tier != "quick")
                Driver(plan, folder, display, machine, look.take).run()
    except KeyboardInterrupt:
        interrupted = True
    except (DriverError, PlanError, TooBusy, lock.Occupied, instructions.CountingError) as error:
        display.stop()
        console.print(f"error: {error}", style="red", highlight=False)
        console.print(f"what is finished is kept. To go on: {resuming}{folder.name}", highlight=False)
        sys.exit(EXIT_FAILED)
    finally:
        display.stop()
    code = finish_counts(folder, console) if plan.counted else finish(folder, console)
    if as_json:
        click.echo(json.dumps({"exit_code": EXIT_INTERRUPTED if interrupted else code, **told_of(folder)}, indent=1))
    if interrupted:
        console.print(f"interrupted; what is finished is kept. To go on: {resuming}{folder.name}", highlight=False)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(code)
