# SPDX-License-Identifier: Apache-2.0
"""A child of the process for each workload, in which nothing else has run.

What PyPy compiles depends on what ran before in the process: loops and functions of ctypes and cffi through which all
calls of a binding pass are compiled for the first of them, and each further kind of call adds branches. So identical
code takes another time in a process with five workloads than in one with thirty (``docs/method.md``). A child is forked
when the binding is loaded and no test has run yet, which takes hundredths of a second and not more than one.
"""

import math
import multiprocessing
import os
import random
import signal
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from cside_suite.process import rounds
from cside_suite.process.garbage import Garbage
from cside_suite.process.request import MEASURE, Request
from cside_suite.process.rounds import Says
from cside_suite.process.timing import Measured


def each_workload(
    request: Request, progress: Says, present: Collection[str], work: Callable[[Request, Says], Measured]
) -> Measured:
    """Do the ``work`` for each workload in a child, one after the other, and return what all of them found.

    The order depends on the seed only. Processes that measure in turns thus have the same workload at the same time,
    and they take turns for those too that are not ``present`` in this one: as many as the rounds need, and one more
    after which all go on to the next workload. Raises `RuntimeError` if a child fails; if a signal ends it, the signal
    ends this process too.
    """
    whole = Measured()
    order = sorted(request.workloads)
    random.Random(f"{request.seed} order").shuffle(order)
    with Garbage():  # one collection, and none in each child again, which would have to copy all that it marks
        for number, workload in enumerate(order):
            part = _Part(progress, number, len(order))
            its = replace(request, workloads=[workload])
            if workload in present:
                whole.add(_in_child(workload, partial(work, its, part)))
                continue
            of_rounds = rounds.visits(workload, [], its, random.Random())
            for _ in range(math.ceil(len(of_rounds) / request.turn_visits) + 1):
                progress.turn()
            part.step(MEASURE, 1, 1)
    return whole


def _in_child(workload: str, work: Callable[[], Measured]) -> Measured:
    """Return what a child of this process found."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_work, args=(theirs, work))
    child.start()
    theirs.close()
    try:
        found: Measured = ours.recv()
    except EOFError:
        child.join()
        code = child.exitcode or 0
        if code < 0:
            signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
            os.kill(os.getpid(), -code)  # as if it had happened here: the driver knows which call was the last one
        raise RuntimeError(f"the process of {workload} ended with exit code {code}; its output is above") from None
    child.join()
    return found


def _work(theirs: Connection, work: Callable[[], Measured]) -> None:
    """Do the work of a child, and send the parent what can be sent: all but compiled code and functions."""
    found = work()
    for target in found.targets:
        target.function, target.draws = _gone, ((),)
    for members in found.cells.values():
        for cell in members:
            cell.chunk, cell.recompile = _gone, None
    theirs.send(found)


def _gone(*arguments: Any) -> Any:
    """Take the place of a function of a child that has ended."""
    raise RuntimeError("this function ended with the process that had it")


@dataclass(frozen=True, slots=True)
class _Part:
    """Reports the progress of one part of so many equal ones."""

    whole: Says
    number: int
    count: int

    def step(self, phase: str, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` steps of this part are done."""
        self.whole.step(phase, self.number * total + done, self.count * total)

    def turn(self) -> int | None:
        """Wait for the turn of the whole."""
        return self.whole.turn()
