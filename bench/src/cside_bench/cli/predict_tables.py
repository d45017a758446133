# SPDX-License-Identifier: Apache-2.0
"""What the answers of ``cside predict`` have in common, of a prototype and of a project, and its table of errors."""

import json
from typing import Any, Final

import click
from rich.markup import escape
from rich.table import Table

from cside_bench.cli.console import make_console
from cside_bench.predict.price import Pricing, Unpriced
from cside_bench.report import shapes
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.results.selection import Selection
from cside_bench.results.shapes import document

WIDEST: Final = 100
"""Columns that the output has at most."""
SEED: Final = 1


def labels(run: Run, chosen: Selection) -> list[str]:
    """Return the interpreters of a run that are chosen. Raises `click.UsageError` if none is."""
    labels = [label for label in run.labels if chosen.interpreter(label)]
    if not labels:
        raise click.UsageError(f"{run.name} measured {', '.join(run.labels)} and none that --python names")
    return labels


def show_errors(run: Run, chosen: Selection, *, as_json: bool) -> None:
    """Print the costs and the error factors of a run. Raises `click.UsageError` if it has none."""
    try:
        Pricing(run, SEED)
    except Unpriced as error:
        raise click.UsageError(str(error)) from error
    chosen_labels = labels(run, chosen)
    if as_json:
        entries = [it for it in document(run)["interpreters"] if it["label"] in chosen_labels]
        click.echo(json.dumps({**document(run), "interpreters": entries}, indent=1, ensure_ascii=False))
        return
    console = make_console()
    if another := shipped_run.told(run):
        console.print(escape(another), highlight=False, width=min(console.width, WIDEST))
        console.print()
    for label in chosen_labels:
        for title, headings, rows in (
            (
                f"{label}: ns",
                ["part of a call", *shapes.subjects(run, label)],
                shapes.costs(run, label, intervals=False),
            ),
            (
                f"{label}: error factors, in the median and within 90 % (kinds of calls)",
                shapes.ERRORS,
                shapes.errors(run, label),
            ),
        ):
            table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
            for place, heading in enumerate(headings):
                table.add_column(heading, justify="right" if place else "left", overflow="fold")
            for row in rows:
                table.add_row(*map(escape, row))
            if rows:
                console.print(table, highlight=False)
                console.print()
        for sentence in shapes.lacking(run, label):
            console.print(escape(f"{label}: {sentence}"), highlight=False)
    console.print(escape(shapes.EXPLAINED), highlight=False, width=min(console.width, WIDEST))


def ns(value: float) -> str:
    """Format a time in ns with three digits or, from 1,000 on, as a whole number."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def missed(errors: dict[str, Any] | None) -> str:
    """Format the error factors of held-out calls."""
    if not errors or errors["median"] is None:
        return "unknown: none was measured"
    few = "" if errors["kinds"] >= 10 else f", of {errors['kinds']} kinds"
    return f"{errors['median']:.2f} times, 90 % by {errors['most']:.2f}{few}"
