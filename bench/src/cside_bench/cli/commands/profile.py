# SPDX-License-Identifier: Apache-2.0
"""``cside profile``: measure which functions of a library a program calls, and where its time goes.

Functions of a project's library are counted by :mod:`cside_wrap.profile`, PKCS #11 modules by
:mod:`cside_bench.run.profile`.
"""

import json
import sys
from pathlib import Path

import click
from cside_wrap.errors import WrapError
from cside_wrap.profile import document
from cside_wrap.profile import run as counting
from cside_wrap.profile.counters import Sizes
from cside_wrap.project import reading
from cside_wrap.roles.vocabulary import State
from rich.console import Console
from rich.table import Table

from cside_bench.cli.console import shown
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import json_option, project_argument
from cside_bench.run import profile
from cside_bench.run.profile import ns

PROGRAM = "cside.program"
"""Key in click's context of the words after ``--``."""


class _BeforeProgram(click.Command):
    """A command whose own words end at ``--``; the rest is the program's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words after the first ``--`` as they are."""
        own, dashes, program = args, "", []
        if "--" in args:
            place = args.index("--")
            own, dashes, program = args[:place], "--", args[place + 1 :]
        ctx.meta[PROGRAM] = program
        if not program and not ctx.resilient_parsing and not {"-h", "--help"} & set(own):
            said = "nothing stands after --" if dashes else "there is no --"
            raise click.UsageError(f"{said}: write the program there, as in cside profile zstd -- python app.py", ctx)
        return super().parse_args(ctx, own)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Add the program to the line of usage."""
        return [*super().collect_usage_pieces(ctx), "-- COMMAND…"]


@click.command("profile", cls=_BeforeProgram)
@click.option(
    "--module",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Instead of a project, the PKCS #11 library that the program uses: SoftHSM2's, that of an HSM's vendor, …",
)
@json_option("Print one JSON document on standard error; standard output is that of the program.")
@project_argument(None)
@click.pass_context
def command(ctx: click.Context, module: Path | None, as_json: bool, folder: Path | None) -> None:
    """Measure which functions of a library a program calls, and where its time goes.

    With the project in DIR, by default the current folder, every call of a function of its library is counted, timed
    and, where the project says which argument is a size, measured in bytes: calls by any binding, ctypes included, by
    all threads, and by the processes that the program starts. Calls within the library are not counted. The result is
    DIR/profile.toml, which `cside predict DIR` reads. This needs Linux with glibc 2.35 or newer.

    With --module, the program's time is split into time in a PKCS #11 module and time outside of it. The program is run
    with libcside in the place of its module: in COMMAND, the path of the module and {module} are replaced by the path
    of libcside, and the variables by which some programs find their module (PYKCS11LIB, PKCS11_MODULE) are set to it.
    libcside passes every call on to the module.

    The table is printed on standard error, after the program's own output.

    \b
    Examples:
      cside profile zstd -- python app.py
      cside profile -- pytest tests/test_codec.py
      cside profile --module /usr/lib/softhsm/libsofthsm2.so -- \\
        pkcs11-tool --module {module} --test --login --pin 1234
      cside profile --module ./vendor.so -- python client.py ./vendor.so
      cside profile --module ./vendor.so --json -- ./client {module} 2>profile.json

    Exit codes: that of the program, and 128 plus the number of a signal that ended it; 1 where it called no function of
    the library or could not be run; 2 wrong usage.
    """  # click's \b is the character itself
    program: list[str] = ctx.meta[PROGRAM]
    console = Console(stderr=True) if sys.stderr.isatty() else Console(stderr=True, width=100)
    if module is None:
        exit_code = _project(folder or Path(), program, console, as_json=as_json)
    elif folder is not None:
        raise click.UsageError("--module profiles a PKCS #11 module, and DIR is a project of another library")
    else:
        exit_code = _module(module, program, console, as_json=as_json)
    sys.exit(exit_code if exit_code >= 0 else 128 - exit_code)


def _module(module: Path, program: list[str], console: Console, *, as_json: bool) -> int:
    """Profile a program that uses a PKCS #11 module; return its exit code."""
    try:
        found = profile.run(program, module)
    except profile.ProfileError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(found.plain(), indent=1), err=True)
    else:
        profile.show(found, console)
    return found.exit_code


def _project(folder: Path, program: list[str], console: Console, *, as_json: bool) -> int:
    """Profile a program that uses a project's library; return its exit code."""
    try:
        project = reading.read(folder)
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    try:
        found = counting.run(project, program)
    except WrapError as error:
        raise click.ClickException(str(error)) from error
    its = found.profile
    if not its.functions:
        click.echo(
            f"{program[0]} ended with exit code {its.exit_code} and called no function of the project:", err=True
        )
        for note in found.notes:
            click.echo(f"  {note}", err=True)
        return EXIT_LOOK
    path = document.write(folder, its)
    states = {name: one.state for name, one in project.described.items()}
    if as_json:
        click.echo(json.dumps({**its.plain(), "notes": found.notes}, indent=1), err=True)
        return its.exit_code
    _show(its, states, found.notes, console)
    console.print(f"written: {shown(path)}; next: cside predict {shown(folder)}", highlight=False, markup=False)
    return its.exit_code


def _show(its: document.Profile, states: dict[str, State], notes: list[str], console: Console) -> None:
    """Print the calls, those with the most time first, and what they are of the program."""
    table = Table(title=f"calls into {', '.join(its.libraries)}", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for place, name in enumerate(("function", "state", "calls", "each", "of wall", "bytes in", "bytes out")):
        table.add_column(name, justify="right" if place > 1 else "left", no_wrap=True)
    for name, one in sorted(its.functions.items(), key=lambda item: -item[1].calls * (item[1].ns or 0.0)):
        each = "\N{EM DASH}" if one.ns is None else ns(one.ns) if one.ns >= 1 else "<1 ns"
        share = "" if one.ns is None else f"{one.calls * one.ns / 1e9 / its.seconds:.1%}"
        sizes = (_sizes(one.incoming), _sizes(one.outgoing))
        table.add_row(name, str(states[name]), f"{one.calls:,}", each, share, *sizes)
    console.print(table)
    covered = sum(one.calls for name, one in its.functions.items() if states[name] == State.BOUND)
    for line in (
        f"{its.calls:,} calls of {len(its.functions)} functions, {ns(its.inside_seconds * 1e9)} inside: "
        f"{its.inside_seconds / its.seconds:.1%} of the program's {ns(its.seconds * 1e9)}; "
        f"{its.calls / its.own_seconds:,.0f} calls a second of its own time; exit code {its.exit_code}",
        f"{covered / its.calls:.1%} of the calls are of functions that are bound",
        f"bytes are medians, by powers of two; measuring a call took {ns(its.clock_ns)}, which is subtracted",
        *(f"note: {note}" for note in notes),
    ):
        console.print(line, highlight=False, markup=False)


def _sizes(sizes: Sizes) -> str:
    """The median, where sizes are known."""
    return f"{sizes.quantile(0.5):,.0f}" if sizes.calls else ""
