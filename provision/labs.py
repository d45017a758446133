# SPDX-License-Identifier: Apache-2.0
"""Make ready what the labs of the workshop need, so that afterwards no network is needed."""

import os
import time
from collections.abc import Iterable
from pathlib import Path

from provision import commands, packages, paths, workshop
from provision.drill import staging
from provision.drill.asked import Asked
from provision.environments import Environment
from provision.interpreters import name_of

DRILLED = ("ctypes", "cffi")
"""The bindings that lab 7 asks about: one that no build checks, and one whose build does."""
SHOWN = "field-inserted"
"""The change that its sheet shows first."""


def environment(requirements: Iterable[str]) -> Environment:
    """The environment of the labs: all bindings, what they are built with, the command, and these requirements."""
    tools = {requirement for package in packages.bindings() for requirement in package.requires}
    env, _ = workshop.workbench([*requirements, *sorted(tools)])
    return env


def prepare(requirements: Iterable[str]) -> str:
    """Download and build what all labs need; return how long it took and how much it is.

    Beside the environment of the labs that is the command, the newest CPython with what a quick run measures, and what
    a drill of two bindings needs.
    """
    began = time.monotonic()
    before = _size(paths.STATE)
    environment(requirements)
    workshop.driver()
    python = name_of(workshop.driver_interpreter().label)
    workshop.stage([python], asked=True, layouts=False)
    staging.stage(Asked((python,), DRILLED, (SHOWN,), None, False))
    after = _size(paths.STATE)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    commands.settle()
    return (
        f"ready after {minutes} min {seconds} s, with CPython {python}: .cside has {_megabytes(after)}, of which "
        f"{_megabytes(after - before)} are new. The labs need no network from here on."
    )


def _size(folder: Path) -> int:
    """Bytes of all files below a folder; a file with several names counts once."""
    found: dict[tuple[int, int], int] = {}
    for place, _, names in os.walk(folder):
        for name in names:
            state = os.lstat(os.path.join(place, name))
            found[state.st_dev, state.st_ino] = state.st_size
    return sum(found.values())


def _megabytes(nbytes: int) -> str:
    return f"{nbytes / 1e6:,.0f} MB"
