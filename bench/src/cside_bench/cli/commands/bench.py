# SPDX-License-Identifier: Apache-2.0
"""``cside bench``: what ``nox -s bench`` does, from any folder of the checkout."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from cside_bench.cli.exit_codes import EXIT_CODE_FILE, EXIT_FAILED
from cside_bench.cli.group import Later
from cside_bench.cli.outcome import told_of
from cside_bench.machine import checkout

INSTALL = "python -m pip install nox (or: pipx install nox)"


class Passing(click.Command):
    """A command that also completes the options of ``cside run``, to which it passes its arguments."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Its own options, and those of ``run``."""
        found = super().shell_complete(ctx, incomplete)
        parent = ctx.parent
        if parent is None or not isinstance(parent.command, click.Group) or not incomplete.startswith("-"):
            return found
        run = parent.command.get_command(parent, "run")
        known = {item.value for item in found}
        own = run.load().shell_complete(ctx, incomplete) if isinstance(run, Later) else []
        return found + [item for item in own if item.value not in known | {"--environments"}]


@click.command(
    "bench",
    cls=Passing,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[DIR] [OPTIONS OF RUN]…")
def command(words: tuple[str, ...]) -> None:
    """Build what has changed, measure all bindings, report.

    This is the same as "nox -s bench -- …" at the top of the checkout. It finds or downloads the interpreters, builds
    the library and the bindings for each, measures, and ends with a table, results/latest/report.html and report.md.
    All arguments are options of "cside run"; "cside run --help" explains them. With --json among them, one JSON
    document is printed on standard output after the run, and everything else on standard error.

    With DIR, the folder of a project of cside init, the packages of the user's library are built and measured instead,
    by the same method: workloads are the calls that cside try has made, those of cside profile first. The results are
    in DIR/build/results. Outside of a checkout, the interpreter that runs cside is measured.

    \b
    Examples:
      cside bench --quick
      cside bench --only codec --binding cffi --python 3.13
      cside bench --budget 15 --python 3.14
      cside bench --resume
      cside bench --quick --json | jq -r .page
      cside bench zstd --quick
      cside bench zstd --only ZSTD_compress --python 3.14

    Exit codes: 0 measured; 1 measured, and a cell is void; 2 wrong usage, no checkout, or no nox; 3 a build or a
    process failed; 130 interrupted, and what is finished is kept.
    """  # click's \b is the character itself
    top = checkout.root()
    if words and Path(words[0]).is_dir():
        words = ("--project", os.path.abspath(words[0]), *words[1:])
        if top is None or checkout.nox() is None:
            from cside_bench.cli.commands.run import command as measure

            measure.main([*words], prog_name="cside bench", standalone_mode=True)
    if top is None:
        raise click.UsageError("the current folder is in no checkout of cside; change to one, or clone it")
    nox = checkout.nox()
    if nox is None:
        raise click.UsageError(f"nox is not installed; to install it: {INSTALL}")
    as_json = "--json" in words
    passed = [word for word in words if word != "--json"]
    before = latest(passed)
    code = through_nox(nox, top, passed, quiet=as_json)
    if as_json:
        after = latest(passed)
        click.echo(json.dumps(outcome(code, after if after != before else None), indent=1))
    sys.exit(code)


def through_nox(program: list[str], top: Path, words: list[str], *, quiet: bool) -> int:
    """Run the session; return the exit code of ``cside run`` inside it, which nox itself does not pass on."""
    with tempfile.TemporaryDirectory(prefix="cside-bench-") as folder:
        file = Path(folder) / "exit-code"
        command = [*program, "-f", str(top / "noxfile.py"), "-s", "bench", "--", *words]
        child = subprocess.Popen(
            command,
            env={**os.environ, EXIT_CODE_FILE: str(file)},
            stdout=sys.stderr.fileno() if quiet else None,
        )
        code = waited(child)
        try:
            inside = int(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # it did not get as far
            inside = None
    if code == 0:
        return inside or 0
    return inside or (130 if code in (130, -2) else EXIT_FAILED)


def waited(child: "subprocess.Popen[bytes]") -> int:
    """Wait for the exit code. The terminal sends Ctrl-C to nox as well, which lets the run save what is finished."""
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def latest(words: list[str]) -> tuple[str, float] | None:
    """The newest run's folder, and when the link to it was set. Every run sets the link, resumed ones too."""
    folder = next((words[at + 1] for at, word in enumerate(words[:-1]) if word == "--results"), None)
    folder = next((word.partition("=")[2] for word in words if word.startswith("--results=")), folder)
    link = (checkout.results() if folder is None else Path(folder)) / "latest"
    try:
        return str(link.resolve()), link.lstat().st_mtime
    except OSError:
        return None


def outcome(code: int, run: tuple[str, float] | None) -> dict[str, Any]:
    """The document that ``--json`` prints; ``run`` is None where no run was begun."""
    if run is None:
        return {"exit_code": code, "run": None}
    return {"exit_code": code, **told_of(Path(run[0]))}
