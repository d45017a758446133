# SPDX-License-Identifier: Apache-2.0
"""What the check of a lab finds. Every question runs in a process of its own, because wrong answers may crash it."""

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from workshop.labs import ROOT, Lab

PATIENCE_S: Final = 60
"""Seconds after which a question counts as hanging."""
WIDTH: Final = 100
"""Columns of what is printed."""

BLOCK: Final = textwrap.TextWrapper(
    WIDTH, initial_indent=" " * 11, subsequent_indent=" " * 11, break_on_hyphens=False, break_long_words=False
)
"""How what is missing is explained. Commands are copied from it, so nothing is broken at a hyphen."""

PRELUDE: Final = """
import gc, sys

def raises(kind, call, *arguments):
    try:
        answer = call(*arguments)
    except kind as error:
        return error
    except BaseException as error:
        raise AssertionError(f"it raised {type(error).__name__}: {error}") from None
    raise AssertionError(f"it returned {answer!r} and raised nothing")

def same(got, wanted):
    assert got == wanted, f"it is {got!r}, not {wanted!r}"
"""
"""What every question may use: ``raises(kind, call, *arguments)`` and ``same(got, wanted)``."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    right: bool
    what: str
    seen: str
    """What happened instead, if it is not right."""
    why: str
    """What that means, and what to look at."""


@dataclass(slots=True)
class Findings:
    """What a check has found so far in the participant's folder."""

    folder: Path
    results: Path
    """The folder of runs and drills."""
    all: list[Finding] = field(default_factory=list)

    def add(self, right: bool, what: str, *, seen: str = "", why: str = "") -> bool:
        """Record something that was checked, and return whether it is right."""
        self.all.append(Finding(right, what, "" if right else seen, "" if right else why))
        return right

    def ask(self, what: str, code: str, *, why: str = "") -> bool:
        """Run code in the participant's folder; it is right if the process ends well. Return whether it is.

        The code may use what `PRELUDE` defines. What it raises, or the signal that ended it, is shown.
        """
        seen = run(self.folder, PRELUDE + textwrap.dedent(code))
        return self.add(not seen, what, seen=seen, why=why)

    def build(self) -> bool:
        """Build what the folder holds with its ``build.py``; record what cannot be built. Return whether all could."""
        done = subprocess.run(
            [sys.executable, "build.py", "--quiet"],
            cwd=self.folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        lines = done.stdout.strip().splitlines() or done.stderr.strip().splitlines()
        why = "python build.py shows the commands and the whole messages."
        return self.add(done.returncode == 0, "everything builds", seen="\n".join(lines[-12:]), why=why)


def run(folder: Path, code: str) -> str:
    """Run Python code in a process of its own in a folder. Return what went wrong; an empty text if nothing did."""
    command = [sys.executable, "-c", code]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it had not ended after {PATIENCE_S} s"
    if done.returncode == 0:
        return ""
    if done.returncode < 0:
        return f"the process was ended by {signal.Signals(-done.returncode).name}"
    last = (done.stderr.strip().splitlines() or ["it ended without a message"])[-1]
    return last.removeprefix("AssertionError: ").replace(f"{folder}{os.sep}", "")


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONFAULTHANDLER": ""}


def check(lab: Lab, folder: Path, results: Path) -> Findings:
    """Run a lab's check on a participant's folder. ``results`` has the runs and drills that the participant made."""
    found = Findings(folder, results)
    spec = importlib.util.spec_from_file_location(f"workshop_check_{lab.number}", lab.folder / "check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.check(found)
    return found


def text(lab: Lab, found: Findings) -> str:
    """What the participant reads: every finding, and for what is missing what happened and what it means."""
    lines = [f"lab {lab.number}: {lab.title}"]
    for each in found.all:
        lines.append(f"  {'right  ' if each.right else 'MISSING'}  {each.what}")
        for part in (each.seen, each.why):
            for line in part.splitlines():
                lines += BLOCK.wrap(line)
    right = sum(each.right for each in found.all)
    lines.append(f"{right} of {len(found.all)} are right.")
    if right < len(found.all):
        sheet = lab.sheet.relative_to(ROOT).as_posix()
        lines.append(f"Hints are in {sheet}; nox -s workshop -- solve {lab.number} shows a solution.")
    return "\n".join(lines)
