# SPDX-License-Identifier: Apache-2.0
"""Reads ``.cside/drill/prepared.json``, in which ``nox -s drill`` lists what it built."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from cside_bench.results.drill import DrillError

UNCHANGED: Final = "unchanged"
"""The id that stands for today's library."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter, and an environment that contains none of our packages."""

    label: str
    python: Path
    release: str
    digest: str
    """The digest of its build: another build is another interpreter."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the tools that write bindings, as Cython and SWIG."""


@dataclass(frozen=True, slots=True)
class Library:
    """A native library, changed or unchanged."""

    wheel: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed library, and the programs that give the right answers."""

    id: str
    diff: str
    library: Library
    truth: Path
    truth_unchanged: Path


@dataclass(frozen=True, slots=True)
class Binding:
    """A binding, or a whole variant."""

    name: str
    package: str
    distribution: str
    compiled: bool
    """Whether anything of it is compiled: only then can its build notice a change."""


@dataclass(frozen=True, slots=True)
class Build:
    """The result of building a distribution against a library."""

    wheel: Path | None
    messages: tuple[str, ...]
    problem: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Prepared:
    """All builds of a drill."""

    interpreters: list[Interpreter]
    unchanged: Library
    changes: list[Changed]
    bindings: list[Binding]
    builds: Mapping[tuple[str, str, str], Build]
    """Builds by interpreter, distribution, and change or :data:`UNCHANGED`."""
    compiler: dict[str, Any]
    kept: Path
    """The folder in which outcomes are kept."""

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file. Raises `DrillError` if it is missing or has another version."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                [
                    Interpreter(each["label"], Path(each["python"]), each["release"], each["digest"], each["versions"])
                    for each in told["interpreters"]
                ],
                _library(told["unchanged"]),
                [
                    Changed(
                        each["id"], each["diff"], _library(each), Path(each["truth"]), Path(each["truth_unchanged"])
                    )
                    for each in told["changes"]
                ],
                [
                    Binding(each["binding"], each["package"], each["distribution"], each["compiled"])
                    for each in told["bindings"]
                ],
                {
                    (each["interpreter"], each["distribution"], each["change"]): Build(
                        None if each["wheel"] is None else Path(each["wheel"]),
                        tuple(each["messages"]),
                        each["problem"],
                        each["seconds"],
                    )
                    for each in told["builds"]
                },
                told["compiler"],
                Path(told["kept"]),
            )
        except (OSError, ValueError, KeyError) as error:
            raise DrillError(f"{path} is not what nox -s drill writes ({error}); run it again") from error


def _library(told: Mapping[str, Any]) -> Library:
    return Library(Path(told["wheel"]), told["library"])
