# SPDX-License-Identifier: Apache-2.0
"""``cside build``: write, build and install a package of the user's library for each technique."""

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click
from cside_wrap.errors import WrapError
from cside_wrap.packages.make import FOLDER, Built, Python, build
from cside_wrap.packages.techniques import buildable, techniques
from cside_wrap.project import reading
from cside_wrap.roles.vocabulary import State

from cside_bench.cli.console import make_console, shown
from cside_bench.cli.options import json_option, project_argument
from cside_bench.machine import interpreters

NAMES = tuple(techniques())


@click.command("build")
@click.option(
    "--technique", "names", multiple=True, metavar="NAME", help=f"{', '.join(NAMES)}; repeatable; all by default."
)
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="NAME",
    help="An interpreter, as 3.14 or pypy3.11, or all; repeatable; the newest CPython by default.",
)
@json_option("Print what was built as one JSON document.")
@project_argument()
def command(names: tuple[str, ...], pythons: tuple[str, ...], as_json: bool, folder: Path) -> None:
    """Write a package of your library for each technique, build them, and install them.

    DIR/build/packages has the packages, each of which `pip install .` takes; they need nothing of cside. They do
    the same: the same functions, checks, exceptions, lifetimes, and the GIL released around every call.
    DIR/build/envs has an environment for each interpreter, with all packages. What has not changed is not built again.
    A technique that needs a compiler which this machine lacks is left out, with what to install, unless it is named.

    \b
    Examples:
      cside build zstd
      cside build zstd --technique cffi --technique cext
      cside build zstd --python 3.13 --python pypy3.11
      cside build zstd --python all

    Exit codes: 0 built; 1 a package could not be built; 2 wrong usage.
    """
    console = make_console(stderr=True)
    started = time.perf_counter()
    try:
        found = reading.read(folder)
        for line in reading.check_lock(found):
            click.echo(f"since cside init: {line}", err=True)
        if not found.states()[State.BOUND]:
            raise click.UsageError("no function is bound: cside review")
        these, left_out = buildable(names)
        for line in left_out:
            click.echo(line, err=True)
        with console.status("reading") as status:
            binding, unable, done = build(found, these, asked(pythons), lambda line: status.update(f"building {line}"))
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps([asdict(one) for one in done], indent=1))
    else:
        for reason in sorted(set(unable.values())):
            functions = [name for name, why in unable.items() if why == reason]
            click.echo(f"not built, since it {reason}: {_some(functions)}")
        for technique in these:
            for reason, functions in technique.gaps(binding).items():
                click.echo(f"{technique.title}: {reason}: {_some(functions)}")
        for one in done:
            click.echo(_line(one))
        states = found.states()
        click.echo(
            f"{found.settings.name}: {len(binding.calls)} of {sum(states.values())} functions built, "
            f"{len(unable)} bound and not built, {states[State.ASKED]} asked, {states[State.REFUSED]} refused; "
            f"{time.perf_counter() - started:.1f} s"
        )
        click.echo(f"Written to {shown(folder / FOLDER)}\nNext: cside test {shown(folder)}")
    sys.exit(1 if any(one.failed for one in done) else 0)


def asked(names: tuple[str, ...]) -> list[Python]:
    """The interpreters of these names; the newest CPython with headers for none. Raises `click.UsageError`."""
    usable: dict[str, Python] = {}
    for one in interpreters.search():
        if one.headers:
            usable.setdefault(one.label, Python(one.label, one.executable))
    if "all" in names:
        return list(usable.values())
    newest = [label for label in usable if label.startswith("cpython") and not label.endswith("t")][-1:]
    wanted = [interpreters.label_of(name.lower().removeprefix("python")) for name in names] or newest
    if not wanted:
        raise click.UsageError("there is no CPython with its C headers: install one, as python3-dev")
    if missing := [label for label in wanted if label not in usable]:
        raise click.UsageError(f"there is no {', '.join(missing)} with C headers; there are: {', '.join(usable)}")
    return [usable[label] for label in dict.fromkeys(wanted)]


def _line(one: Built) -> str:
    if one.failed:
        return f"{one.python} {one.technique}: not built\n{one.failed}"
    return (
        f"{one.python} {one.technique}: {one.package}, {one.functions} functions, {one.lines} lines written, "
        f"{one.seconds:.1f} s, {one.wheel_bytes / 1024:.0f} KiB"
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
