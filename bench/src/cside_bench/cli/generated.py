# SPDX-License-Identifier: Apache-2.0
"""What the generators of files of the checkout share: where the checkout is, and to write files or compare them."""

from collections.abc import Mapping
from pathlib import Path

import click

from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.machine import checkout


def root() -> Path:
    """Return the top folder of the checkout. Raises `click.UsageError` outside one."""
    found = checkout.root()
    if found is None:
        raise click.UsageError("the current folder is in no checkout of cside")
    return found


def filled(root: Path, page: str, parts: Mapping[str, str]) -> str:
    """Return the text of a page, each part of which stands between two comments, with its parts made anew."""
    text = (root / page).read_text(encoding="utf-8")
    for name, part in parts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if begin not in text or end not in text:
            raise click.ClickException(f"{page} has no place for its part {name!r}: {begin} … {end}")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{part}\n{end}{rest.partition(end)[2]}"
    return text


def write(root: Path, files: Mapping[Path, str], *, check: bool) -> None:
    """Write the files that differ from their generated texts; ``files`` holds the texts by path.

    With ``check``, nothing is written: each file that differs is named, and any ends the program with exit code 1.
    """
    differing = {
        path: text for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in differing.items():
        name = path.relative_to(root)
        if check:
            click.echo(f"{name} is not as generated; to write it: nox -s generate", err=True)
        else:
            path.write_text(text, encoding="utf-8")
            click.echo(f"wrote {name}")
    if check and differing:
        raise SystemExit(EXIT_LOOK)
