# SPDX-License-Identifier: Apache-2.0
"""Counts instructions per call instead of measuring times, so that a continuous-integration job can check a change.

Instructions are not time. They do not show the effects of caches, branches and memory, and waiting costs none. But the
same build of a binding takes nearly the same number of instructions on every machine, busy or not. Few processes are
therefore enough, and a ratio of 1.02 is a real change.

Callgrind counts (valgrind's manual, chapter 6) in two processes for each interpreter
(:mod:`cside_suite.process.instructions`), which run at the same time if there are two CPUs. Nothing in them is random:
addresses are not randomised, hashes are seeded with 0, the environment holds the same few variables, and the order of
targets is always the same. A cell is *stable* if both counts agree within 0.5 %, and its number is the mean of both.
PyPy is left out: its compiler runs at times that nobody controls, and callgrind would count the compiler's work with
that of the calls.

There is one file for each interpreter, ``counts/<label>.json``, with ``interpreter``, ``tool``, ``version``,
``python``, ``reference`` and ``cells``. Each cell has the fields of :class:`cside_suite.process.instructions.Count`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json
from cside_suite.process.request import Request
from cside_suite.workloads import corpus

from cside_bench.results.instructions import FOLDER
from cside_bench.results.plan import Interpreter, Plan, Tier
from cside_bench.run.child import (
    MALLOC_TUNABLES,
    MOST_TRIES,
    NURSERY,
    NURSERY_VARIABLE,
    PKCS11_MODULE_VARIABLES,
    Outcome,
    describe,
    follow,
    last_line,
)
from cside_bench.run.progress import Display

TOOL: Final = "callgrind"
SEED: Final = 0
"""Seed for the order of a process's imports and targets, the same in every run, unlike that of timed runs."""

INHERITED: Final = (*PKCS11_MODULE_VARIABLES, "LD_LIBRARY_PATH", "TMPDIR")
"""Variables that a counted process inherits from the driver, to find libraries and a folder for temporary files."""

OPTIONS: Final = (
    "--quiet",  # so that the last line of the log is printed by the process itself
    "--instr-atstart=no",  # counting starts when the process asks for it
    "--dump-line=no",  # only the totals of a dump are read
)
FLOOR_OPTIONS: Final = ("--dump-before=clock_gettime*",)
"""Options for the process that counts the native floor: callgrind dumps where the loops of the floor begin and end."""
MODES: Final = ("count", "count-floor")
"""Modes of the processes of an interpreter; see :mod:`cside_suite.process.instructions`."""
JOBS: Final = ((MODES[0], 1), (MODES[0], 2), (MODES[1], 1))
"""Processes of an interpreter: the mode of each, and its number among those of the same mode."""
AGREE: Final = 0.005
"""Largest relative difference of two counts of a stable cell."""


class CountingError(Exception):
    """Instructions cannot be counted, or a counting process failed; the message says what to do or where the log is."""


@dataclass(frozen=True, slots=True)
class Valgrind:
    """The installed valgrind."""

    path: str
    version: str
    """Version, for example ``3.19.0``."""
    prefix: tuple[str, ...]
    """Beginning of a command that switches address randomisation off; empty if that is not possible here."""

    def command(self, stem: str, mode: str) -> list[str]:
        """Return the beginning of a counted command. Callgrind writes its dumps to ``stem.1``, ``stem.2`` and so on,
        and the last one to ``stem``.
        """
        options = OPTIONS + FLOOR_OPTIONS if mode == MODES[1] else OPTIONS
        return [*self.prefix, self.path, f"--tool={TOOL}", f"--callgrind-out-file={stem}", *options]


