# SPDX-License-Identifier: Apache-2.0
"""What ``cside predict`` says of a project: the price of each bound function, and of all calls of its profile."""

import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from cside_wrap.errors import WrapError
from cside_wrap.profile import document as profiles
from cside_wrap.project import reading, settings
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cside_bench.cli import predict_against
from cside_bench.cli.console import make_console
from cside_bench.cli.options import evidence
from cside_bench.cli.predict_tables import SEED, WIDEST, labels, missed, ns
from cside_bench.library import prices as pricing
from cside_bench.library.shapes import releasing
from cside_bench.predict.price import Pricing, Unpriced
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.results.selection import Selection

MOST = 30
"""Rows of a table; ``--json`` and ``--only`` show the rest."""
DASH = "\N{EM DASH}"


OF_PROTOTYPES = ("out", "argument", "returns", "native_ns", "callback_calls", "elements", "fields")
"""Options that say something of one prototype."""


def is_project(text: str) -> bool:
    """Whether an argument names the folder of a project, and no function."""
    return (Path(text) / settings.NAME).is_file() or Path(text).is_dir()


def answer(ctx: click.Context, folder: Path, chosen: Selection, *, as_json: bool) -> None:
    """Price the functions of a project, by the options of ``cside predict``. Raises `click.UsageError`."""
    if given := [name for name in OF_PROTOTYPES if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE]:
        names = ", ".join("--" + name.replace("_", "-") for name in given)
        raise click.UsageError(f"{names}: of a project, overrides.toml says what arguments are for: cside review")
    with evidence(ctx.params["results"], ctx.params["run_name"]) as run:
        if ctx.params["against"] is not None:
            predict_against.answer(
                run, folder, ctx.params["against"], released=ctx.params["gil"] != "held", as_json=as_json
            )
            return
        try:
            found = priced(run, folder, labels(run, chosen), ctx.params["only"], released=ctx.params["gil"] != "held")
        except Unpriced as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        show(found, make_console())


def priced(run: Run, folder: Path, chosen: Sequence[str], only: str | None, *, released: bool) -> dict[str, Any]:
    """Return the prices as plain data. Raises `click.UsageError`, and :class:`Unpriced`."""
    try:
        project = reading.read(folder)
        profile = profiles.read(folder)
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    form = project.form()
    model = Pricing(run, SEED)
    made = pricing.Prices(model)
    found = pricing.calls(form, profile, releasing(project.settings.gil_held, released=released))
    if only is not None:
        found = [it for it in found if fnmatchcase(it.name, only)]
    if not found:
        what = f"is {only}" if only else "was called by the profile" if profile else "is bound: cside review"
        raise click.UsageError(f"no function of {project.settings.name} {what}")
    interpreters: list[dict[str, Any]] = []
    for label in chosen:
        floor = model.native(label)
        mix = pricing.mix(found, profile, floor) if profile is not None else None
        interpreters.append(
            {
                "label": label,
                "trusted": run.trusted(label),
                "checked": model.checked(label),
                "floor_ns": floor,
                "functions": [
                    {it.subject: pricing.plain(it) for it in made.of(label, call.shape, call.native_ns)}
                    for call in found
                ],
                "mix": _mix(made, model, label, mix),
            }
        )
    if all(price["ns"] is None for entry in interpreters for row in entry["functions"] for price in row.values()):
        raise Unpriced(f"{run.name} has no price for any function of {project.settings.name}")
    return {
        "run": run.name,
        "tier": run.tier,
        "machine": run.machine,
        "another_machine": shipped_run.told(run),
        "reference": run.reference,
        "library": project.settings.name,
        "bound": len(form.plans),
        "declared": len(project.described),
        "released": released,
        "profile": None if profile is None else {"command": list(profile.command), "own_seconds": profile.own_seconds},
        "functions": [
            {"name": it.name, "calls": it.calls, "native_ns": it.native_ns, "shape": it.shape} for it in found
        ],
        "unbound": {} if profile is None else _unbound(profile, set(form.plans)),
        "interpreters": interpreters,
    }


def _unbound(profile: profiles.Profile, bound: set[str]) -> dict[str, int]:
    return {name: it.calls for name, it in profile.functions.items() if name not in bound}


def _mix(made: pricing.Prices, model: Pricing, label: str, mix: pricing.Mix | None) -> dict[str, Any] | None:
    """Return the price of the mean call, and what all calls add to a second of the program's own time."""
    if mix is None:
        return None
    rows = []
    for it in model.prices(label, mix.shape, mix.native_ns):
        over = None if it.ns is None else (it.ns - mix.native_ns) * mix.calls / 1e9 / mix.own_seconds
        rows.append({"subject": it.subject, **pricing.plain(it), "overhead": over, "errors": it.mostly})
    return {"native_ns": mix.native_ns, "calls": mix.calls, "prices": rows}


