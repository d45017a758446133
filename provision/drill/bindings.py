# SPDX-License-Identifier: Apache-2.0
"""Build bindings from their unchanged sources against today's library and against changed ones.

A build that fails is a result of the drill. It is kept like a wheel, under a key of everything that went into it, with
the messages of the compilers.
"""

import dataclasses
import os
import re
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from provision import commands, paths, wheels
from provision.builders import Builder
from provision.drill.changes import UNCHANGED
from provision.drill.libraries import STATE, Library
from provision.packages import Package

MESSAGE: Final = re.compile(r"\b(error|warning|undefined|undeclared)\b|Error\b|Warning\b", re.IGNORECASE)
COMMAND: Final = re.compile(
    r"^\s*(: && )?(\S*(cc|gcc|clang|c\+\+|g\+\+|swig|cmake)\s|\$ |ninja: )"
    r"|\berror: Command |\bFailed to build\b|\bbuild backend returned\b"
)
"""A line that shows a command and not its message, or that only says that a command failed."""
SOURCE: Final = re.compile(r"^\s*\d* \|(.*)")
"""A line of source code under a message, as gcc and clang print it."""


@dataclass(frozen=True)
class Built:
    """The result of one build."""

    wheel: Path | None
    """The wheel; None where the build failed."""
    messages: tuple[str, ...]
    """Errors and warnings of the tools, each once, without paths of this machine."""
    problem: str
    """How it failed, with the end of the log; empty where it did not fail."""
    seconds: float


def build(package: Package, builder: Builder, library: Library) -> Built:
    """Build ``package`` for the builder's interpreter against ``library``, without its variants.

    Raises `Problem` where the library is today's and the build fails, because then a change of it shows nothing.
    """
    variables = {"CSIDE_WITHOUT_VARIANTS": "1", "PYTHONPATH": str(library.site)}
    ours = replace(builder, label=f"drill-{library.change}-{builder.label}")
    ingredients = wheels.parts(package, ours, library.wheel, package.digest(), variables)
    key = wheels.key(ingredients)
    kept = paths.STATE / STATE / "builds" / f"{key}.json"
    known = paths.read_json(kept)
    if known and (known["wheel"] is None or wheels.kept(key) is not None):
        return _from_json(known)
    shutil.rmtree(paths.WHEELS / key, ignore_errors=True)  # without a record its messages are not known
    log = paths.LOGS / f"build-{ours.label}-{package.distribution}.log"
    log.unlink(missing_ok=True)
    began = time.monotonic()
    try:
        wheel = wheels.build(package, ours, library.wheel, variables=variables)
    except commands.Problem as problem:
        if library.change == UNCHANGED or not log.is_file():
            raise
        commands.say(f"{ours.label}: {package.distribution}: does not build")
        built = Built(None, messages(log), str(problem), round(time.monotonic() - began, 2))
    else:
        built = Built(wheel.path, messages(log), "", wheel.build_seconds)
    paths.write_json(kept, _to_json(built))
    return built


def messages(log: Path) -> tuple[str, ...]:
    """The errors and warnings in a build's log, each with the line of source code that the compiler prints under it.

    There are none where the log is missing.
    """
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    told = []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if MESSAGE.search(line) and not COMMAND.search(line) and not SOURCE.match(line):
            shown = SOURCE.match(after)
            told.append(shortened(line.strip()) + (f": {shown[1].strip()}" if shown else ""))
    return tuple(dict.fromkeys(told))


def shortened(line: str) -> str:
    """A line in which each absolute path is shortened to its last three parts."""
    return re.sub(r"(?<![\w.])/(?:[^\s:/'\"]+/)+((?:[^\s:/'\"]+/){2}[^\s:/'\"]+)", r"…/\1", line)


def _to_json(built: Built) -> dict[str, Any]:
    return dataclasses.asdict(built) | {"wheel": None if built.wheel is None else os.fspath(built.wheel)}


def _from_json(told: dict[str, Any]) -> Built:
    wheel = None if told["wheel"] is None else Path(told["wheel"])
    return Built(wheel, tuple(told["messages"]), told["problem"], told["seconds"])
