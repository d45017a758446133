# SPDX-License-Identifier: Apache-2.0
"""Measures cells of a finished run again, each in processes of its own, in which only one binding is loaded.

All processes run in random order, so that a slow hour of the machine is not that of one binding. A process whose file
exists is not repeated: an interrupted verification goes on where it stopped.
"""

import json
import math
import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json
from cside_suite.process.request import FLOOR, Request
from cside_suite.subjects.names import REFERENCES

from cside_bench.results.plan import Plan, Tier
from cside_bench.results.verified import CRASHES, Cell, Settings, crashed, draws_of, stem, with_references
from cside_bench.run.child import describe, environment, follow, last_line, working_folder
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine

SHORTEST_ROUND_S: Final = 0.0004
"""Seconds of a round, at least: a chunk of the cell and one of the anchor. There are so many rounds that the time ends
them.
"""


class VerifyError(Exception):
    """A process failed for a reason other than a crashing target; the message says where its log is."""


def pilot(folder: Path, label: str) -> dict[str, Any]:
    """Return what the calibration of a run found on an interpreter."""
    return dict(json.loads((folder / "calibration" / f"{label}.json").read_text(encoding="utf-8")))


def alone(plan: Plan, folder: Path, label: str, subject: str, workloads: Sequence[str], seed: int) -> Request:
    """Return the request for a process that loads one binding alone and measures some workloads.

    The references and the loops in C take no part, so that only the anchor runs beside the binding. A target that the
    run slowed down on purpose is not slowed down.
    """
    tier = Tier.named(plan.tier).of(label)
    return Request(
        mode="measure",
        interpreter=label,
        library_sha256=plan.library_sha256,
        out="",
        seed=seed,
        reference=plan.reference,
        workloads=list(workloads),
        exclude=[(workload, name) for workload in workloads for name in (*REFERENCES, FLOOR)],
        least_visits=tier.least_visits,
        warm_up_ns=tier.warm_up_ns(label),
        warm_calls=tier.warm_calls,
        calibration=pilot(folder, label)["ns"],
        alone=subject,
        library=plan.library_file(folder),
        layouts=plan.interpreter(label).layouts([subject] if subject else plan.bindings),
    )


def process(plan: Plan, request: Request, place: Path, name: str, nuisances: int, display: Display) -> int:
    """Run one process, whose file is ``place / name.json``; return its exit code.

    ``nuisances`` is the seed of its hash seed and of the size of its environment. A process that a signal ends is
    recorded, and not started again. Raises :class:`VerifyError` if it ends with another code than 0.
    """
    place = place.resolve()
    for part in ("requests", "logs"):
        (place / part).mkdir(parents=True, exist_ok=True)
    path, log = place / "requests" / f"{name}.json", place / "logs" / f"{name}.log"
    path.write_text(json.dumps(asdict(request) | {"out": str(place / f"{name}.json")}), encoding="utf-8")
    python = plan.interpreter(request.interpreter).python
    command = [python, "-X", "faulthandler", "-m", "cside_suite.process.block", str(path)]
    where = working_folder(place.parent)
    outcome = follow(command, log, environment(nuisances, place.parent), display.within, where)
    if outcome.code < 0:
        reason = f"crashed its process with {describe(outcome.code)}"
        write_json(place / CRASHES, crashed(place) | {name: reason}, indent=1)
        display.say(f"{name}: {reason}; its output: {log}")
    elif outcome.code:
        raise VerifyError(
            f"{name}: the process ended with {describe(outcome.code)} in phase “{outcome.phase}”: "
            f"{last_line(log)}\nits whole output: {log}"
        )
    return outcome.code


def jobs(plan: Plan, cells: Sequence[Cell], settings: Settings) -> list[tuple[Cell, int]]:
    """Return the processes of a verification, in random order, those of the reference among them."""
    found = [(cell, number) for cell in with_references(cells, plan.reference) for number in range(settings.processes)]
    random.Random(f"{settings.seed} order").shuffle(found)
    return found


def again(
    plan: Plan, folder: Path, place: Path, cells: Sequence[Cell], settings: Settings, display: Display, machine: Machine
) -> None:
    """Measure the cells again, and those of the reference to which their ratios refer; files go to ``place``."""
    found = jobs(plan, cells, settings)
    display.start(len(found))
    seconds = settings.seconds / settings.processes
    draw = random.Random()
    for cell, number in found:
        name = stem(cell, number)
        done = (place / f"{name}.json").exists() or name in crashed(place)
        with display.step(f"{cell.interpreter} {cell.workload} {cell.subject}", done=done) as todo:
            if todo:
                machine.wait()
                seed = draws_of(settings.seed, cell.interpreter, cell.workload, number)
                request = alone(plan, folder, cell.interpreter, cell.subject, [cell.workload], seed)
                limited = asdict(request) | {
                    "rounds": math.ceil(seconds / SHORTEST_ROUND_S),
                    "rounds_ns": int(seconds * 1e9),
                    "cpu": machine.cpu,
                }
                process(plan, Request(**limited), place, name, draw.getrandbits(32), display)
    display.stop()
