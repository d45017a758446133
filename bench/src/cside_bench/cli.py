"""The ``cside`` command. ``nox -s bench`` runs ``cside run`` with the environments that it built."""

import json
import os
import secrets
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from cside_bench import corpus, environment, profile
from cside_bench.driver import Driver, DriverError, new_folder
from cside_bench.plan import Interpreter, Plan, PlanError, Tier, draw_blocks
from cside_bench.progress import Display
from cside_bench.report import Report
from cside_bench.summary import summarise

RESULTS: Final = Path("results")
LATEST: Final = "latest"

EXIT_VOID: Final = 1
EXIT_USAGE: Final = 2
EXIT_FAILED: Final = 3
EXIT_INTERRUPTED: Final = 130


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


for _point in entry_points(group="cside.commands"):
    main.add_command(_point.load(), _point.name)  # commands of other packages, as `headers`


def load_manifest(path: Path | None) -> dict[str, Any]:
    """What nox provisioned and built; without it, this interpreter with what is installed in it."""
    if path is not None:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    import cside_native

    label = f"{sys.implementation.name}-{sys.version_info.major}.{sys.version_info.minor}"
    return {
        "interpreters": [{"label": label, "python": sys.executable}],
        "missing": [],
        "native": {"sha256": cside_native.build_info()["sha256"]},
    }


def matches(label: str, wanted: str) -> bool:
    """Whether ``3.13``, ``pypy3.11``, ``pypy`` or ``cpython-3.13`` names the interpreter labelled ``cpython-3.13``."""
    implementation, _, version = label.partition("-")
    return wanted in {
        label,
        implementation,
        f"{implementation}{version}",
        version if implementation == "cpython" else "",
    }


def make_plan(
    manifest: dict[str, Any],
    tier: Tier,
    seed: int,
    python: tuple[str, ...],
    binding: tuple[str, ...],
    only: tuple[str, ...],
) -> Plan:
    """A plan without corpora yet. Raises `click.UsageError` for an interpreter that is not there."""
    interpreters = []
    for entry in manifest["interpreters"]:
        if not python or any(matches(entry["label"], wanted) for wanted in python):
            facts = {name: value for name, value in entry.items() if name not in {"label", "python"}}
            interpreters.append(Interpreter(entry["label"], entry["python"], facts))
    labels = [interpreter.label for interpreter in interpreters]
    for wanted in python:
        if not any(matches(label, wanted) for label in labels):
            known = ", ".join(entry["label"] for entry in manifest["interpreters"]) or "none"
            raise click.UsageError(f"--python {wanted}: no such interpreter here (found: {known})")
    if not interpreters:
        raise click.UsageError("no interpreter to measure")
    bindings = list(binding)
    if bindings and tier.reference not in bindings:
        bindings.insert(0, tier.reference)  # ratios need it
    return Plan(
        tier=tier.name,
        seed=seed,
        reference=tier.reference,
        library_sha256=manifest["native"]["sha256"],
        interpreters=interpreters,
        blocks=draw_blocks(labels, tier.blocks, seed),
        bindings=bindings,
        only=list(only),
        corpora={},
        missing=[
            entry
            for entry in manifest.get("missing", [])
            if not python or any(matches(entry["label"], p) for p in python)
        ],
    )


def check_unchanged(plan: Plan, manifest: dict[str, Any]) -> None:
    """Raise :class:`PlanError` where what a run measured is no longer what is installed."""
    if manifest["native"]["sha256"] != plan.library_sha256:
        raise PlanError("libcside has been built anew since this run began: start a new run")
    current = {entry["label"]: entry for entry in manifest["interpreters"]}
    for interpreter in plan.interpreters:
        entry = current.get(interpreter.label)
        if entry is None:
            raise PlanError(f"{interpreter.label} is no longer there")
        if digests(entry.get("builds", {})) != digests(interpreter.facts.get("builds", {})):
            raise PlanError(
                f"the bindings of {interpreter.label} have been built anew since this run began: start a new run"
            )


