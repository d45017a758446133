# SPDX-License-Identifier: Apache-2.0
"""What ``cside predict DIR --against RUN`` prints: how far the prices of functions are from what a run measured."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from cside_wrap.errors import WrapError
from cside_wrap.project import reading
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cside_bench.cli.console import make_console
from cside_bench.cli.options import found_run
from cside_bench.cli.options import reading as run_reading
from cside_bench.cli.predict_tables import SEED, WIDEST, ns
from cside_bench.cli.run_library import results
from cside_bench.library.against import Compared, NotMeasured, compare, errors
from cside_bench.library.shapes import releasing
from cside_bench.predict.price import Pricing, Unpriced
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run

FARTHEST: Final = 8
"""Functions that are farthest off and are shown for each interpreter."""


def answer(run: Run, folder: Path, name: str, *, released: bool, as_json: bool) -> None:
    """Compare and print. Raises `click.UsageError` where there is nothing to compare."""
    try:
        project = reading.read(folder)
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    place = found_run(results(folder), name)
    with run_reading(place):
        measured = Run.load(place)
        try:
            found = compare(
                Pricing(run, SEED),
                measured,
                project.form(),
                releasing(project.settings.gil_held, released=released),
            )
        except (NotMeasured, Unpriced) as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        document = {
            "run": run.name,
            "another_machine": shipped_run.told(run),
            "measured": measured.name,
            "errors": errors(found),
            "calls": [asdict(it) for it in found],
        }
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    _show(run, measured, found, make_console())


def _show(run: Run, measured: Run, found: list[Compared], console: Console) -> None:
    width = min(console.width, WIDEST)
    if another := shipped_run.told(run):
        console.print(escape(another), highlight=False, width=width)
        console.print()
    console.print(f"priced by {run.name}, measured by {measured.name} ({measured.tier} tier)", highlight=False)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("interpreter", "approach", "error factor: median, 90 % (functions)", "mostly the binding's"):
        table.add_column(name)
    for row in errors(found):
        table.add_row(row["label"], row["subject"], _factors(row["all"]), _factors(row["mostly"]))
    console.print(table, highlight=False)
    console.print()
    for label in dict.fromkeys(it.label for it in found):
        own = [it for it in found if it.label == label]
        own.sort(key=lambda it: -max(it.predicted / it.measured, it.measured / it.predicted))
        table = Table(title=f"{label}: farthest off", title_justify="left", box=None, padding=(0, 2, 0, 0))
        for name in ("call", "approach", "ns predicted", "ns measured", "in C"):
            table.add_column(name, justify="left" if name in ("call", "approach") else "right")
        for it in own[:FARTHEST]:
            native = "" if it.native is None else ns(it.native)
            table.add_row(escape(it.workload), it.subject, ns(it.predicted), ns(it.measured), native)
        console.print(table, highlight=False)
    console.print(
        "An error factor is max(predicted / measured, measured / predicted) of the whole time of a call, with C's own "
        "time as the run found it. Mostly the binding's are calls of whose time C takes at most half.",
        highlight=False,
        width=width,
    )


def _factors(found: dict[str, Any] | None) -> str:
    if found is None:
        return "\N{EM DASH}"
    return f"{found['median']:.2f}, {found['most']:.2f} ({found['functions']})"
