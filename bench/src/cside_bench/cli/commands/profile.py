# SPDX-License-Identifier: Apache-2.0
"""``cside profile``: measure where a program that uses PKCS #11 spends its time, by :mod:`cside_bench.run.profile`."""

import json
import sys
from pathlib import Path

import click
from rich.console import Console

from cside_bench.cli.options import json_option
from cside_bench.run import profile


@click.command("profile", context_settings={"ignore_unknown_options": True})
@click.option(
    "--module",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PKCS #11 library that the program uses: SoftHSM2's, that of an HSM's vendor, …",
)
@json_option("Print one JSON document on standard error; standard output is that of the program.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
def command(module: Path, as_json: bool, command: tuple[str, ...]) -> None:
    """Measure where a program that uses PKCS #11 spends its time.

    The time is split into time in the module and time outside of it. For this, the program is run with libcside in the
    place of its module: in COMMAND, the path of MODULE and {module} are replaced by the path of libcside, and the
    variables by which some programs find their module (PYKCS11LIB, PKCS11_MODULE) are set to it. libcside passes every
    call on to MODULE. The table is printed on standard error, after the program's own output.

    \b
    Examples:
      cside profile --module /usr/lib/softhsm/libsofthsm2.so -- \\
        pkcs11-tool --module {module} --test --login --pin 1234
      cside profile --module ./vendor.so -- python client.py ./vendor.so
      cside profile --module ./vendor.so --json -- ./client {module} 2>profile.json

    Exit codes: that of the program, and 128 plus the number of a signal that ended it; 1 where it called no function of
    the module or could not be run; 2 wrong usage.
    """  # click's \b is the character itself
    console = Console(stderr=True) if sys.stderr.isatty() else Console(stderr=True, width=100)
    try:
        found = profile.run(command, module)
    except profile.ProfileError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(found.plain(), indent=1), err=True)
    else:
        profile.show(found, console)
    sys.exit(found.exit_code if found.exit_code >= 0 else 128 - found.exit_code)
