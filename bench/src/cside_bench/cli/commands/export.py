# SPDX-License-Identifier: Apache-2.0
"""``cside export``: write a run in the formats of other tools."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from cside_bench.cli.options import found_run, json_option, reading, results_option, selection_options
from cside_bench.cli.parameters import RUN
from cside_bench.report.export import (
    Exportable,
    ExportError,
    Way,
    facts_for_pyperf,
    pyperf_files,
    pytest_document,
    read_exportables,
)
from cside_bench.results.files import LATEST, RUN_FILE
from cside_bench.results.selection import Selection

LEFT_OUT_SHOWN: Final = 10

Save = Callable[[Path], None]
"""Writes one file."""


@click.command("export")
@click.argument("run", type=RUN, default=LATEST)
@click.option("--to", required=True, type=click.Choice(["pyperf", "pytest-benchmark"]), help="The format.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE/FOLDER",
    help="Where to write: a folder or, for a single file, a name that ends in .json. The default is the run's folder.",
)
@click.option(
    "--per",
    type=click.Choice(["interpreter", "binding"]),
    help="pytest-benchmark only: one file per interpreter (the default), or per interpreter and binding."
    " Files for pyperf are always per interpreter and binding.",
)
@click.option(
    "--values",
    type=click.Choice(["processes", "rounds"]),
    default="processes",
    show_default=True,
    help="One value per process, which is the median of its rounds, or one per round of each process.",
)
@click.option("--raw", is_flag=True, help="Do not subtract the time of the empty loop.")
@selection_options
@json_option("Print what was written, and what was left out, as one JSON document.")
@results_option
def command(
    run: str,
    to: str,
    output: Path | None,
    per: str | None,
    values: str,
    raw: bool,
    only: tuple[str, ...],
    binding: tuple[str, ...],
    python: tuple[str, ...],
    as_json: bool,
    results: Path,
) -> None:
    """Write a run for pyperf or pytest-benchmark.

    RUN is a name under results/, a path, or "latest", which is the default. Both tools take each value for a replicate,
    but only processes are replicates. So each value is the median of a process. --values rounds writes the values of
    all rounds, for histograms; a test of significance on them means nothing. Neither tool compares pairs, so that
    "cside compare" and the report find smaller differences in the same run. Cells that are void or could not be
    resolved are left out and named.

    \b
    Examples, bindings of one interpreter, then interpreters:
      cside export --to pyperf -o perf --python 3.13
      python -m pyperf compare_to perf/cpython-3.13-cext.json perf/cpython-3.13-cffi.json --table
      cside export --to pyperf --values rounds -o all --only codec.crc32
      python -m pyperf hist all/cpython-3.13-cext.json -b 'codec.crc32[16]'
      cside export --to pytest-benchmark --per binding -o storage
      pytest-benchmark --storage storage compare 'cpython-3.13/*' --group-by name \\
        --columns mean,stddev,rounds
      cside export --to pytest-benchmark -o storage
      pytest-benchmark --storage storage compare '*/0001_all' --group-by name

    Exit codes: 0 written; 2 wrong usage, no such run, or nothing to export.
    """  # click's \b is the character itself
    if to == "pyperf" and per == "interpreter":
        raise click.UsageError("--per interpreter is for pytest-benchmark; pyperf compares files of one binding each")
    way = Way(net=not raw, rounds=values == "rounds")
    folder = found_run(results, run)
    try:
        with reading(folder):
            exportables = read_exportables(folder, way, Selection(python, binding, only))
    except ExportError as error:
        raise click.UsageError(str(error)) from error
    if to == "pyperf":
        files = list(for_pyperf(exportables, folder, way))
    else:
        files = list(for_pytest(exportables, folder.name, way, by_binding=per == "binding"))
    target = folder / to if output is None else output
    if target.suffix == ".json" and len(files) > 1:
        raise click.UsageError(
            f"{target} is one file, and there are {len(files)} to write; "
            "name a folder, or select one interpreter and binding with --python and --binding"
        )
    left_out = [(it.label, key, reason) for it in exportables for key, reason in sorted(it.left_out.items())]
    written = []
    for name, save in files:
        path = target if target.suffix == ".json" else target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path)
        written.append(str(path))
        if not as_json:
            click.echo(path)
    if as_json:
        cells = [
            {"interpreter": label, "workload": key[0], "subject": key[1], "reason": reason}
            for label, key, reason in left_out
        ]
        told = {"run": folder.name, "to": to, "values": way.words(), "files": written, "left_out": cells}
        click.echo(json.dumps(told, indent=1))
        return
    for label, (workload, subject), reason in left_out[:LEFT_OUT_SHOWN]:
        click.echo(f"left out: {label} {workload} {subject}: {reason}", err=True)
    if len(left_out) > LEFT_OUT_SHOWN:
        click.echo(f"left out: {len(left_out) - LEFT_OUT_SHOWN} more cells", err=True)


def for_pyperf(exportables: list[Exportable], folder: Path, way: Way) -> Iterator[tuple[str, Save]]:
    """Yield the name of each file of pyperf's format, and what writes it."""
    plan, environment = (
        json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        for path in (folder / RUN_FILE, folder / "environment.json")
    )
    facts = facts_for_pyperf(folder.name, plan, environment, way)
    for exportable in exportables:
        for name, suite in pyperf_files(exportable, facts):
            yield f"{name}.json", partial(save_suite, suite)


def save_suite(suite: Any, path: Path) -> None:
    """Write a `pyperf.BenchmarkSuite`."""
    suite.dump(str(path), compact=False, replace=True)


def for_pytest(exportables: list[Exportable], run: str, way: Way, *, by_binding: bool) -> Iterator[tuple[str, Save]]:
    """Yield the name of each file of pytest-benchmark's format, and what writes it.

    They lie as in that tool's storage: one folder per interpreter, with numbered names. A number stands for the same
    binding in every folder.
    """
    subjects = sorted({subject for exportable in exportables for subject in exportable.cells})
    for exportable in exportables:
        groups = (
            [(f"{number:04d}_{it}", [it]) for number, it in enumerate(subjects, start=1) if it in exportable.cells]
            if by_binding
            else [("0001_all", list(exportable.cells))]
        )
        for name, chosen in groups:
            document = pytest_document(exportable, chosen, run, way, own=by_binding)
            yield f"{exportable.label}/{name}.json", partial(save_document, document)


def save_document(document: dict[str, Any], path: Path) -> None:
    """Write a file of pytest-benchmark's format."""
    path.write_text(json.dumps(document), encoding="utf-8")
