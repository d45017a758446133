# SPDX-License-Identifier: Apache-2.0
"""The arguments after ``--`` that limit what is installed and built. All arguments are passed on unchanged."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from provision import interpreters


@dataclass(frozen=True)
class Limits:
    """What the arguments ask for."""

    interpreters: tuple[str, ...]
    """Names as in the matrix; the whole matrix where none is given."""
    bindings: tuple[str, ...]
    """Bindings or variants; empty for all."""
    named_interpreters: bool
    """Whether the arguments name interpreters, so that one that is missing is an error."""
    only_told: bool
    """Whether the tool only prints something, its help or what it would do, so that nothing has to be built."""
    quick: bool
    """Whether the run is too short for verdicts, so that one layout of each module is enough."""
    project: bool = False
    """Whether the packages of a user's library are measured, so that of ours the suite alone is needed."""


def limits(words: Sequence[str]) -> Limits:
    """Read ``--python X`` and ``--binding X`` (each any number of times, ``--python=X`` too) and ``--help``."""
    pythons = [interpreters.name_of(value) for value in _values(words, "--python")]
    return Limits(
        interpreters=tuple(dict.fromkeys(pythons)) or interpreters.MATRIX,
        bindings=tuple(dict.fromkeys(_values(words, "--binding"))),
        named_interpreters=bool(pythons),
        only_told=bool({"--help", "-h", "--dry-run"} & set(words)),
        quick="--quick" in words,
        project=bool(_values(words, "--project")),
    )


def _values(words: Sequence[str], option: str) -> list[str]:
    found = [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]
    return found + [after for word, after in itertools.pairwise(words) if word == option]
