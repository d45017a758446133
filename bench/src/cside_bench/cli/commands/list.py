# SPDX-License-Identifier: Apache-2.0
"""``cside list``: list what there is on this machine."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.cli import list_rows
from cside_bench.cli.options import json_option, results_option

Row = dict[str, Any]
Column = tuple[str, Callable[[Row], str]]


def age(started: str | None) -> str:
    """The time since ``started``, in days, hours, minutes or seconds."""
    if started is None:
        return ""
    begun = datetime.fromisoformat(started)
    seconds = (datetime.now(UTC) - (begun if begun.tzinfo else begun.replace(tzinfo=UTC))).total_seconds()
    for name, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name}"
    return f"{max(seconds, 0):.0f} s"


def bytes_of(number: int) -> str:
    """Format a number of bytes as kB or MB."""
    return f"{number / 1e6:.1f} MB" if number >= 1e5 else f"{number / 1e3:.1f} kB"


def trusted(row: Row) -> str:
    """Whether a run is trustworthy by its own checks: yes, no, only on some interpreters, or not judged."""
    if row["problem"] is not None:
        return "damaged"
    said = set(row["trustworthy"].values())
    if not said:
        return "not reported yet" if row["kind"] != "counted" else "not judged"
    if said == {None}:
        return "not judged"
    if said == {True}:
        return "yes"
    kept = [label for label, value in row["trustworthy"].items() if value]
    return f"only {', '.join(kept)}" if kept else "no"


def on(row: Row) -> str:
    """The interpreters on which a binding is available."""
    told = row["interpreters"]
    without = [label for label, it in told.items() if it["unavailable"] is not None]
    if not told:
        return "not built yet"
    if len(without) == len(told):
        return "none"
    return f"all but {', '.join(without)}" if without else ", ".join(told)


def offers(row: Row) -> str:
    """The number of features and the gaps, on the first interpreter; ``--json`` has them for every interpreter."""
    first = next(iter(row["interpreters"].values()), None)
    if first is None:
        return "known once it is built"
    if row["partial"]:
        return "some functions"
    return f"{len(first['features'])} features; lacks {', '.join(first['gaps']) or 'nothing'}"


def run_kind(row: Row) -> str:
    """The tier of a run, and its kind unless it is an ordinary timed run."""
    return " ".join([str(row["tier"] or "?"), *([row["kind"]] if row["kind"] not in (None, "timed") else [])])


def of(name: str) -> Callable[[Row], str]:
    """A column that shows a field as it is."""
    return lambda row: str(row[name] if row[name] is not None else "")


COLUMNS: Final[dict[str, list[Column]]] = {
    "bindings": [
        ("binding", of("name")),
        ("technique", lambda row: str(row["technique"]).removeprefix("libcside ")),
        ("version", of("version")),
        ("offers", offers),
        ("on", on),
    ],
    "workloads": [
        ("workload", of("name")),
        ("what it does", of("idiom")),
        ("GIL", of("gil")),
        ("needs", lambda row: ", ".join(row["needs"])),
        ("skipped by", lambda row: ", ".join(row["skipped_by"])),
    ],
    "interpreters": [
        ("interpreter", of("label")),
        ("release", of("release")),
        ("headers", lambda row: "yes" if row["headers"] else "no"),
        ("bindings built", lambda row: "yes" if row["environment"] else "no"),
        ("found by", of("source")),
        ("where", of("executable")),
    ],
    "runs": [
        ("run", lambda row: f"{row['name']} (latest)" if row["latest"] else row["name"]),
        ("tier", run_kind),
        ("interpreters", lambda row: ", ".join(row["interpreters"]) or str(row["problem"])),
        ("trustworthy", trusted),
        ("age", lambda row: age(row["started"])),
        ("size", lambda row: bytes_of(row["bytes"])),
    ],
    "profiles": [("profile", of("name")), ("title", of("title")), ("what it stands for", of("text"))],
    "claims": [("claim", of("name")), ("title", of("title")), ("source", lambda row: row["source"].get("title", ""))],
    "features": [("feature", of("name")), ("means", of("means"))],
}
COLUMNS["variants"] = COLUMNS["bindings"]
UNFOLDED: Final = 400
"""Width of the table where it is not printed on a terminal, so that each row stays on one line for grep."""
RIGHT: Final = frozenset({"age", "size"})
"""Columns that are aligned to the right."""
TOPICS: Final = ("bindings", "variants", "workloads", "interpreters", "runs", "profiles", "claims", "features")


def gather(topic: str, results: Path) -> list[Row]:
    """The rows of a topic. Raises :class:`cside_bench.cli.list_rows.NotBuilt` where they are not known yet."""
    if topic == "runs":
        return list_rows.runs(results)
    found: list[Row] = getattr(list_rows, topic)()
    return found


def table_of(topic: str, rows: Sequence[Row]) -> Table:
    """The rows as a table. The first column is never shortened, because it holds the names that users type."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = COLUMNS[topic]
    for number, (name, _) in enumerate(columns):
        table.add_column(name, no_wrap=number == 0, justify="right" if name in RIGHT else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(tell(row)) for _, tell in columns))
    return table


def overview(found: dict[str, list[Row] | None]) -> Table:
    """A table of all topics: how many rows each has, and the first of their names."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("topic", "how many", "as"):
        table.add_column(name, no_wrap=True, justify="right" if name == "how many" else "left", overflow="ellipsis")
    for topic, rows in found.items():
        names = list(dict.fromkeys(str(row.get("name") or row.get("label")) for row in rows or ()))
        table.add_row(topic, "not built" if rows is None else str(len(rows)), ", ".join(names[:6]))
    return table


@click.command("list")
@click.argument("topic", required=False, type=click.Choice(TOPICS), metavar="[TOPIC]")
@json_option()
@results_option
def command(topic: str | None, as_json: bool, results: Path) -> None:
    """List what there is on this machine.

    \b
    TOPIC is one of these; without it, all of them are listed in short:
      bindings       their technique, version, features and gaps, and the interpreters they are on
      variants       bindings that are built once more with one setting of the technique changed
      workloads      what is measured: the idiom, the GIL policy, which tiers skip it
      interpreters   those with bindings built for them, and others on the PATH, in pyenv, in uv
      runs           their tier, interpreters, age and size, and whether they are trustworthy
      profiles       profiles that "cside recommend" knows
      claims         claims that "cside claims" judges
      features       features that a binding may offer

    Nothing is built or changed.

    \b
    Examples:
      cside list
      cside list runs
      cside list workloads | grep crc32
      cside list bindings --json | jq '.[] | {name, gaps: .interpreters[].gaps}'

    Exit codes: 0 listed; 1 the topic is known only once something is built; 2 wrong usage.
    """  # click's \b is the character itself
    console = Console()
    if not console.is_terminal:
        console = Console(width=UNFOLDED)
    if topic is not None:
        try:
            rows = gather(topic, results)
        except list_rows.NotBuilt as error:
            raise click.ClickException(str(error)) from error
        if as_json:
            click.echo(json.dumps(rows, indent=1))
        elif not rows:
            hint = "; to measure: cside bench --quick" if topic == "runs" else ""
            click.echo(f"there are no {topic} here{hint}", err=True)
        else:
            console.print(table_of(topic, rows))
        return
    found: dict[str, list[Row] | None] = {}
    for name in TOPICS:
        try:
            found[name] = gather(name, results)
        except list_rows.NotBuilt as error:
            click.echo(f"note: {error}", err=True)
            found[name] = None
    if as_json:
        click.echo(json.dumps(found, indent=1))
    else:
        console.print(overview(found))
