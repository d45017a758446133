# SPDX-License-Identifier: Apache-2.0
"""Reads ``.cside/hazards/prepared.json``, in which ``nox -s hazards`` says which interpreters and tools there are."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cside_bench.results.hazards import HazardError


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter, in an environment that has the tools of all bindings."""

    label: str
    python: Path
    release: str
    include: str
    suffix: str
    """How the file name of a compiled module ends."""
    packages: str
    """The folder of installed packages."""
    versions: dict[str, str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a run of the hazards needs."""

    sources: Path
    """The folder ``hazards`` of the checkout."""
    built: Path
    """The folder in which builds are made."""
    compiler: dict[str, Any]
    """What the outcomes say of the compilers."""
    compilers: dict[str, list[str]]
    """The command of the compiler for each suffix of source files."""
    left_out: list[str]
    """Approaches that the compilers of this machine cannot build."""
    interpreters: list[Interpreter]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file. Raises `HazardError` if it is missing or has another version."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                Path(told["sources"]),
                Path(told["built"]),
                told["compiler"],
                told["compilers"],
                told["left_out"],
                [
                    Interpreter(
                        each["label"],
                        Path(each["python"]),
                        each["release"],
                        each["include"],
                        each["suffix"],
                        each["packages"],
                        each["versions"],
                    )
                    for each in told["interpreters"]
                ],
            )
        except (OSError, ValueError, KeyError) as error:
            raise HazardError(f"{path} is not what nox -s hazards writes ({error}); run it again") from error