def find_valgrind(platform: str = sys.platform) -> Valgrind:
    """Find valgrind. Raises :class:`CountingError` if it is missing, with the command that installs it."""
    if platform != "linux":
        raise CountingError(f"instructions are counted by valgrind's {TOOL}, on Linux only; this system is {platform}")
    path = shutil.which("valgrind")
    if path is None:
        raise CountingError(
            f"instructions are counted by {TOOL}, a part of valgrind, which is not installed: apt-get install valgrind"
        )
    asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        raise CountingError(f"{path} does not run: {asked.stderr.strip() or describe(asked.returncode)}")
    return Valgrind(path, asked.stdout.strip().removeprefix("valgrind-"), _fixed_addresses())


def _fixed_addresses() -> tuple[str, ...]:
    """Return util-linux's command that switches address randomisation off; empty if missing or not permitted."""
    path = shutil.which("setarch")
    if path is None:
        return ()
    tried = subprocess.run([path, "-R", "true"], capture_output=True, check=False)
    return (path, "-R") if tried.returncode == 0 else ()


def environment() -> dict[str, str]:
    """Return the environment of a counted process, which is the same for every run on a machine.

    The path of the corpora is relative to the folder of the run, in which the process works.
    """
    env = {name: os.environ[name] for name in INHERITED if name in os.environ}
    env["PYTHONHASHSEED"] = "0"
    env["PYTHONNOUSERSITE"] = "1"
    env["GLIBC_TUNABLES"] = MALLOC_TUNABLES
    env[NURSERY_VARIABLE] = NURSERY
    env["LC_ALL"] = "C.UTF-8"
    env["PATH"] = os.defpath
    env[corpus.FOLDER_VARIABLE] = "corpus"
    return env


