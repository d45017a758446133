# SPDX-License-Identifier: Apache-2.0
"""Bindings built from their unchanged sources: against today's library, and against changed ones.

A failed build is a result here, and kept like a wheel: under a key of all that went into it. So is what the tools said.
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
from provision.drill.libraries import STATE, UNCHANGED, Library
from provision.packages import Package

MESSAGE: Final = re.compile(r"\b(error|warning|undefined|undeclared)\b|Error\b|Warning\b", re.IGNORECASE)
COMMAND: Final = re.compile(
    r"^\s*(\S*(cc|gcc|clang|swig|cmake)\s|\$ )|\berror: Command |\bFailed to build\b|\bbuild backend returned\b"
)
"""A line that shows a command rather than what it said, or only passes on that it failed."""
SOURCE: Final = re.compile(r"^\s*\d* \|(.*)")
"""A line of source under a message, as gcc and clang show it."""


@dataclass(frozen=True)
class Built:
    """What came of one build."""

    wheel: Path | None
    """None where it failed."""
    messages: tuple[str, ...]
    """Errors and warnings, as the tools wrote them, without this machine's paths; repeated ones once."""
    problem: str
    """How it failed, with the end of the log; empty where it did not."""
    seconds: float


def build(package: Package, builder: Builder, library: Library) -> Built:
    """Build ``package`` for the builder's interpreter against ``library``, without its variants.

    Raises `Problem` where the library is today's and the build fails: then nothing can be learnt from changing it.
    """
    variables = {"CSIDE_WITHOUT_VARIANTS": "1", "PYTHONPATH": str(library.site)}
    ours = replace(builder, label=f"drill-{library.change}-{builder.label}")
    ingredients = wheels.parts(package, ours, library.wheel, package.digest(), variables)
    key = wheels.key(ingredients)
    kept = paths.STATE / STATE / "builds" / f"{key}.json"
    known = paths.read_json(kept)
    if known and (known["wheel"] is None or wheels.kept(key) is not None):
        return _from_json(known)
    shutil.rmtree(paths.WHEELS / key, ignore_errors=True)  # without a record nobody knows what its build said
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
    """What a build's log tells of errors and warnings, each with the line of source that the compiler shows under it.

    None where the log is missing.
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
    """A line without the places of this machine: paths keep their last three parts."""
    return re.sub(r"(?<![\w.])/(?:[^\s:/'\"]+/)+((?:[^\s:/'\"]+/){2}[^\s:/'\"]+)", r"…/\1", line)


def _to_json(built: Built) -> dict[str, Any]:
    return dataclasses.asdict(built) | {"wheel": None if built.wheel is None else os.fspath(built.wheel)}


def _from_json(told: dict[str, Any]) -> Built:
    wheel = None if told["wheel"] is None else Path(told["wheel"])
    return Built(wheel, tuple(told["messages"]), told["problem"], told["seconds"])
