# SPDX-License-Identifier: Apache-2.0
"""Processes that are alive at the same time and measure in turns, so that a slow second of the machine hits all alike.

Each process stops after a few rounds and waits until the driver lets it go on, so that only one of them runs at a time.
The rounds of one number then lie within a fraction of a second of each other, and are paired as those of one process.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from subprocess import Popen
from typing import Any, Final, TypeVar

from cside_suite.process.request import GO, MEASURE, TURN

from cside_bench.run.child import Outcome, messages, started

T = TypeVar("T")

TURN_NS: Final = 10_000_000
"""Length of a turn that is aimed at: long beside the first calls after another process ran, and short beside the
seconds for which a machine stays slow.
"""
ROUND_NS: Final = 1_200_000
"""Time of a round of a fast call: the chunks that lead in, and one that counts. It is less on CPython and more on PyPy.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """What one of the processes is started with."""

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str]
    cwd: Path | None = None


@dataclass(slots=True)
class Member:
    """One of the processes, while it lives."""

    job: Job
    process: "Popen[bytes]"
    said: Iterator[dict[str, Any]] = field(init=False)
    phase: str = "start"
    blamed: tuple[str, str] | None = None
    share: float = 0.0
    """Share of its rounds that it has measured."""

    def __post_init__(self) -> None:
        self.said = messages(self.process)

    def until_turn(self) -> bool:
        """Read what the process says until it waits for its turn; return whether it does, and has not ended."""
        for message in self.said:
            self.phase = message["phase"]
            if self.phase == TURN:
                return True
            if "subject" in message:
                self.blamed = (message["workload"], message["subject"])
            if self.phase == MEASURE:
                self.share = message["done"] / message["total"]
        return False

    def go_on(self, place: int) -> bool:
        """Give the process its turn, with the place of it; return whether it waits for the next one afterwards."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{GO} {place}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:  # it has ended
            return False
        return self.until_turn()

    def finish(self) -> None:
        """Tell the process that there is no further turn, and read on until it ends."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.until_turn()


def in_new_order(last: Sequence[T], draw: Random) -> list[T]:
    """Return the members of a turn in an order for the next one, in which each waits for at least half of the others.

    A process that waited for fewer is faster for some milliseconds, and if any order could follow any other, those that
    are first in a turn would more often be such. All orders that keep to the rule are equally likely, and each process
    comes to each place equally often.
    """
    left, order = list(last), []
    while left:  # The next place may go to whoever is left of those that were at most half the list further back.
        order.append(left.pop(draw.randrange(min(len(last) // 2 + 1, len(left)))))
    return order


def together(
    jobs: Sequence[Job], seconds: float, draw: Random, show: Callable[[str, float], None]
) -> dict[str, Outcome]:
    """Run processes in turns, in an order that is drawn for each, for so many seconds; return how each ended.

    They are started one after the other, each when the one before it has warmed up and waits. One that ends early is
    left out, and the others go on. If ``seconds`` is infinite, each measures all of its rounds. ``show`` is called with
    the share of the time that has passed, or of the rounds.
    """
    with ExitStack() as stack:
        members, waiting = [], []
        for number, job in enumerate(jobs):
            show("start", number / len(jobs))
            process = stack.enter_context(started(job.command, job.log, job.env, job.cwd, spoken_to=True))
            members.append(member := Member(job, process))
            if member.until_turn():
                waiting.append(member)
        draw.shuffle(waiting)
        began = time.monotonic()
        while waiting and (passed := time.monotonic() - began) < seconds:
            rounds = sum(member.share for member in waiting) / len(waiting)
            show("measure", passed / seconds if math.isfinite(seconds) else rounds)
            waiting = [member for place, member in enumerate(waiting) if member.go_on(place)]
            waiting = in_new_order(waiting, draw)
        for member in waiting:
            member.finish()
        return {it.job.name: Outcome(it.process.wait(), it.phase, it.blamed) for it in members}
