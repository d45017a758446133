# SPDX-License-Identifier: Apache-2.0
"""``cside reference``: make the reference run, which ships with cside, from a finished run. For maintainers."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import click

from cside_bench.cli.options import found_run, json_option, reading, results_option
from cside_bench.cli.parameters import PYTHON, RUN
from cside_bench.machine import checkout
from cside_bench.recommend import document
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.results.files import DRILL_FILE
from cside_bench.results.selection import matches


@click.command("reference")
@click.argument("run_name", metavar="RUN", type=RUN)
@click.option(
    "--python",
    multiple=True,
    type=PYTHON,
    default=("3.14", "pypy"),
    show_default=True,
    metavar="VERSION",
    help="An interpreter of the run that ships (repeatable).",
)
@click.option("--check", is_flag=True, help="Write nothing; only say whether RUN can be the reference run.")
@results_option
@json_option()
def command(run_name: str, python: tuple[str, ...], *, check: bool, results: Path, as_json: bool) -> None:
    """Make the reference run from a run, for developers of cside.

    `cside recommend` answers from the reference run where there is no other. It is the part of a run's evidence that
    recommendations are computed from, packed. RUN has to be complete, of a tier that gives verdicts, trustworthy on the
    interpreters that ship, and with costs. What is written answers all profiles of cside as RUN does, which is checked.

    \b
    Examples:
      cside reference latest
      cside reference latest --check

    Exit codes: 0 done; 2 wrong usage, or the run cannot be the reference run.
    """
    root = checkout.root()
    if root is None:
        raise click.UsageError("the reference run is written into a checkout of cside, and this folder is in none")
    folder = found_run(results, run_name)
    with reading(folder):
        run = Run.load(folder)
        labels = [label for label in run.labels if any(matches(label, name) for name in python)]
        if lacking := [name for name in python if not any(matches(label, name) for label in run.labels)]:
            raise click.UsageError(f"{run.name} measured {', '.join(run.labels)} and not {', '.join(lacking)}")
        if unfit := unfit_for(run, labels):
            raise click.UsageError(f"{run.name} cannot be the reference run: {'; '.join(unfit)}")
        contents = proven(folder, labels)
    total = sum(map(len, contents.values()))
    target = None if check else root / "bench" / "src" / "cside_bench" / "results" / shipped_run.FOLDER
    if target is not None:
        shipped_run.write(target, contents)
    if as_json:
        folder_ = None if target is None else str(target)
        click.echo(json.dumps({"run": run.name, "interpreters": labels, "bytes": total, "folder": folder_}))
        return
    click.echo(f"{run.name}: {', '.join(labels)}; {total:,} bytes; answers all profiles as the whole run does")
    if target is not None:
        click.echo(f"written: {target.relative_to(root)}")


def unfit_for(run: Run, labels: list[str]) -> list[str]:
    """Return why a run cannot be the reference run; empty if it can."""
    found = []
    if not run.judged:
        found.append(f"the {run.tier} tier gives no verdicts")
    if not run.summary["complete"]:
        found.append("it is not complete")
    if not (run.summary.get("costs") or {}).get("bindings"):
        found.append("it has no data on lines, builds and wheels")
    if run.summary.get("handicaps"):
        found.append("cells of it were slowed down on purpose")
    found += [f"it is not trustworthy on {label}" for label in labels if not run.trusted(label)]
    return found


def proven(folder: Path, labels: list[str]) -> dict[str, bytes]:
    """Return the files of a reference run, which answer all profiles as the run in ``folder`` does.

    The run is taken without the other interpreters, since a profile that asks for CPython is answered on all of them.
    Raises `click.UsageError` where the files are too large or an answer differs.
    """
    whole = shipped_run.restricted(shipped_run.read(folder), labels)
    contents = shipped_run.packed(shipped_run.trimmed(whole))
    if (total := sum(map(len, contents.values()))) > shipped_run.LIMIT_BYTES:
        limit = f"{shipped_run.LIMIT_BYTES:,}"
        raise click.UsageError(f"the evidence of this run has {total:,} bytes; a reference run may have {limit}")
    pairs = zip(answers(folder, shipped_run.packed(whole)), answers(folder, contents), strict=True)
    if differ := [one["profile"]["id"] for one, other in pairs if one != other]:
        raise click.UsageError(f"with the parts that ship, these profiles get another answer: {', '.join(differ)}")
    return contents


def answers(folder: Path, contents: dict[str, bytes]) -> list[dict[str, Any]]:
    """Return the answers from packed files, with the drill of the run in ``folder`` and not marked as shipped.

    The files are read from a folder as those of the reference run are.
    """
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        shipped_run.write(place, contents)
        if (drill := folder / DRILL_FILE).is_file():
            shutil.copy(drill, place)
        run = Run.load(place, folder.parent)
        run.shipped = False
        found: list[dict[str, Any]] = document.answers(run)["answers"]
    return found