def show(found: Mapping[str, Any], console: Console) -> None:
    """Print the prices for people."""

    def say(text: str) -> None:
        console.print(escape(text), highlight=False, width=min(console.width, WIDEST))

    if found["another_machine"]:
        say(found["another_machine"])
        console.print()
    say(
        f"{found['library']}: {found['bound']} of {found['declared']} functions are bound; priced by {found['run']} "
        f"({found['tier']} tier) on {found['machine']}"
    )
    if found["profile"]:
        calls = sum(it["calls"] for it in found["functions"])
        lost = sum(found["unbound"].values())
        say(
            f"{calls:,} calls of {len(found['functions'])} of them were counted: "
            + " ".join(found["profile"]["command"])
            + (f"; {lost:,} calls of functions that are not bound have no price" if lost else "")
        )
    for entry in found["interpreters"]:
        console.print()
        _functions(found, entry, console)
        if entry["mix"]:
            console.print()
            _total(found, entry, console)
    console.print()
    for sentence in _sentences(found):
        say(sentence)


def _functions(found: Mapping[str, Any], entry: Mapping[str, Any], console: Console) -> None:
    """Print a row for each function of the profile, or without one for each shape of calls."""
    subjects = list(entry["functions"][0])
    table = Table(title=f"{entry['label']}: ns of a call", title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("function", overflow="fold")
    counted = ["calls", "in C"] if found["profile"] else ["alike"]
    for name in [*counted, *subjects]:
        table.add_column(name, justify="right", no_wrap=True)
    rows = []
    if found["profile"]:
        for call, row in zip(found["functions"], entry["functions"], strict=True):
            own = DASH if call["native_ns"] is None else ns(call["native_ns"])
            rows.append([call["name"], f"{call['calls']:,}", own, *(_price(row[it]) for it in subjects)])
    else:
        alike: dict[str, list[int]] = {}
        for place, call in enumerate(found["functions"]):
            alike.setdefault(repr(sorted(call["shape"].items())), []).append(place)
        for places in sorted(alike.values(), key=lambda it: -len(it)):
            first = places[0]
            prices = (_price(entry["functions"][first][it]) for it in subjects)
            rows.append([found["functions"][first]["name"], f"{len(places):,}", *prices])
    for texts in rows[:MOST]:
        table.add_row(*map(escape, texts))
    console.print(table, highlight=False)
    if len(rows) > MOST:
        console.print(f"and {len(rows) - MOST} more: --only PATTERN, --json", highlight=False)


def _price(price: Mapping[str, Any]) -> str:
    return DASH if price["ns"] is None else ns(price["ns"])


def _total(found: Mapping[str, Any], entry: Mapping[str, Any], console: Console) -> None:
    """Print the mean call of the profile with each approach."""
    mix = entry["mix"]
    title = f"{entry['label']}: the mean of {mix['calls']:,} calls, {ns(mix['native_ns'])} ns of it in C"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    reference = found["reference"]
    for name in ("approach", "ns", "90 %", f"/ {reference}", "90 %", "adds", "held-out calls missed by"):
        table.add_column(name, justify="left" if name in ("approach", "held-out calls missed by") else "right")
    for it in mix["prices"]:
        if it["ns"] is None:
            table.add_row(it["subject"], DASH, "", "", "", "", escape(it["lacks"]))
            continue
        bounds = "" if it["subject"] == reference else f"{it['ratio_low']:.2g} to {it['ratio_high']:.2g}"
        ratio = ("", "") if it["ratio"] is None else (f"{it['ratio']:.2f}", bounds)
        wide = f"{ns(it['low'])} to {ns(it['high'])}"
        table.add_row(it["subject"], ns(it["ns"]), wide, *ratio, f"{it['overhead']:.1%}", missed(it["errors"]))
    console.print(table, highlight=False, width=min(console.width, WIDEST))


def _sentences(found: Mapping[str, Any]) -> list[str]:
    """Return what a reader has to know of the prices."""
    sentences = [
        "The GIL is released in each call, as the packages of a project do."
        if found["released"]
        else "The GIL is held where the approach can hold it.",
    ]
    if found["profile"]:
        sentences.append(
            "In C is the time that the profile has. What an approach adds is its calls' time over C's own, as a share "
            "of the time that the program spent outside the library when it was counted, with the binding that it had."
        )
    else:
        sentences.append(
            "C's own time is that of a function that does nothing. Functions whose calls have the same shape are one "
            "row. cside profile counts the calls of a program, and then the prices are weighted by them."
        )
    if not any(entry["checked"] for entry in found["interpreters"]):
        sentences.append("Too few calls were held out to know how far predictions are off.")
    sentences.append("A price is a prediction from the shape of the call: docs/predict.md says how far such are off.")
    if distrusted := [it["label"] for it in found["interpreters"] if it["trusted"] is False]:
        sentences.append(f"The run does not trust its own numbers on {', '.join(distrusted)}: cside report.")
    return sentences
