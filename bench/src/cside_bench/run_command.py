# SPDX-License-Identifier: Apache-2.0
"""``cside run``: plan, measure, report. ``nox -s bench`` calls it with the environments that it built."""

import json
import os
import secrets
import sys
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from cside_bench import corpus, costs, counting, derived, environment, exclusive
from cside_bench.arguments import EXIT_FAILED, EXIT_LOOK, found_run, json_option, results_option
from cside_bench.completion import LATEST
from cside_bench.console import make_console, shown
from cside_bench.decisions import Decisions
from cside_bench.driver import Driver, DriverError, new_folder
from cside_bench.guard import TooBusy
from cside_bench.machine import Machine
from cside_bench.outcome import told_of
from cside_bench.plan import Plan, PlanError, Tier
from cside_bench.planning import check_unchanged, load_manifest, make_plan, parse_handicap
from cside_bench.progress import Display
from cside_bench.report import Report
from cside_bench.selection import is_binding
from cside_bench.summary import summarise

LOAD_LIMIT_CORES: Final = 0.5
PATIENCE_MINUTES: Final = 5.0

EXIT_INTERRUPTED: Final = 130


def point_latest(folder: Path) -> None:
    """Let ``results/latest`` name the newest run."""
    link = folder.parent / LATEST
    partial = folder.parent / f".{LATEST}-{os.getpid()}"
    partial.symlink_to(folder.name)
    partial.replace(link)


