# SPDX-License-Identifier: Apache-2.0
"""``cside predict``: the price of one C function, or of all of a project, with every approach."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from cside_bench.cli import predict_library
from cside_bench.cli.console import make_console
from cside_bench.cli.options import evidence, json_option, named_run_option, results_option
from cside_bench.cli.parameters import PYTHON
from cside_bench.cli.predict_tables import SEED, WIDEST, labels, missed, ns, show_errors
from cside_bench.predict.price import Price, Pricing, Unpriced
from cside_bench.predict.prototype import Prototype, PrototypeError, parse
from cside_bench.predict.roles import ARGUMENTS, RESULTS, Use, uses
from cside_bench.predict.roles import shape as shape_of
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.results.files import LATEST
from cside_bench.results.selection import Selection

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
@click.argument("prototype", required=False, metavar="[PROTOTYPE|DIR]")
@click.option(
    "--errors", is_flag=True, help="Show how far the predictions of the run are off, and the costs; no PROTOTYPE."
)
@click.option(
    "--against",
    is_flag=False,
    flag_value=LATEST,
    metavar="[RUN]",
    help="Of a project, compare the prices with what a run of cside bench DIR measured: the newest, or RUN.",
)
@click.option("--only", metavar="PATTERN", help="Of a project, only functions of this name or pattern, as ZSTD_*.")
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
    "--gil",
    type=click.Choice(["held", "released"]),
    show_default="held; of a project released",
    help="The GIL during the call.",
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
@click.pass_context
def command(
    ctx: click.Context,
    prototype: str | None,
    errors: bool,
    against: str | None,
    only: str | None,
    run_name: str | None,
    results: Path,
    python: tuple[str, ...],
    out: tuple[str, ...],
    argument: tuple[str, ...],
    returns: str | None,
    native_ns: float | None,
    gil: str | None,
    callback_calls: float,
    elements: float,
    fields: float | None,
    as_json: bool,
) -> None:
    """Price one C function with every approach, from its prototype, or all functions of a project.

    PROTOTYPE is a declaration in C; typedefs and structs that it uses stand before it. What each argument is for is
    assumed from its type, printed, and changed by --out, --argument and --returns. The price is a sum of costs that RUN
    fitted to its calls (docs/predict.md). It is a prediction. How far such predictions were from calls that RUN
    measured and did not fit stands beside it. To know, measure.

    DIR is the folder of a project of cside init. Its bound functions are priced by what the project says of their
    arguments, before anything is built; where cside profile has counted the calls of a program, with C's own time and
    in sum. Once cside bench DIR has measured them, --against says how far off the prices were.

    \b
    Examples:
      cside predict "int f(const char *text, size_t n, double *out)"
      cside predict "int add(int a, int b)" --python 3.14
      cside predict "double mean(const double *values, size_t n)" --native-ns 500 --gil released
      cside predict "int get(int key, int *n)" --argument n=buffer
      cside predict "typedef int (*seen)(void *user, int item); int walk(seen fn, void *user)"
      cside predict zstd
      cside predict examples/sqlite3 --only "sqlite3_bind_*" --python 3.14
      cside predict zstd --against
      cside predict --errors
      cside predict "int f(int a)" --json | jq '.interpreters[0].prices[] | {subject, ns, ratio}'

    Exit codes: 0 priced; 2 wrong usage, a text that declares no function that can be priced, no such run, or one
    without costs, a project that cannot be read.
    """
    chosen = Selection(pythons=python)
    if errors == bool(prototype):
        raise click.UsageError('give a prototype, as "int f(int a)", the folder of a project, or --errors')
    if errors or not prototype:
        with evidence(results, run_name) as run:
            show_errors(run, chosen, as_json=as_json)
        return
    if predict_library.is_project(prototype):
        predict_library.answer(ctx, Path(prototype), chosen, as_json=as_json)
        return
    if only is not None or against is not None:
        raise click.UsageError("--only and --against are for functions of a project: give its folder")
    try:
        declared = parse(prototype)
        said = _said(argument, out, returns)
        used = uses(declared, said, calls=callback_calls, elements=elements, fields=fields)
    except PrototypeError as error:
        raise click.UsageError(str(error)) from error
    with evidence(results, run_name) as run:
        try:
            found = _document(run, declared, used, chosen, native_ns, gil or "held")
        except Unpriced as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        _show(found, make_console())


def _document(
    run: Run, declared: Prototype, used: list[Use], chosen: Selection, native_ns: float | None, gil: str
) -> dict[str, Any]:
    """Return the prices as plain data. Raises :class:`Unpriced`."""
    pricing = Pricing(run, SEED)
    wanted = shape_of(used, released=gil == "released")
    interpreters: list[dict[str, Any]] = []
    for label in labels(run, chosen):
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
            price.subject, ns(price.ns), f"{ns(price.low)} to {ns(price.high)}", ratio, bounds, missed(price.mostly)
        )
    console.print(table, highlight=False, width=width)
    for sentence in dict.fromkeys(note for it in entry["prices"] for note in it["notes"]):
        console.print(escape(f"{sentence}: no call with it was measured there."), highlight=False, width=width)


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
