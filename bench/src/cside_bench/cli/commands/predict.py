# SPDX-License-Identifier: Apache-2.0
"""``cside predict``: the price of one C function with every approach, from its prototype."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from cside_bench.cli.console import make_console
from cside_bench.cli.options import evidence, json_option, named_run_option, results_option
from cside_bench.cli.parameters import PYTHON
from cside_bench.predict.price import Price, Pricing, Unpriced
from cside_bench.predict.prototype import Prototype, PrototypeError, parse
from cside_bench.predict.roles import ARGUMENTS, RESULTS, Use, uses
from cside_bench.predict.roles import shape as shape_of
from cside_bench.report import shapes
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.results.selection import Selection
from cside_bench.results.shapes import document

WIDEST: Final = 100
"""Columns that the output has at most."""
SEED: Final = 1
LONG_NS: Final = 5000.0
"""C's own time in ns from which on it is usual to release the GIL: about a hundred times what the release takes."""


def _said(argument: tuple[str, ...], out: tuple[str, ...], returns: str | None) -> dict[str, str]:
    """Return the roles that the user gave, by the name of the argument. Raises `click.UsageError`."""
    found = dict.fromkeys(out, "out")
    for text in argument:
        name, equals, role = text.partition("=")
        if not equals or not name or not role:
            raise click.UsageError(f"--argument {text}: a name and a role are needed, as in --argument data=bytes")
        found[name] = role
    if returns:
        found["returns"] = returns
    return found


@click.command("predict")
@click.argument("prototype", required=False)
@click.option(
    "--errors", is_flag=True, help="Show how far the predictions of the run are off, and the costs; no PROTOTYPE."
)
@named_run_option
@results_option
@click.option(
    "--python", multiple=True, type=PYTHON, metavar="VERSION", help="Only this interpreter, as 3.13 (repeatable)."
)
@click.option("--out", multiple=True, metavar="NAME", help="This argument is an out-parameter (repeatable).")
@click.option(
    "--argument",
    multiple=True,
    metavar="NAME=ROLE",
    help=f"What an argument is for (repeatable): {', '.join(ARGUMENTS)}.",
)
@click.option("--returns", type=click.Choice(list(RESULTS)), help="What the function returns.")
@click.option(
    "--native-ns",
    type=click.FloatRange(min=0),
    metavar="NS",
    help="C's own time in one call; without it that of a function that does nothing.",
)
@click.option(
    "--gil", type=click.Choice(["held", "released"]), default="held", show_default=True, help="The GIL during the call."
)
@click.option(
    "--callback-calls",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    metavar="NUMBER",
    help="How often one call calls a callback.",
)
@click.option(
    "--elements",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    metavar="NUMBER",
    help="Elements of an array of structs.",
)
@click.option(
    "--fields", type=click.FloatRange(min=1), metavar="NUMBER", help="Fields of a struct that is not declared."
)
@json_option()
def command(
    prototype: str | None,
    errors: bool,
    run_name: str | None,
    results: Path,
    python: tuple[str, ...],
    out: tuple[str, ...],
    argument: tuple[str, ...],
    returns: str | None,
    native_ns: float | None,
    gil: str,
    callback_calls: float,
    elements: float,
    fields: float | None,
    as_json: bool,
) -> None:
    """Price one C function with every approach, from its prototype.

    PROTOTYPE is a declaration in C; typedefs and structs that it uses stand before it. What each argument is for is
    assumed from its type, printed, and changed by --out, --argument and --returns. The price is a sum of costs that RUN
    fitted to its calls (docs/predict.md). It is a prediction. How far such predictions were from calls that RUN
    measured and did not fit stands beside it. To know, measure.

    \b
    Examples:
      cside predict "int f(const char *text, size_t n, double *out)"
      cside predict "int add(int a, int b)" --python 3.14
      cside predict "double mean(const double *values, size_t n)" --native-ns 500 --gil released
      cside predict "int get(int key, int *n)" --argument n=buffer
      cside predict "typedef int (*seen)(void *user, int item); int walk(seen fn, void *user)"
      cside predict --errors
      cside predict "int f(int a)" --json | jq '.interpreters[0].prices[] | {subject, ns, ratio}'

    Exit codes: 0 priced; 2 wrong usage, a text that declares no function that can be priced, no such run, or one
    without costs.
    """
    chosen = Selection(pythons=python)
    if errors == bool(prototype):
        raise click.UsageError('give a prototype, as "int f(int a)", or --errors')
    if errors or not prototype:
        with evidence(results, run_name) as run:
            _show_errors(run, chosen, as_json=as_json)
        return
    try:
        declared = parse(prototype)
        said = _said(argument, out, returns)
        used = uses(declared, said, calls=callback_calls, elements=elements, fields=fields)
    except PrototypeError as error:
        raise click.UsageError(str(error)) from error
    with evidence(results, run_name) as run:
        try:
            found = _document(run, declared, used, chosen, native_ns, gil)
        except Unpriced as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        _show(found, make_console())


