# SPDX-License-Identifier: Apache-2.0
"""``cside doctor``: find out what this machine lacks, and name the command that installs it."""

import json
import sys
from itertools import groupby
from typing import Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.cli.console import make_console
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.cli.options import json_option
from cside_bench.machine import doctor, doctor_noise
from cside_bench.machine.doctor import ADVICE, MISSING, Finding

STYLES: Final = {"ok": "green", "missing": "yellow", "needed": "bold red", "advice": "cyan"}


def word(finding: Finding) -> str:
    """The word in front of a finding."""
    return "NEEDED" if finding.fatal else finding.state


def shown(finding: Finding) -> Text:
    """What was found, and under it the command or the advice."""
    text = Text(finding.says)
    if finding.state == MISSING:
        text = Text(finding.says if finding.section != "Tools and libraries" else f"for: {finding.says}")
    if finding.install is not None and finding.state != "ok":
        text.append(f"\n-> {finding.install}", style="bold" if finding.state == MISSING else "")
    return text


def at_once(findings: list[Finding]) -> str | None:
    """One command for all packages that are missing; None where there are none."""
    packages = [word for it in findings if it.state == MISSING and it.package for word in it.package.split()]
    return doctor.command(" ".join(dict.fromkeys(packages))) if packages else None


def tell(findings: list[Finding], console: Console) -> None:
    """Print the findings."""
    for section, group in groupby(findings, key=lambda it: it.section):
        console.print(Text(section, style="bold"))
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for it in group:
            style = STYLES["needed"] if it.fatal else STYLES[it.state]
            table.add_row(Text(f"  {word(it)}", style=style), Text(it.name), shown(it))
        console.print(table)
    lacking = [it.name for it in findings if it.fatal]
    optional = sum(it.state == MISSING and not it.needed for it in findings)
    if (everything := at_once(findings)) is not None:
        console.print(Text(f"\nAll packages at once: {everything}"))
    if lacking:
        console.print(Text(f"\nNeeded, and missing: {', '.join(lacking)}.", style=STYLES["needed"]))
    else:
        more = f" Missing, but optional: {optional}." if optional else ""
        advice = sum(it.state == ADVICE for it in findings)
        quiet = f" Advice for narrower intervals: {advice}." if advice else ""
        console.print(Text(f"\nEverything that is needed is there.{more}{quiet} To measure: cside bench --quick"))


@click.command("doctor")
@json_option()
def command(as_json: bool) -> None:
    """Find out what this machine lacks, and how to install it.

    This looks for a C compiler, interpreters with their headers, libraries, tools, disk and memory, and for what makes
    times noisy: the governor, turbo, other programs, a hypervisor. Nothing is installed or changed, and no network is
    used. Without what is marked NEEDED nothing can be measured. Without what is marked missing a part is left out, and
    the line says which.

    \b
    Examples:
      cside doctor
      cside doctor --json | jq -r '.findings[] | select(.state == "missing") | .install'

    Exit codes: 0 everything that is needed is there; 1 something needed is missing; 2 wrong usage.
    """  # click's \b is the character itself
    with Console(stderr=True).status("looking"):
        findings = [*doctor.interpreters(), *doctor.tools(), *doctor.room(), *doctor_noise.findings()]
    code = EXIT_LOOK if any(it.fatal for it in findings) else 0
    if as_json:
        told = {"exit_code": code, "install": at_once(findings), "findings": [it.plain() for it in findings]}
        click.echo(json.dumps(told, indent=1))
    else:
        tell(findings, make_console())
    sys.exit(code)
