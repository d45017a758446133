# SPDX-License-Identifier: Apache-2.0
"""The sample that a run takes at its end: some workloads alone, and some in long chunks.

A run measures calls in chunks of a tenth of a millisecond (0.2 ms on PyPy), and on CPython among the chunks of all
other bindings. The sample says whether that moves a ratio. Its processes are no blocks of the run: they enter no ratio,
no interval and no verdict. It is taken on the newest version of each implementation, since several processes of one
version tell more than one of each.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from cside_suite.process.request import FLOOR, Request
from cside_suite.subjects.names import REFERENCES

from cside_bench.results.plan import Plan, Tier, newest
from cside_bench.results.verified import crashed, seeds_of
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.run.verify import VerifyError, alone, in_turns, pilot, process

CHUNK_NS: Final = 4_000_000
"""Length of the long chunks."""
LONG_ROUNDS: Final = 10
"""Rounds of a process with long chunks."""
ALONE_S: Final = 0.5
"""Seconds of a process with one binding, of which a round takes about 10 ms."""
MOST_ROUNDS: Final = 1_000
"""More rounds than these seconds have: the time ends them."""


def take(plan: Plan, folder: Path, display: Display, machine: Machine) -> None:
    """Measure the sample of a run: each process whose file does not exist yet.

    A run of some workloads only has none, and nor has an isolated one, or one whose minutes are given. A process that
    fails is told and left out.
    """
    if plan.only or plan.isolated or plan.budget_minutes is not None:
        return
    place = folder / "sample"
    todo = list(requests(plan, folder))
    random.Random(f"{plan.seed} sample order").shuffle(todo)
    display.more(len(todo))
    for title, members in todo:
        ended = crashed(place)
        done = all((place / f"{name}.json").exists() or name in ended for name in members)
        with display.step(f"sample {title}", done=done) as wanted:
            if not wanted:
                continue
            machine.wait()
            draw = random.Random(f"{plan.seed} {title}")
            pinned = {name: replace(request, cpu=machine.cpu) for name, request in members.items()}
            try:
                if all(request.turn_visits for request in pinned.values()):
                    long = any(request.chunk_ns for request in pinned.values())
                    in_turns(plan, pinned, place, math.inf if long else ALONE_S * len(pinned), draw, display)
                    continue
                for name, request in pinned.items():
                    process(plan, request, place, name, draw.getrandbits(32), display)
            except VerifyError as error:
                display.say(f"the sample lacks a process: {error}")


def requests(plan: Plan, folder: Path) -> Iterator[tuple[str, dict[str, Request]]]:
    """Yield the processes of the sample that belong together, by the stems of their files, with a title.

    Bindings that have a process of their own measure in turns. Where they have one in the run too, only chunks of
    another length are sampled.
    """
    for label in newest(interpreter.label for interpreter in plan.interpreters):
        tier, known = Tier.named(plan.tier).of(label), pilot(folder, label)
        workloads = [name for name in tier.sample if name in known["workloads"]]
        if not workloads:
            continue
        wanted = set(plan.bindings)
        subjects = [it for it in known["whole"] if not wanted or {it, it.partition(".")[0]} & wanted]
        for number in range(tier.sample_processes):
            seeds = seeds_of(plan.seed, label, "sample", number)
            own = {
                subject: replace(
                    alone(plan, folder, label, subject, workloads, seeds),
                    rounds=MOST_ROUNDS,
                    least_visits=MOST_ROUNDS,
                    turn_visits=1,
                )
                for subject in subjects
            }
            if tier.apart:
                long_chunks = {
                    f"chunks+{label}@{subject}-{number}": replace(
                        request, rounds=LONG_ROUNDS, least_visits=LONG_ROUNDS, chunk_ns=CHUNK_NS, forks=True
                    )
                    for subject, request in own.items()
                }
                yield f"chunks {label} {number}", long_chunks
                continue
            yield f"alone {label} {number}", {f"alone+{label}@{it}-{number}": request for it, request in own.items()}
            others = [*REFERENCES, FLOOR, *(name for name in known["implementations"] if name not in subjects)]
            long = asdict(alone(plan, folder, label, "", workloads, seeds)) | {
                "bindings": plan.bindings,
                "exclude": [(workload, name) for workload in workloads for name in others],
                "rounds": LONG_ROUNDS,
                "chunk_ns": CHUNK_NS,
            }
            yield f"chunks {label} {number}", {f"chunks+{label}@all-{number}": Request(**long)}