def run(plan: Plan, folder: Path, display: Display) -> None:
    """Count on every interpreter of the plan whose file does not exist yet. Raises :class:`CountingError`."""
    counted = [interpreter for interpreter in plan.interpreters if interpreter.label.startswith("cpython")]
    for interpreter in plan.interpreters:
        if interpreter not in counted:
            display.say(
                f"{interpreter.label} is left out: {TOOL} would count the work of its compiler as part of the calls"
            )
    if not counted:
        raise CountingError("no CPython is among the interpreters: instructions per call are counted on CPython only")
    valgrind = find_valgrind()
    if not valgrind.prefix:
        display.say(
            "addresses are randomised (setarch -R is missing or not permitted): counts of two runs may differ more"
        )
    for name in (FOLDER, "logs", "requests"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    display.start(len(counted))
    for interpreter in counted:
        out = folder / FOLDER / f"{interpreter.label}.json"
        with display.step(f"{interpreter.label} instructions", done=out.exists()) as todo:
            if todo:
                document = _Run(plan, folder, display, valgrind).count(interpreter)
                write_json(out, document, indent=1)
                _report(interpreter.label, document, display)
    display.stop()


def _report(label: str, document: Mapping[str, Any], display: Display) -> None:
    """Print how many cells were counted, and which of them are not stable."""
    cells = document["cells"]
    loose = sorted((c for c in cells if c["void"] is None and not c["stable"]), key=lambda c: -c["spread"])
    void = sum(cell["void"] is not None for cell in cells)
    display.say(f"{label}: {len(cells) - void} cells counted, {void} void, {len(loose)} not stable")
    for cell in loose[:5]:
        display.say(f"  not stable: {cell['workload']} on {cell['subject']}: {cell['spread']:.1%} between two counts")


class _Run:
    """Counts on one interpreter, repeating a process without a target that crashed it."""

    def __init__(self, plan: Plan, folder: Path, display: Display, valgrind: Valgrind) -> None:
        self.plan = plan
        self.folder = folder
        self.display = display
        self.valgrind = valgrind

    def count(self, interpreter: Interpreter) -> dict[str, Any]:
        """Return the contents of the interpreter's file."""
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            first, second, floor = pool.map(lambda job: self._count(interpreter, *job), JOBS)
        found = [{**first, "cells": both(first["cells"], second["cells"])}, floor]
        return {
            "interpreter": interpreter.label,
            "tool": TOOL,
            "version": self.valgrind.version,
            "python": found[0]["python"],
            "reference": self.plan.reference,
            "cells": [cell for part in found for cell in part["cells"]],
        }

    def _count(self, interpreter: Interpreter, mode: str, number: int) -> dict[str, Any]:
        """Return the results of one process, with a void cell for each target that crashed an earlier process."""
        # Always of the same length, like everything in a request: lengths can change counts.
        out = f"{FOLDER}/{interpreter.label}.{mode}-{number}"
        crashed: dict[tuple[str, str], str] = {}
        for _ in range(MOST_TRIES):
            outcome = self._process(interpreter, self._request(interpreter, mode, out, list(crashed)))
            if outcome.code == 0:
                path = self.folder / out
                found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                path.unlink()
                found["cells"] += [_void(*pair, reason) for pair, reason in crashed.items()]
                return found
            if outcome.phase not in ("check", "count") or outcome.blamed is None or outcome.blamed in crashed:
                break
            reason = f"crashed its process with {describe(outcome.code)}"
            crashed[outcome.blamed] = reason
            target = " on ".join(outcome.blamed)
            self.display.say(f"{interpreter.label}: {target} {reason}; counting continues without it")
        log = self.folder / "logs" / f"{Path(out).name}.log"
        raise CountingError(
            f"{interpreter.label}: the process ended with {describe(outcome.code)} in phase “{outcome.phase}”: "
            f"{last_line(log)}\nits whole output: {log}"
        )

    def _request(self, interpreter: Interpreter, mode: str, out: str, exclude: list[tuple[str, str]]) -> Request:
        return Request(
            mode=mode,
            interpreter=interpreter.label,
            library_sha256=self.plan.library_sha256,
            out=out,
            seed=SEED,
            reference=self.plan.reference,
            bindings=self.plan.bindings,
            only=self.plan.only,
            skip=Tier.named(self.plan.tier).skip,
            exclude=exclude,
            layouts=interpreter.layouts(),
            alone=self.plan.reference if mode == MODES[1] else "",
            handicaps=self.plan.handicaps,
        )

    def _process(self, interpreter: Interpreter, request: Request) -> Outcome:
        """Run one process to its end in the folder of the run, so that its paths are the same in every run."""
        stem = Path(request.out).name
        request.save(self.folder / "requests" / f"{stem}.json")
        dumps = f"{request.out}.{TOOL}"
        python = [interpreter.python, "-P", "-X", "faulthandler", "-m", "cside_suite.process.instructions"]
        command = [*self.valgrind.command(dumps, request.mode), *python, f"requests/{stem}.json"]
        try:
            return follow(
                command, self.folder / "logs" / f"{stem}.log", environment(), self.display.within, self.folder
            )
        finally:
            for left in (self.folder / FOLDER).glob(f"{Path(dumps).name}*"):
                left.unlink()


def both(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge the cells of two processes: void if one is, else their mean, which is stable if both counts agree."""
    others = {(cell["workload"], cell["subject"]): cell for cell in second}
    found = []
    for cell in first:
        other = others.pop((cell["workload"], cell["subject"]), None)
        if cell["void"] is not None or other is None:
            found.append(cell)
        elif other["void"] is not None:
            found.append(other)
        else:
            one, two = cell["instructions"], other["instructions"]
            between = abs(one - two) / max(min(abs(one), abs(two)), 1.0)
            spread = max(cell["spread"], other["spread"], between)
            found.append({**cell, "instructions": (one + two) / 2, "spread": spread, "stable": spread <= AGREE})
    return found + list(others.values())


def _void(workload: str, subject: str, reason: str) -> dict[str, Any]:
    """Return a void cell, which has a reason in place of a number."""
    cell: dict[str, Any] = {"workload": workload, "subject": subject, "instructions": None, "calls": 0}
    return cell | {"stable": False, "spread": None, "void": reason}
