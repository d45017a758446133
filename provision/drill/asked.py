# SPDX-License-Identifier: Apache-2.0
"""The arguments after ``nox -s drill --`` that limit what is built. All arguments are passed on unchanged."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from provision import interpreters


@dataclass(frozen=True)
class Asked:
    """What the arguments ask for."""

    interpreters: tuple[str, ...]
    """Names as in the matrix."""
    bindings: tuple[str, ...]
    """Bindings or whole variants; empty for all."""
    changes: tuple[str, ...]
    """Ids; empty for all."""
    file: Path | None
    """The absolute path of a file of the user's own changes; None for those that cside makes."""
    help: bool
    """Whether only the help of the tool is wanted."""


def read(words: Sequence[str]) -> Asked:
    """Read ``--python X``, ``--binding X`` and ``--change X`` (each any number of times), ``--file``, ``--all``.

    ``--help`` is read too. A relative path is one from the current folder. Without ``--python`` and ``--all`` the
    interpreters are the newest CPython of the matrix, and PyPy.
    """
    reader = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for option in ("--python", "--binding", "--change"):
        reader.add_argument(option, action="append", default=[])
    reader.add_argument("--file", type=Path)
    reader.add_argument("--all", action="store_true")
    reader.add_argument("-h", "--help", action="store_true")
    found, _ = reader.parse_known_args(list(words))
    pythons = [interpreters.name_of(value) for value in found.python]
    if not pythons:
        pythons = list(interpreters.MATRIX) if found.all else default_interpreters()
    return Asked(
        tuple(dict.fromkeys(pythons)),
        tuple(dict.fromkeys(found.binding)),
        tuple(dict.fromkeys(found.change)),
        found.file.resolve() if found.file else None,
        bool(found.help),
    )


def default_interpreters() -> list[str]:
    """The newest CPython of the matrix, and its PyPys."""
    pypys = [name for name in interpreters.MATRIX if name.startswith("pypy")]
    rest = [name for name in interpreters.MATRIX if name not in pypys]
    return [max(rest, key=lambda name: tuple(int(part) for part in name.rstrip("t").split("."))), *pypys]
