# SPDX-License-Identifier: Apache-2.0
"""Instructions per call in place of time: what a continuous-integration job can hold a change to.

Instructions are not time. They say nothing of caches, branches and memory, and a call that waits costs none; but on one
machine or another, busy or not, the same build of a binding takes nearly the same number of them, so that few processes
are enough, and a ratio of 1.02 is a change.

Callgrind counts (valgrind's manual, chapter 6): in two processes for each interpreter, :mod:`cside_suite.process.instructions`,
side by side where there are two CPUs, in which nothing is left to chance. A cell is *stable* where both say the same to
0.5 %, and its number is the mean of both. Addresses are not randomised, hashes are seeded with 0, the environment holds
the same few variables, and the order of targets is always the same. PyPy is left out: its compiler runs when it sees
fit, and callgrind would count its work with that of the calls.

The files, one for each interpreter: ``counts/<label>.json`` with ``interpreter``, ``tool``, ``version``, ``python``,
``reference`` and ``cells``, each with the fields of :class:`cside_suite.process.instructions.Count`.
"""

import json
import os
import shutil
import signal
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
from cside_bench.run.child import MALLOC_TUNABLES, MOST_TRIES, Outcome, describe, last_line, messages
from cside_bench.run.progress import Display

TOOL: Final = "callgrind"
SEED: Final = 0
"""Of the order in which a process imports and runs things: the same in every run, unlike that of timed ones."""

INHERITED: Final = ("CSIDE_SOFTHSM2", "LD_LIBRARY_PATH", "TMPDIR")
"""What a counted process has of the driver's environment; it finds libraries and a place for its files by it."""

OPTIONS: Final = (
    "--quiet",  # so that the last line of the log is the process's own
    "--instr-atstart=no",  # until the process asks for it
    "--dump-line=no",  # totals are all that is read of a dump
)
FLOOR_OPTIONS: Final = ("--dump-before=clock_gettime*",)
"""In the process that counts the native floor: where its loops begin and end."""
MODES: Final = ("count", "count-floor")
"""Of the processes of an interpreter; see :mod:`cside_suite.process.instructions`."""
JOBS: Final = ((MODES[0], 1), (MODES[0], 2), (MODES[1], 1))
"""Processes of an interpreter, and which of its kind each is."""
AGREE: Final = 0.005
"""Relative difference of two counts, between which a cell is stable."""


class CountingError(Exception):
    """Instructions cannot be counted here, or a process that should failed; says what to do, or where its log is."""


@dataclass(frozen=True, slots=True)
class Valgrind:
    """The tool that is installed."""

    path: str
    version: str
    """As ``3.19.0``."""
    prefix: tuple[str, ...]
    """What switches address randomisation off for the command that follows; empty where that is not allowed."""

    def command(self, stem: str, mode: str) -> list[str]:
        """The beginning of a counted command; callgrind dumps to ``stem.1``, ``stem.2``, and at the end to ``stem``."""
        options = OPTIONS + FLOOR_OPTIONS if mode == MODES[1] else OPTIONS
        return [*self.prefix, self.path, f"--tool={TOOL}", f"--callgrind-out-file={stem}", *options]


def find_valgrind(platform: str = sys.platform) -> Valgrind:
    """Look for valgrind. Raises :class:`CountingError` where there is none, with the command that installs it."""
    if platform != "linux":
        raise CountingError(f"instructions are counted by valgrind's {TOOL}, on Linux only: this system is {platform}")
    path = shutil.which("valgrind")
    if path is None:
        raise CountingError(
            f"instructions are counted by {TOOL}, a tool of valgrind, which is not installed: apt-get install valgrind"
        )
    asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        raise CountingError(f"{path} does not run: {asked.stderr.strip() or describe(asked.returncode)}")
    return Valgrind(path, asked.stdout.strip().removeprefix("valgrind-"), _fixed_addresses())


def _fixed_addresses() -> tuple[str, ...]:
    """The command of util-linux that switches address randomisation off, if it is there and may do so."""
    path = shutil.which("setarch")
    if path is None:
        return ()
    tried = subprocess.run([path, "-R", "true"], capture_output=True, check=False)
    return (path, "-R") if tried.returncode == 0 else ()


def environment() -> dict[str, str]:
    """Environment of a counted process, the same for every run of a machine; its working folder is that of the run."""
    env = {name: os.environ[name] for name in INHERITED if name in os.environ}
    env["PYTHONHASHSEED"] = "0"
    env["PYTHONNOUSERSITE"] = "1"
    env["GLIBC_TUNABLES"] = MALLOC_TUNABLES
    env["LC_ALL"] = "C.UTF-8"
    env["PATH"] = os.defpath
    env[corpus.FOLDER_VARIABLE] = "corpus"
    return env