def _labels(run: Run, chosen: Selection) -> list[str]:
    """Return the interpreters of a run that are chosen. Raises `click.UsageError` if none is."""
    labels = [label for label in run.labels if chosen.interpreter(label)]
    if not labels:
        raise click.UsageError(f"{run.name} measured {', '.join(run.labels)} and none that --python names")
    return labels


def _show_errors(run: Run, chosen: Selection, *, as_json: bool) -> None:
    """Print the costs and the error factors of a run. Raises `click.UsageError` if it has none."""
    try:
        Pricing(run, SEED)
    except Unpriced as error:
        raise click.UsageError(str(error)) from error
    labels = _labels(run, chosen)
    if as_json:
        entries = [it for it in document(run)["interpreters"] if it["label"] in labels]
        click.echo(json.dumps({**document(run), "interpreters": entries}, indent=1, ensure_ascii=False))
        return
    console = make_console()
    if another := shipped_run.told(run):
        console.print(escape(another), highlight=False, width=min(console.width, WIDEST))
        console.print()
    for label in labels:
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


def _document(
    run: Run, declared: Prototype, used: list[Use], chosen: Selection, native_ns: float | None, gil: str
) -> dict[str, Any]:
    """Return the prices as plain data. Raises :class:`Unpriced`."""
    pricing = Pricing(run, SEED)
    labels = _labels(run, chosen)
    wanted = shape_of(used, released=gil == "released")
    interpreters: list[dict[str, Any]] = []
    for label in labels:
        own = pricing.native(label) if native_ns is None else native_ns
        interpreters.append(
            {
                "label": label,
                "trusted": run.trusted(label),
                "checked": pricing.checked(label),
                "native_ns": own,
                "prices": [asdict(it) for it in pricing.prices(label, wanted, own)],
            }
        )
    prices = [it for entry in interpreters for it in entry["prices"]]
    if all(it["ns"] is None for it in prices):
        raise Unpriced(
            f"{run.name} has no price for {declared.name}: {prices[0]['lacks'] if prices else 'no approach'}"
        )
    return {
        "run": run.name,
        "tier": run.tier,
        "machine": run.machine,
        "another_machine": shipped_run.told(run),
        "reference": run.reference,
        "function": declared.name,
        "arguments": [asdict(it) for it in used],
        "shape": wanted,
        "gil": gil,
        "native_said": native_ns is not None,
        "interpreters": interpreters,
    }


