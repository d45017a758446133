"""Runs the processes of a plan, one after the other, and keeps what each of them wrote.

A block that is on disk is never run again: an interrupted run goes on where it stopped.
"""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_bench import corpus
from cside_bench.plan import Block, Interpreter, Plan, Tier
from cside_bench.processes import Request
from cside_bench.progress import Display

MALLOC_TUNABLES: Final = "glibc.malloc.trim_threshold=100000000:glibc.malloc.mmap_threshold=100000000"
"""Without these, glibc returns a stream's memory to the system after each call, and page faults are what is
measured.
"""

ENVIRONMENT_PADDING_NBYTES: Final = 4096
"""The environment's size moves the stack; T. Mytkowicz et al., "Producing wrong data without doing anything obviously
wrong!", ASPLOS 2009. Each process draws its own."""

MOST_TRIES: Final = 8


class DriverError(Exception):
    """A process that failed for no target's fault; says where its log is."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a process ended, and the last target that it announced."""

    code: int
    phase: str
    blamed: tuple[str, str] | None


def environment(seed: int, folder: Path) -> dict[str, str]:
    """Environment of a measuring process: nuisances drawn from ``seed``, allocator thresholds fixed."""
    draw = random.Random(seed)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CSIDE_"))}
    env["PYTHONHASHSEED"] = str(draw.randrange(1, 2**32))
    env["PYTHONNOUSERSITE"] = "1"
    env["GLIBC_TUNABLES"] = MALLOC_TUNABLES
    env["CSIDE_PADDING"] = "x" * draw.randrange(ENVIRONMENT_PADDING_NBYTES)
    env[corpus.FOLDER_VARIABLE] = str(folder / "corpus")
    return env


class Driver:
    """Runs a plan in a folder."""

    def __init__(self, plan: Plan, folder: Path, display: Display) -> None:
        self.plan = plan
        self.folder = folder
        self.display = display
        self.tier = Tier.named(plan.tier)
        for name in ("blocks", "calibration", "imports", "logs", "requests"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def run(self) -> None:
        """Run what is not there yet."""
        self.display.start(len(self.plan.interpreters) + len(self.plan.blocks))
        for interpreter in self.plan.interpreters:
            self._calibrate(interpreter)
        for block in self.plan.blocks:
            self._block(block)
        self.display.stop()

    def _calibrate(self, interpreter: Interpreter) -> None:
        out = self.folder / "calibration" / f"{interpreter.label}.json"
        with self.display.step(f"{interpreter.label} calibration", done=out.exists()) as todo:
            if todo:
                self._measure(interpreter, self.plan.seed, "calibrate", out, {})

    def _block(self, block: Block) -> None:
        interpreter = self.plan.interpreter(block.interpreter)
        out = self.folder / "blocks" / f"{block.name}.json"
        title = f"{block.interpreter} block {block.number + 1} of {self.tier.blocks}"
        with self.display.step(title, done=out.exists()) as todo:
            if not todo:
                return
            calibration = json.loads((self.folder / "calibration" / f"{block.interpreter}.json").read_text("utf-8"))
            self._imports(interpreter, block, calibration["implementations"])
            self._measure(interpreter, block.seed, "measure", out, calibration["ns"])

    def _measure(
        self, interpreter: Interpreter, seed: int, mode: str, out: Path, calibration: Mapping[str, float]
    ) -> None:
        """Run one process; leave out a target that takes it down, and say so in the run's folder."""
        stem = out.stem if mode == "measure" else f"{out.stem}-{mode}"
        for _ in range(MOST_TRIES):
            request = Request(
                mode=mode,
                interpreter=interpreter.label,
                library_sha256=self.plan.library_sha256,
                out=str(out),
                seed=seed,
                reference=self.plan.reference,
                bindings=self.plan.bindings,
                only=self.plan.only,
                exclude=self._crashed(interpreter.label),
                rounds=self.tier.rounds,
                least_visits=self.tier.least_visits,
                warm_up_ns=self.tier.warm_up_ns(interpreter.label),
                calibration=dict(calibration),
            )
            outcome = self._process(interpreter, request, stem)
            if outcome.code == 0:
                return
            if outcome.phase != "check" or outcome.blamed is None:
                break
            self._blame(interpreter.label, outcome)
        log = self.folder / "logs" / f"{stem}.log"
        raise DriverError(
            f"{interpreter.label}: the process ended with {describe(outcome.code)} in phase “{outcome.phase}”: "
            f"{last_line(log)}\nwhole output: {log}"
        )

    def _imports(self, interpreter: Interpreter, block: Block, implementations: list[str]) -> None:
        """Time the import of each binding and variant, each in a process of its own."""
        out = self.folder / "imports" / f"{block.name}.json"
        one = out.with_suffix(".one")
        found = []
        for name in implementations:
            request = Request("import", interpreter.label, "", str(one), block.seed, self.plan.reference, [name])
            if self._process(interpreter, request, f"{block.name}-import").code == 0:
                found.append(json.loads(one.read_text(encoding="utf-8")))
                one.unlink()
        out.write_text(json.dumps(found), encoding="utf-8")

    def _crashed(self, label: str) -> list[tuple[str, str]]:
        path = self.folder / "crashes.json"
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        return [(entry["workload"], entry["subject"]) for entry in entries if entry["interpreter"] == label]

    def _blame(self, label: str, outcome: Outcome) -> None:
        path = self.folder / "crashes.json"
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        assert outcome.blamed is not None
        workload, subject = outcome.blamed
        reason = f"took its process down with {describe(outcome.code)}"
        entries.append({"interpreter": label, "workload": workload, "subject": subject, "reason": reason})
        path.write_text(json.dumps(entries, indent=1), encoding="utf-8")
        self.display.say(f"{label}: {workload} on {subject} {reason}; going on without it")

    def _process(self, interpreter: Interpreter, request: Request, stem: str) -> Outcome:
        """Run one process to its end, showing its progress."""
        path = self.folder / "requests" / f"{stem}.json"
        request.save(path)
        phase, blamed = "start", None
        with (self.folder / "logs" / f"{stem}.log").open("wb") as log:
            process = subprocess.Popen(
                [interpreter.python, "-X", "faulthandler", "-m", "cside_bench.block", str(path)],
                stdout=subprocess.PIPE,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=environment(request.seed, self.folder),
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
        return Outcome(code, phase, blamed)


def messages(process: "subprocess.Popen[bytes]") -> Iterator[dict[str, Any]]:
    """What a process says on its standard output."""
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)


def last_line(log: Path) -> str:
    """The last thing that a process printed, which is the exception's own line where there was one."""
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


def describe(code: int) -> str:
    """An exit code in words."""
    if code < 0:
        try:
            return f"{signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


def new_folder(results: Path) -> Path:
    """A fresh folder for a run, named by the time."""
    stem = time.strftime("%Y%m%d-%H%M%S")
    for suffix in ("", *(f"-{number}" for number in range(2, 100))):
        folder = results / f"{stem}{suffix}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise DriverError(f"{results} has a hundred runs of this second already")
