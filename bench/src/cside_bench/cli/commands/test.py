# SPDX-License-Identifier: Apache-2.0
"""``cside test``: give the packages of the user's library the same values, and tell where they differ."""

import json
import sys
import time
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path

import click
from cside_wrap.check.compare import Report
from cside_wrap.check.whole import whole
from cside_wrap.errors import WrapError
from cside_wrap.project import reading

from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import json_option, project_argument
from cside_bench.machine import interpreters


@click.command("test")
@click.option("--only", metavar="PATTERN", help="Only functions of this name or pattern, as ZSTD_*.")
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="NAME",
    help="Only this interpreter; repeatable; all that are built by default.",
)
@json_option("Print the reports as one JSON document.")
@project_argument()
def command(only: str | None, pythons: tuple[str, ...], as_json: bool, folder: Path) -> None:
    """Test that the packages of all techniques do the same.

    Each function is tried first, as `cside try` does. Those that ran are then called in each package: with good values,
    with the same values as other types, and with each kind of bad value (types, ranges, None, closed objects, buffers).
    Compared are results, exceptions, the calls that reach the library, and what repeated calls leave behind. A function
    that varies from call to call is compared by the type of its result.

    \b
    Examples:
      cside test zstd
      cside test zstd --only "ZSTD_compress*" --python 3.14

    Exit codes: 0 all are equal; 1 something differs; 2 wrong usage or nothing is built.
    """
    started = time.perf_counter()
    labels = {interpreters.label_of(name.lower().removeprefix("python")) for name in pythons if name != "all"}
    try:
        found = reading.read(folder)
        for line in reading.check_lock(found):
            click.echo(f"since cside init: {line}", err=True)
        made = whole(
            found, lambda name: only is None or fnmatchcase(name, only), labels, lambda line: click.echo(line, err=True)
        )
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    if not made.bound:
        raise click.UsageError(f"no function of the packages is {only}")
    if as_json:
        click.echo(json.dumps([asdict(one) for one in made.reports], indent=1))
    else:
        for name, why in sorted(made.not_called.items()):
            click.echo(f"not called: {name}: {why}")
        for report in made.reports:
            _tell(report)
        click.echo(
            f"{found.settings.name}: {made.functions} of {made.bound} functions compared; "
            f"{time.perf_counter() - started:.1f} s"
        )
    sys.exit(EXIT_LOOK if any(one.differences for one in made.reports) else 0)


def _tell(report: Report) -> None:
    for one in report.differences:
        click.echo(f"{report.python}: {one.function}, {one.technique}, {one.what}: {one.said}")
    for note in report.notes:
        click.echo(f"{report.python}: {note}")
    compared = ", ".join(f"{count} {what}" for what, count in report.compared.items())
    click.echo(f"{report.python}: {report.cases} cases: {compared}; {len(report.differences)} differences")