def _ns(value: float) -> str:
    """Format a time in ns with three digits or, from 1,000 on, as a whole number."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _show(found: dict[str, Any], console: Console) -> None:
    """Print the prices for people."""
    width = min(console.width, WIDEST)

    def say(text: str, left: int = 0) -> None:
        console.print(Padding(escape(text), (0, 0, 0, left)), highlight=False, width=width)

    if found["another_machine"]:
        say(found["another_machine"])
        console.print()
    say(f"{found['function']}, priced by {found['run']} ({found['tier']} tier) on {found['machine']}")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("argument", "type", "role", "which is"):
        table.add_column(name, overflow="fold")
    for it in found["arguments"]:
        marked = f"{it['role']} (assumed)" if it["assumed"] else it["role"]
        table.add_row(*map(escape, (it["name"], it["type"], marked, it["says"])))
    console.print(table, highlight=False, width=width)
    say("To say otherwise: --argument NAME=ROLE, --out NAME, --returns ROLE; cside predict --help has all roles.")
    for entry in found["interpreters"]:
        console.print()
        _interpreter(found, entry, console, width)
    console.print()
    for sentence in _sentences(found):
        say(sentence)


def _interpreter(found: dict[str, Any], entry: dict[str, Any], console: Console, width: int) -> None:
    table = Table(title=entry["label"], title_justify="left", box=None, padding=(0, 2, 0, 0))
    reference = found["reference"]
    for name in ("approach", "ns", "90 %", f"/ {reference}", "90 %", "held-out calls missed by"):
        table.add_column(name, justify="left" if name in ("approach", "held-out calls missed by") else "right")
    for it in entry["prices"]:
        price = Price(**it)
        if price.ns is None or price.low is None or price.high is None:
            table.add_row(price.subject, "\N{EM DASH}", "", "", "", escape(price.lacks))
            continue
        ratio, bounds = "", ""
        if price.ratio is not None:
            ratio = f"{price.ratio:.2f}"
            bounds = f"{price.ratio_low:.2g} to {price.ratio_high:.2g}" if price.subject != reference else ""
        table.add_row(
            price.subject, _ns(price.ns), f"{_ns(price.low)} to {_ns(price.high)}", ratio, bounds, _missed(price.mostly)
        )
    console.print(table, highlight=False, width=width)
    for sentence in dict.fromkeys(note for it in entry["prices"] for note in it["notes"]):
        console.print(escape(f"{sentence}: no call with it was measured there."), highlight=False, width=width)


def _missed(errors: dict[str, Any] | None) -> str:
    if not errors or errors["median"] is None:
        return "unknown: none was measured"
    few = "" if errors["kinds"] >= 10 else f", of {errors['kinds']} kinds"
    return f"{errors['median']:.2f} times, 90 % by {errors['most']:.2f}{few}"


def _sentences(found: dict[str, Any]) -> list[str]:
    """Return what a reader has to know of the prices."""
    owns = sorted({it["native_ns"] for it in found["interpreters"]})
    longest = max(owns)
    said = " and ".join(f"{it:.3g}" for it in owns)
    sentences = [
        f"C's own time in them is {said} ns, as you said."
        if found["native_said"]
        else f"C's own time in them is {said} ns, that of a function that does nothing; yours: --native-ns NS."
    ]
    if found["gil"] == "held":
        kept = "The GIL is held where the approach can hold it"
        long = f"; a call of {longest:,.0f} ns in C usually releases it: --gil released" if longest >= LONG_NS else ""
        sentences.append(f"{kept}{long}.")
    else:
        sentences.append("The GIL is released in each native call.")
    sentences.append(
        "A price is the sum of the costs of the call's parts, with C's own time. Its range is meant to hold nine "
        "functions of ten that have this shape, by how far the run's predictions were from calls of codec and pkcs11 "
        "that it measured and did not fit, and of whose time the binding takes half or more. They were missed by a "
        "factor of max(predicted / measured, measured / predicted)."
    )
    if unchecked := [it["label"] for it in found["interpreters"] if not it["checked"]]:
        sentences.append(
            f"On {', '.join(unchecked)} too few calls were held out to check predictions: the range there has the "
            "noise of the processes alone, and is too narrow."
        )
    if distrusted := [it["label"] for it in found["interpreters"] if it["trusted"] is False]:
        sentences.append(f"The run does not trust its own numbers on {', '.join(distrusted)}: cside report.")
    return sentences
