# SPDX-License-Identifier: Apache-2.0
"""``cside selftest``: test the statistics on simulated runs whose true effects are known."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from cside_bench.statistics.rates import Row, bounds, percent
from cside_bench.summary.selftest import POWER, Result, selftest
from cside_bench.summary.simulation import SCENARIOS


def table_of(rows: Sequence[Row]) -> Table:
    """A table with one row for each rate, in per cent, by scenario."""
    table = Table(title="Rates in per cent, with the 95 % interval of the simulation")
    for name in ("scenario", "what"):
        table.add_column(name)
    for name in ("rate", "interval", "bound"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    before = ""
    for row in rows:
        if row.scenario != before:
            table.add_section()
        name, before = row.scenario if row.scenario != before else "", row.scenario
        mark = {True: "[green]kept[/]", False: "[bold red]MISSED[/]", None: ""}[row.passed]
        span = f"{percent(row.low)} to {percent(row.high)}"
        table.add_row(name, row.measure, percent(row.rate), span, bounds(row), mark)
    return table


def power_table(result: Result) -> Table:
    """A table of how often a difference of 3 % is found, by the number of processes and the noise."""
    levels = sorted({it.noise for it in result.power})
    table = Table(title="How often a true difference of 3 % is found, by the cell's noise")
    table.add_column("processes", justify="right")
    for level in levels:
        table.add_column(f"{100 * level:.1f} %", justify="right")
    for count in sorted({it.processes for it in result.power}):
        rates = [it.rate for level in levels for it in result.power if (it.processes, it.noise) == (count, level)]
        table.add_row(str(count), *(f"[{'green' if rate >= POWER else 'dim'}]{percent(rate)}[/]" for rate in rates))
    return table


def as_json(result: Result) -> str:
    """The whole result as JSON; rates are shares between 0 and 1."""
    rows = [asdict(row) | {"passed": row.passed} for row in result.rows]
    return json.dumps(asdict(result) | {"rows": rows, "passed": result.passed}, indent=1)


@click.command("selftest")
@click.option("--runs", default=4, show_default=True, type=click.IntRange(min=2), help="Simulated runs per scenario.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same rates.")
@click.option(
    "--processes",
    type=click.IntRange(min=6),
    help="Processes of each run on CPython; by default as many as the default tier has.",
)
@click.option(
    "--json", "to_json", is_flag=True, help="Print one JSON document on standard output and nothing else there."
)
def command(runs: int, seed: int, processes: int | None, to_json: bool) -> None:
    """Test the statistics on simulated runs.

    The effects in simulated runs are known. The runs are as large as real ones, and are judged by the functions that
    judge those. This shows how often a verdict is false, how often a difference is found, and how often an interval
    holds the true value. Few runs give the rates of cells; the rates of runs need more of them. It takes some minutes,
    on all CPUs.

    \b
    Examples:
      cside selftest
      cside selftest --runs 40 --processes 20
      cside selftest --json | jq '.rows[] | select(.passed == false)'

    Exit codes: 0 every bound is kept; 1 a bound is missed; 2 wrong usage.
    """  # click's \b is the character itself
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulating", total=1.0)
        result = selftest(
            runs, seed, processes, workers=os.cpu_count() or 1, advance=lambda part: bar.advance(task, part)
        )
    if to_json:
        click.echo(as_json(result))
    else:
        show(result, Console())
    raise SystemExit(0 if result.passed else 1)


def show(result: Result, console: Console) -> None:
    """Print the tables and a summary."""
    console.print(f"{result.runs} runs per scenario, seed {result.seed}")
    for scenario in SCENARIOS:
        size = f"{result.comparisons.get(scenario.name, 0):,} comparisons"
        console.print(f"  [bold]{scenario.name}[/]: {scenario.says} ({size})")
    console.print(table_of(result.rows))
    console.print(power_table(result))
    if result.enough is None:
        console.print(f"No number of processes tried finds 3 % in {POWER:.0%} of typical cells.")
    else:
        console.print(f"{result.enough} processes are enough to find 3 % in {POWER:.0%} of typical cells.")
    missed = [row for row in result.rows if row.passed is False]
    for row in missed:
        console.print(f"[bold red]missed[/]: {row.scenario}: {row.measure}: {percent(row.rate)} %, {bounds(row)} %")
    if not missed:
        console.print("[green]Every bound is kept.[/]")
