# SPDX-License-Identifier: Apache-2.0
"""A finished run whose truth is known, and processes that measure its cells again as they are told to."""

import json
import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cside_bench.run import verify
from cside_bench.run.child import Outcome
from cside_bench.run.turns import Job
from cside_bench.summary.build import summarise
from synthetic_run import LABEL, NS, REFERENCE, WORKLOADS, block, entry, write, write_run

WHOLE = [REFERENCE, "cffi", "swig"]
WHEELS = {"cside-cffi": {"sha256": "1" * 64}}


def finished(folder: Path, **changes: Any) -> Path:
    """A run of three bindings that is summarised; ``changes`` are those of :func:`synthetic_run.write_run`."""
    write_run(folder, 3, **changes)
    plan = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    for interpreter in plan["interpreters"]:
        interpreter["facts"] = {"builds": WHEELS}
        (folder / "calibration").mkdir(exist_ok=True)
        found = {"whole": WHOLE, "implementations": [*WHOLE, "cffi.knob"], "ns": {}}
        found["workloads"] = dict.fromkeys(WORKLOADS, 3)
        write(folder / "calibration" / f"{interpreter['label']}.json", found)
    write(folder / "run.json", plan)
    summarise(folder)
    return folder


def manifest(path: Path, wheel: str = "1" * 64, sha256: str = "0" * 64) -> Path:
    """The file in which nox describes what it has built."""
    built = {"label": LABEL, "python": "python-of-today", "builds": {"cside-cffi": {"sha256": wheel}}}
    write(path, {"interpreters": [built], "missing": [], "native": {"sha256": sha256}})
    return path


class Processes:
    """Takes the place of :func:`cside_bench.run.child.follow` and of :func:`cside_bench.run.turns.together`: writes the
    files of measuring processes.

    ``effects`` are factors on the net time of a (workload, subject) in these processes. Each process is slower or
    faster as a whole by 20 %; those that measure in turns are so together.
    """

    def __init__(self, effects: Mapping[tuple[str, str], float] | None = None) -> None:
        self.effects = effects or {}
        self.requests: list[dict[str, Any]] = []
        self.environments: list[dict[str, str]] = []
        self.pythons: list[str] = []
        self.before: Callable[[int], Outcome | None] = lambda number: None
        """Called with the number of each process; returns how it ends if it writes no file, or raises."""
        self.digests: dict[str, str] = {}
        self.rings: list[tuple[list[str], float]] = []
        """The processes that measured in turns, by the stems of their files, and for how many seconds."""

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "Processes":
        """Let the verification and the sample start these instead."""
        monkeypatch.setattr(verify, "follow", self)
        monkeypatch.setattr(verify, "together", self.together)
        return self

    def together(self, jobs: list[Job], seconds: float, draw: random.Random, show: object) -> dict[str, Outcome]:
        """Write the files of processes that measure in turns."""
        self.rings.append(([job.name for job in jobs], seconds))
        return {job.name: self(list(job.command), job.log, dict(job.env), show, job.cwd) for job in jobs}

    def __call__(
        self, command: list[str], log: Path, env: dict[str, str], show: object, cwd: Path | None = None
    ) -> Outcome:
        """Write the file that a request asks for."""
        request = json.loads(Path(command[-1]).read_text(encoding="utf-8"))
        log.write_text("its last words\n", encoding="utf-8")
        if (ended := self.before(len(self.requests))) is not None:
            return ended
        self.requests.append(request)
        self.environments.append(env)
        self.pythons.append(command[0])
        draw = np.random.default_rng(random.Random(Path(request["out"]).name).getrandbits(32))
        speed = math.exp(draw.normal(0, 0.2)) if not request["turn_visits"] else math.exp(0.05 * len(self.rings))
        excluded = {tuple(pair) for pair in request["exclude"]}
        subjects = [request["alone"]] if request["alone"] else WHOLE
        found = []
        for workload in request["workloads"]:
            for subject in subjects:
                if (workload, subject) not in excluded:
                    net = NS[subject] * self.effects.get((workload, subject), 1.0)
                    noise = draw.lognormal(0, 0.003)
                    found.append(entry(workload, subject, net * speed * noise * draw.lognormal(0, 0.01, 40)))
                    found[-1]["extra_info"]["digest"] = self.digests.get(subject, "same")
        document = block(request["interpreter"], 0, found, ())
        document["cside"] |= {"alone": request["alone"], "reference": request["reference"]}
        document["cside"]["in_turns"] = bool(request["turn_visits"])
        write(Path(request["out"]), document)
        return Outcome(0, "measure", None)
