# SPDX-License-Identifier: Apache-2.0
"""Runs the processes of the drill, each in a temporary folder with one binding and one library."""

import json
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import file_digest
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Final

from cside_bench.drill.outcomes import Answer
from cside_bench.drill.prepared import Binding, Interpreter, Library
from cside_bench.results.drill import DrillError

ROUNDS: Final = 20
"""The number of sets of arguments per process: what an old caller leaves in a register differs from call to call."""

PATIENCE_S: Final = 60.0
"""Seconds after which a process counts as hanging: it makes some dozens of calls of nanoseconds each."""

LEFT_OUT: Final = ("PYTHON", "LD_PRELOAD", "MALLOC_")
"""Prefixes of environment variables that are removed, because users do not have them."""

Rounds = list[list[int]]
Facts = list[dict[str, float]]


def rounds(random: Random) -> Rounds:
    """Draw new arguments: four numbers below 2**31 for each round."""
    return [[random.getrandbits(31) for _ in range(4)] for _ in range(ROUNDS)]


def truth(program: Path, asked: Rounds) -> Facts:
    """Return the answers of the C program in each round. Raises `DrillError` if the program fails."""
    words = [str(number) for numbers in asked for number in numbers]
    done = subprocess.run([str(program), *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(asked):
        raise DrillError(f"{program} ends with exit code {done.returncode} after {len(lines)} rounds: {done.stderr}")
    return [json.loads(line) for line in lines]


class Place:
    """A folder with a binding and a library laid out as an installation: ``with Place(...) as place``."""

    def __init__(self, interpreter: Interpreter, binding: Binding, wheel: Path, library: Library) -> None:
        self.interpreter = interpreter
        self.binding = binding
        self._wheels = (wheel, library.wheel)
        self._folder = tempfile.TemporaryDirectory(prefix="cside-drill-")
        self.site = Path(self._folder.name).resolve()

    def __enter__(self) -> "Place":
        for wheel in self._wheels:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(self.site)
        return self

    def __exit__(self, *error: object) -> None:
        self._folder.cleanup()

    def ask(self, asks: Mapping[str, str], asked: Rounds, facts: Sequence[Mapping[str, float]]) -> Answer:
        """Ask the binding in a fresh process."""
        job = {
            "site": str(self.site),
            "package": self.binding.package,
            "rounds": asked,
            "asks": dict(asks),
            "truth": list(facts),
        }
        script = Path(str(files("cside_bench.drill").joinpath("probe.py")))
        command = [str(self.interpreter.python), "-I", "-B", str(script)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
        try:
            done = subprocess.run(
                command,
                input=json.dumps(job).encode(),
                capture_output=True,
                timeout=PATIENCE_S,
                cwd=self.site,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            return Answer(_events(late.stdout or b""), None, _text(late.stderr or b""))
        return Answer(_events(done.stdout), done.returncode, _text(done.stderr))

    def confirm(self, libraries: Sequence[str] | None, library: Library) -> None:
        """Raise `DrillError` unless a process has mapped the library of this folder."""
        if libraries is None:
            return
        wrong = [
            path for path in libraries if not Path(path).is_relative_to(self.site) or _sha256(path) != library.sha256
        ]
        if wrong or not libraries:
            raise DrillError(f"{self.binding.name} loaded {', '.join(wrong) or 'no libcside'}: not the changed library")


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _events(output: bytes) -> list[dict[str, Any]]:
    """Return the events that a process wrote, up to the last whole line; a dying process may leave a part of a line."""
    events = []
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "event" in event:
            events.append(event)
    return events


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")[-4000:]