@click.command()
@click.option(
    "--quick", "tier", flag_value="quick", help="A few processes, in minutes; prints that it gives no verdicts."
)
@click.option(
    "--default",
    "tier",
    flag_value="default",
    default="default",
    help="Seven to ten processes per interpreter, with verdicts (the default).",
)
@click.option("--rigorous", "tier", flag_value="rigorous", help="Thirty processes per interpreter, longer each; hours.")
@click.option(
    "--budget",
    type=click.FloatRange(min=1),
    metavar="MINUTES",
    help="As many processes and rounds as these minutes have room for, by a pilot.",
)
@click.option(
    "--isolated",
    is_flag=True,
    help="Give each binding processes of its own: compare with an ordinary run to see whether sharing one favours any.",
)
@click.option(
    "--count",
    is_flag=True,
    help="Count instructions under callgrind instead of timing: repeatable, for CI. CPython only.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="TEXT",
    help="Only workloads whose name contains TEXT, as codec.crc32 (repeatable).",
)
@click.option(
    "--binding", multiple=True, metavar="NAME", help="Only this binding, its variants, and the reference (repeatable)."
)
@click.option("--python", multiple=True, metavar="VERSION", help="Only this interpreter: 3.13, pypy3.11 (repeatable).")
@click.option("--corpus", "corpus_path", type=click.Path(path_type=Path), help="Compress this file or folder as well.")
@click.option("--seed", type=int, help="Repeat a run's random choices; drawn anew by default.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    metavar="[RUN]",
    help="Go on with an interrupted run: the newest, or RUN.",
)
@click.option(
    "--handicap",
    multiple=True,
    metavar="CELL=PERCENT",
    help="Slow a cell down on purpose, as BINDING:idioms.noop=5, to see whether the run finds out (repeatable).",
)
@click.option(
    "--load-limit",
    type=click.FloatRange(min=0),
    default=LOAD_LIMIT_CORES,
    show_default=True,
    metavar="CORES",
    help="Wait before a process while others keep more than this busy.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=PATIENCE_MINUTES,
    show_default=True,
    metavar="MINUTES",
    help="How long to wait for a quiet machine before giving up.",
)
@click.option("--no-pin", is_flag=True, help="Leave it to the system on which CPU a process runs.")
@click.option(
    "--environments", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="What nox built (set by it)."
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
    load_limit: float,
    patience: float,
    no_pin: bool,
    environments: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Measure, and report.

    \b
    Examples:
      cside run --quick
      cside run --budget 12 --python 3.14
      cside run --only codec.crc32 --binding cffi --python 3.13 --python pypy3.11
      cside run --corpus ~/Documents
      cside run --count --python 3.14
      cside run --isolated --only idioms
      cside run --resume

    Exit codes: 0 measured; 1 measured, and a cell is void; 2 wrong usage, or nothing to measure with; 3 a process
    failed, or the machine did not become quiet; 130 interrupted. What is finished is kept: --resume goes on.
    """
    console = Console(stderr=True) if as_json else make_console()
    display = Display(console)
    machine = Machine.prepare(display, pin=not no_pin, load_limit=load_limit, patience_s=patience * 60)
    manifest = load_manifest(environments)
    try:
        if resume is not None:
            folder = found_run(results, resume)
            plan = Plan.load(folder)
            check_unchanged(plan, manifest)
        else:
            plan = make_plan(
                manifest,
                Tier.named(tier),
                secrets.randbits(32) if seed is None else seed,
                python,
                binding,
                only,
                budget_minutes=budget,
                isolated=isolated,
                counted=count,
                handicaps=[parse_handicap(text) for text in handicap],
            )
            folder = new_folder(results.resolve())
            plan.corpora.update(corpus.save(folder / "corpus", corpus_path))
            plan.save(folder)
            environment.record(plan, folder, machine.placement)
            costs.keep(manifest, folder)
        point_latest(folder)
    except (PlanError, corpus.CorpusError) as error:
        raise click.UsageError(str(error)) from error
    for entry in plan.missing:
        console.print(
            f"missing: {entry['label']}: {entry['reason']}; to install it: {entry['install']}", highlight=False
        )
    labels = ", ".join(interpreter.label for interpreter in plan.interpreters)
    console.print(f"run {folder.name}: tier {plan.tier} on {labels}; {machine.says}", highlight=False)
    interrupted = False
    try:
        if plan.counted:
            counting.run(plan, folder, display)
        else:
            with exclusive.alone(f"run {folder.name}", patience_s=patience * 60, say=display.say):
                Driver(plan, folder, display, machine).run()
    except KeyboardInterrupt:
        interrupted = True
    except (DriverError, PlanError, TooBusy, exclusive.Occupied, counting.CountingError) as error:
        display.stop()
        console.print(f"error: {error}", style="red", highlight=False)
        console.print(f"what is finished is kept. To go on: nox -s bench -- --resume {folder.name}", highlight=False)
        sys.exit(EXIT_FAILED)
    finally:
        display.stop()
    code = finish_counts(folder, console) if plan.counted else finish(folder, console)
    if as_json:
        click.echo(json.dumps({"exit_code": EXIT_INTERRUPTED if interrupted else code, **told_of(folder)}, indent=1))
    if interrupted:
        console.print(
            f"interrupted; what is finished is kept. To go on: nox -s bench -- --resume {folder.name}", highlight=False
        )
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(code)


def finish(folder: Path, console: Console) -> int:
    """Summarise and report what there is; return the exit code."""
    if not any((folder / "blocks").glob("*.json")):
        console.print("no process has finished yet: nothing to report", highlight=False)
        return 0
    with console.status("computing intervals"):
        summary = summarise(folder)
    with console.status("judging claims, recommending, drawing the page"):
        page = derived.draw(folder)
    report = Report(folder)
    path = report.write()
    report.show(console)
    Decisions(folder).show(console)
    console.print(
        f"report: {shown(page)}\nas text: {shown(path)}\nnumbers: {shown(folder / 'summary.json')}", highlight=False
    )
    return EXIT_LOOK if any(cell["void"] is not None for cell in summary["cells"]) else 0


def finish_counts(folder: Path, console: Console) -> int:
    """Show what was counted; return the exit code."""
    found = counting.read(folder)
    if not found:
        console.print("no interpreter has been counted yet: nothing to report", highlight=False)
        return 0
    for table in counting.tables(counting.table(found), Plan.load(folder).reference):
        console.print(table)
    void = 0
    for label, document in found.items():
        cells = document["cells"]
        unstable = [cell for cell in cells if cell["void"] is None and not cell["stable"]]
        void += sum(cell["void"] is not None and is_binding(cell["subject"]) for cell in cells)
        console.print(f"{label}: {len(cells)} cells, {len(unstable)} that do not repeat to 0.5 %", highlight=False)
    console.print(f"counts: {shown(folder / 'counts')}; compare runs with: cside compare BASE OTHER", highlight=False)
    return EXIT_LOOK if void else 0