def run(plan: Plan, folder: Path, display: Display) -> None:
    """Count on every interpreter of the plan whose file is not there yet. Raises :class:`CountingError`."""
    counted = [interpreter for interpreter in plan.interpreters if interpreter.label.startswith("cpython")]
    for interpreter in plan.interpreters:
        if interpreter not in counted:
            display.say(
                f"{interpreter.label} is left out: {TOOL} would count the work of its compiler with that of the calls"
            )
    if not counted:
        raise CountingError("none of the interpreters is CPython, the only one whose instructions per call are counted")
    valgrind = find_valgrind()
    if not valgrind.prefix:
        display.say("addresses are randomised (setarch -R is missing or not allowed here): counts may repeat less well")
    for name in (FOLDER, "logs", "requests"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    display.start(len(counted))
    for interpreter in counted:
        out = folder / FOLDER / f"{interpreter.label}.json"
        with display.step(f"{interpreter.label} instructions", done=out.exists()) as todo:
            if todo:
                document = _Run(plan, folder, display, valgrind).count(interpreter)
                write_json(out, document, indent=1)
                _tell(interpreter.label, document, display)
    display.stop()


def _tell(label: str, document: Mapping[str, Any], display: Display) -> None:
    """Which cells have no number to rely on."""
    cells = document["cells"]
    loose = sorted((c for c in cells if c["void"] is None and not c["stable"]), key=lambda c: -c["spread"])
    void = sum(cell["void"] is not None for cell in cells)
    display.say(f"{label}: {len(cells) - void} cells counted, {void} void, {len(loose)} not stable")
    for cell in loose[:5]:
        display.say(f"  not stable: {cell['workload']} on {cell['subject']}: {cell['spread']:.1%} between two counts")


class _Run:
    """One interpreter's process, and a new one without the target that took it down."""

    def __init__(self, plan: Plan, folder: Path, display: Display, valgrind: Valgrind) -> None:
        self.plan = plan
        self.folder = folder
        self.display = display
        self.valgrind = valgrind

    def count(self, interpreter: Interpreter) -> dict[str, Any]:
        """What the file of the interpreter holds."""
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
        """What one process found, and what took an earlier one down."""
        out = f"{FOLDER}/{interpreter.label}.{mode}-{number}"  # of one length, as everything that a process is told
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
            reason = f"took its process down with {describe(outcome.code)}"
            crashed[outcome.blamed] = reason
            self.display.say(f"{interpreter.label}: {' on '.join(outcome.blamed)} {reason}; going on without it")
        log = self.folder / "logs" / f"{Path(out).name}.log"
        raise CountingError(
            f"{interpreter.label}: the process ended with {describe(outcome.code)} in phase “{outcome.phase}”: "
            f"{last_line(log)}\nwhole output: {log}"
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
            relinked=str(interpreter.facts.get("relinked") or ""),
            alone=self.plan.reference if mode == MODES[1] else "",
            handicaps=self.plan.handicaps,
        )

    def _process(self, interpreter: Interpreter, request: Request) -> Outcome:
        """Run one process to its end, in the folder of the run, so that no path in it differs from another run's."""
        stem = Path(request.out).name
        request.save(self.folder / "requests" / f"{stem}.json")
        dumps = f"{request.out}.{TOOL}"
        phase, blamed = "start", None
        with (self.folder / "logs" / f"{stem}.log").open("wb") as log:
            python = [interpreter.python, "-P", "-X", "faulthandler", "-m", "cside_suite.process.instructions"]
            process = subprocess.Popen(
                [*self.valgrind.command(dumps, request.mode), *python, f"requests/{stem}.json"],
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=environment(),
                start_new_session=True,
            )
            try:
                for message in messages(process):
                    phase = message["phase"]
                    if "subject" in message:
                        blamed = (message["workload"], message["subject"])
                    elif message["total"]:
                        self.display.within(phase, message["done"] / message["total"])
                code = process.wait()
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                for left in (self.folder / FOLDER).glob(f"{Path(dumps).name}*"):
                    left.unlink()
        return Outcome(code, phase, blamed)


def both(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells of two processes as one list: void where one is, else their mean, stable where they agree."""
    others = {(cell["workload"], cell["subject"]): cell for cell in second}
    found = []
    for cell in first:
        other = others.pop((cell["workload"], cell["subject"]), None)
        if cell["void"] is not None or other is None:
            found.append(cell)
        elif other["void"] is not None:
            found.append(other)
        else:
            mine, its = cell["instructions"], other["instructions"]
            between = abs(mine - its) / max(min(abs(mine), abs(its)), 1.0)
            spread = max(cell["spread"], other["spread"], between)
            told = {"instructions": (mine + its) / 2, "spread": spread, "stable": spread <= AGREE}
            found.append({**cell, **told})
    return found + list(others.values())


def _void(workload: str, subject: str, reason: str) -> dict[str, Any]:
    """A cell without a number."""
    cell: dict[str, Any] = {"workload": workload, "subject": subject, "instructions": None, "calls": 0}
    return cell | {"stable": False, "spread": None, "void": reason}
