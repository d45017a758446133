# SPDX-License-Identifier: Apache-2.0
"""Measures cells of a finished run again, each in processes of its own, in which only one binding is loaded.

The processes of a workload, one for each binding, measure in turns (:mod:`cside_bench.run.turns`), so that a slow
second of the machine hits all of them alike. Workloads follow each other in random order. What is finished is not
repeated: an interrupted verification goes on where it stopped.
"""

import glob
import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json
from cside_suite.process.request import FLOOR, Request, key
from cside_suite.subjects.names import REFERENCES

from cside_bench.results.plan import Plan, Tier
from cside_bench.results.verified import CRASHES, Cell, Seeds, Settings, crashed, seeds_of, stem, with_references
from cside_bench.run.child import Outcome, describe, environment, follow, last_line, working_folder
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.run.turns import ROUND_NS, TURN_NS, Job, together

SHORTEST_ROUND_S: Final = 0.0002
"""Seconds of a round, at least: a chunk, and the calls that lead it in. There are so many rounds that the time ends
them.
"""


class VerifyError(Exception):
    """A process failed for a reason other than a crashing target; the message says where its log is."""


def pilot(folder: Path, label: str) -> dict[str, Any]:
    """Return what the calibration of a run found on an interpreter."""
    return dict(json.loads((folder / "calibration" / f"{label}.json").read_text(encoding="utf-8")))


def alone(plan: Plan, folder: Path, label: str, subject: str, workloads: Sequence[str], seeds: Seeds) -> Request:
    """Return the request for a process that loads one binding alone and measures some workloads.

    The references and the loops in C take no part. A target that the run slowed down on purpose is not slowed down.
    """
    tier = Tier.named(plan.tier).of(label)
    return Request(
        mode="measure",
        interpreter=label,
        library_sha256=plan.library_sha256,
        out="",
        seed=seeds.draws,
        series=seeds.series,
        number=seeds.number,
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


def prepare(plan: Plan, request: Request, place: Path, name: str, nuisances: int) -> Job:
    """Write the request for a process, whose file is ``place / name.json``; return how it is started.

    ``nuisances`` is the seed of its hash seed and of the size of its environment.
    """
    place = place.resolve()
    for part in ("requests", "logs"):
        (place / part).mkdir(parents=True, exist_ok=True)
    path, log = place / "requests" / f"{name}.json", place / "logs" / f"{name}.log"
    path.write_text(json.dumps(asdict(request) | {"out": str(place / f"{name}.json")}), encoding="utf-8")
    python = plan.interpreter(request.interpreter).python
    command = [python, "-X", "faulthandler", "-m", "cside_suite.process.block", str(path)]
    return Job(name, command, log, environment(nuisances, place.parent), working_folder(place.parent))


def process(plan: Plan, request: Request, place: Path, name: str, nuisances: int, display: Display) -> None:
    """Run one process; a process that a signal ends is recorded, and not started again.

    Raises :class:`VerifyError` if it ends with another code than 0.
    """
    job = prepare(plan, request, place, name, nuisances)
    record({name: follow(job.command, job.log, job.env, display.within, job.cwd)}, place, display)


def in_turns(
    plan: Plan, requests: Mapping[str, Request], place: Path, seconds: float, draw: random.Random, display: Display
) -> None:
    """Run processes, by the stems of their files, in turns for so many seconds; see :func:`process`."""
    jobs = [prepare(plan, request, place, name, draw.getrandbits(32)) for name, request in requests.items()]
    record(together(jobs, seconds, draw, display.within), place, display)


def record(outcomes: Mapping[str, Outcome], place: Path, display: Display) -> None:
    """Keep which processes a signal ended; raise :class:`VerifyError` for one that ended with another code than 0."""
    failed = [(name, outcome) for name, outcome in outcomes.items() if outcome.code > 0]
    for name, outcome in outcomes.items():
        if outcome.code < 0:
            reason = f"crashed its process with {describe(outcome.code)}"
            write_json(place / CRASHES, crashed(place) | {name: reason}, indent=1)
            display.say(f"{name}: {reason}; its output: {place.resolve() / 'logs' / f'{name}.log'}")
    for name, outcome in failed:
        log = place.resolve() / "logs" / f"{name}.log"
        raise VerifyError(
            f"{name}: the process ended with {describe(outcome.code)} in phase “{outcome.phase}”: "
            f"{last_line(log)}\nits whole output: {log}"
        )


def turn_visits(known: Mapping[str, float], workload: str, subjects: Sequence[str]) -> int:
    """Return the rounds of a turn, the same for all subjects of a workload: fewer where a round of one is long."""
    slowest = max((known.get(key(workload, subject), 0.0) for subject in subjects), default=0.0)
    return max(1, int(TURN_NS / (ROUND_NS + 2 * slowest)))  # one call leads in, one counts


def groups(cells: Sequence[Cell], settings: Settings, reference: str, place: Path) -> list[dict[str, Cell]]:
    """Return the processes that measure in turns, by the stems of their files, in random order of workloads.

    They are those of one number, interpreter and workload: one for each cell, and one of the reference. A cell that an
    earlier call measured is part of its group, because all of a group are measured again if one of them is missing.
    """
    found: dict[tuple[str, str, int], dict[str, Cell]] = {}
    for cell in with_references(cells, reference):
        for number in range(settings.processes):
            of_workload = found.setdefault((cell.interpreter, cell.workload, number), {})
            of_workload[stem(cell, number)] = cell
    for (label, workload, number), members in found.items():
        for path in place.glob(f"{glob.escape(stem(Cell(label, workload, ''), 0).rpartition('-')[0])}*-{number}.json"):
            subject = path.stem.rpartition("@")[2].rpartition("-")[0]
            members.setdefault(path.stem, Cell(label, workload, subject))
    ordered = list(found.values())
    random.Random(f"{settings.seed} order").shuffle(ordered)
    return ordered


def again(
    plan: Plan, folder: Path, place: Path, cells: Sequence[Cell], settings: Settings, display: Display, machine: Machine
) -> None:
    """Measure the cells again, and those of the reference to which their ratios refer; files go to ``place``."""
    found = groups(cells, settings, plan.reference, place)
    display.start(len(found))
    seconds = settings.seconds / settings.processes
    draw = random.Random()
    for members in found:
        first = next(iter(members.values()))
        ended = crashed(place)
        done = all((place / f"{name}.json").exists() or name in ended for name in members)
        with display.step(f"{first.interpreter} {first.workload}", done=done) as todo:
            if not todo:
                continue
            machine.wait()
            known = pilot(folder, first.interpreter)["ns"]
            turn = turn_visits(known, first.workload, [cell.subject for cell in members.values()])
            whole = seconds * len(members)
            requests = {}
            for name, cell in members.items():
                number = int(name.rpartition("-")[2])
                seeds = seeds_of(settings.seed, cell.interpreter, cell.workload, number)
                request = alone(plan, folder, cell.interpreter, cell.subject, [cell.workload], seeds)
                rounds = math.ceil(whole / SHORTEST_ROUND_S)
                requests[name] = replace(request, rounds=rounds, least_visits=rounds, turn_visits=turn, cpu=machine.cpu)
            in_turns(plan, requests, place, whole, draw, display)
    display.stop()