def digests(builds: dict[str, Any]) -> dict[str, str]:
    """SHA-256 of each wheel by distribution."""
    return {name: build["sha256"] for name, build in builds.items()}


def point_latest(folder: Path) -> None:
    """Let ``results/latest`` name the newest run."""
    link = folder.parent / LATEST
    partial = folder.parent / f".{LATEST}-{os.getpid()}"
    partial.symlink_to(folder.name)
    partial.replace(link)


@main.command()
@click.option(
    "--quick", "tier", flag_value="quick", help="A few processes, in minutes; prints that it gives no verdicts."
)
@click.option(
    "--default",
    "tier",
    flag_value="default",
    default="default",
    help="Eight processes per interpreter, with verdicts (the default).",
)
@click.option("--rigorous", "tier", flag_value="rigorous", help="Thirty processes per interpreter, longer each; hours.")
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
    "--environments", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="What nox built (set by it)."
)
@click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=RESULTS,
    show_default=True,
    help="Folder of runs.",
)
def run(
    tier: str,
    only: tuple[str, ...],
    binding: tuple[str, ...],
    python: tuple[str, ...],
    corpus_path: Path | None,
    seed: int | None,
    resume: str | None,
    environments: Path | None,
    results: Path,
) -> None:
    """Measure, and report.

    \b
    Examples:
      cside run --quick
      cside run --only codec.crc32 --binding cffi --python 3.13 --python pypy3.11
      cside run --corpus ~/Documents
      cside run --resume
    """
    console = make_console()
    manifest = load_manifest(environments)
    try:
        if resume is not None:
            folder = (results / resume).resolve()
            plan = Plan.load(folder)
            check_unchanged(plan, manifest)
        else:
            chosen = Tier.named(tier)
            plan = make_plan(manifest, chosen, secrets.randbits(32) if seed is None else seed, python, binding, only)
            folder = new_folder(results.resolve())
            plan.corpora.update(corpus.save(folder / "corpus", corpus_path))
            plan.save(folder)
            environment.record(plan, folder)
        point_latest(folder)
    except (PlanError, corpus.CorpusError) as error:
        raise click.ClickException(str(error)) from error
    for entry in plan.missing:
        console.print(
            f"missing: {entry['label']}: {entry['reason']}; to install it: {entry['install']}", highlight=False
        )
    console.print(
        f"run {folder.name}: tier {plan.tier}, {len(plan.blocks)} processes on "
        f"{', '.join(interpreter.label for interpreter in plan.interpreters)}",
        highlight=False,
    )
    display = Display(console)
    interrupted = False
    try:
        Driver(plan, folder, display).run()
    except KeyboardInterrupt:
        interrupted = True
    except DriverError as error:
        display.stop()
        console.print(f"error: {error}", style="red", highlight=False)
        sys.exit(EXIT_FAILED)
    finally:
        display.stop()
    code = finish(folder, console)
    if interrupted:
        console.print(
            f"interrupted; what is finished is kept. To go on: nox -s bench -- --resume {folder.name}", highlight=False
        )
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(code)


def make_console() -> Console:
    """A console of the terminal's width; tables that go to a file or a pipe get 100 columns."""
    return Console() if sys.stdout.isatty() else Console(width=100)


def finish(folder: Path, console: Console) -> int:
    """Summarise and report what there is; return the exit code."""
    if not any((folder / "blocks").glob("*.json")):
        console.print("no process has finished yet: nothing to report", highlight=False)
        return 0
    with console.status("computing intervals"):
        summary = summarise(folder)
    report = Report(folder)
    path = report.write()
    report.show(console)
    console.print(f"report: {shown(path)}\nsummary: {shown(folder / 'summary.json')}", highlight=False)
    return EXIT_VOID if any(cell["void"] is not None for cell in summary["cells"]) else 0


def shown(path: Path) -> str:
    """A path as the user would type it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


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
