# SPDX-License-Identifier: Apache-2.0
"""Whether one cell is steady: whether what it takes in the rounds is what a call goes on to take.

A cell that a compiler still works on, or that was never compiled, has no one time, and a ratio of it says nothing. The
checks of a whole run do not see such a cell, since they pool many of them. Four things are looked at, first in each
process and then over the processes:

``drift``    From the first third of the rounds to the last, the paired ratio moves. Either the mean move is beyond a
             limit, with its whole interval; or the ratio leaps, by far more than its rounds scatter, in many processes
             and in the same direction. The second finds a cell that some processes compile during their rounds, whose
             interval is too wide for the first.
``singly``   The time per call in a chunk differs from the median of calls that were timed one by one, by a factor, in
             most processes. What reading the clock takes is allowed for.
``cold``     With a compiler, the cell made fewer calls before the rounds than a loop needs to be compiled, in most
             processes. It may then be slow, and steadily so.
``speeds``   The processes differ by a factor, even without the slowest and the fastest. PyPy compiles some calls in one
             of several ways, by what it saw first; a mean of them is the time of no process.

A cell without such an effect is hardly ever rejected: noise widens the interval, and a leap or a speed has to
repeat itself. The tests simulate both.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cside_bench.statistics.student import student

Array = NDArray[np.float64]

LIMIT: Final = 0.03
"""Largest mean move of a ratio that is tolerated, as a share: the smallest margin of a verdict."""
LEVEL: Final = 0.01
"""Probability that the interval of the mean move does not hold it. Hundreds of cells are looked at."""
LEAP: Final = 0.10
"""Least move of a leap, as a share."""
LEAP_ERRORS: Final = 4.0
"""Least move of a leap, in standard errors that the scatter of the rounds predicts."""
LEAPING: Final = 1 / 3
"""Share of processes that leap in one direction from which on a cell is not steady."""
FEWEST_LEAPS: Final = 2
"""Least number of them."""
LEAST_THIRD: Final = 3
"""Least rounds in a third for which a leap is looked for: of one or two rounds, one may have been interrupted."""
FACTOR: Final = 2.0
"""Largest factor between the time in a chunk and the median of single calls."""
COMPILED_CALLS: Final = 1_300
"""Calls before the rounds from which on a loop is compiled: PyPy's thresholds of 1,039 for it and of 200 for a bridge,
and some more.
"""
COMPILED_BELOW_NS: Final = 300_000
"""Calls that take less have to be compiled. Others may be made less often: what is interpreted around them is a small
part, and the shortest warm-up of a tier, 500 ms, has no time for :data:`COMPILED_CALLS` of them.
"""

SPEEDS_APART: Final = 1.75
"""Largest factor between the second fastest and the second slowest process of a cell that is tolerated."""
FEWEST_SPEEDS: Final = 4
"""Least number of processes for that."""


@dataclass(frozen=True, slots=True)
class Move:
    """The move of a ratio in one process."""

    change: float
    """Logarithm of the ratio in the last third of the rounds, minus that in the first."""
    error: float
    """Its standard error, as the scatter of the rounds predicts it; infinite for too few rounds."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The time of one call in one process, in ns, from chunks and from calls timed one by one."""

    net: float
    """Median over rounds, without the loop."""
    p50: float
    """Median of single calls, with what reading the clock takes."""
    timer: float
    """What reading the clock takes."""


def move(ratios: ArrayLike) -> Move:
    """Return the move of the paired ratios of one process, in the order of its rounds; NaN with fewer than three.

    The scatter comes from differences of neighbours, which a move changes little.
    """
    values = np.asarray(ratios, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(values)
    logs = logs[np.isfinite(logs)]
    third = len(logs) // 3
    if third == 0:
        return Move(math.nan, math.nan)
    change = float(np.median(logs[-third:]) - np.median(logs[:third]))
    if third < LEAST_THIRD:
        return Move(change, math.inf)
    scatter = 1.4826 * float(np.median(np.abs(np.diff(logs)))) / math.sqrt(2)
    return Move(change, scatter * math.sqrt(math.pi / 2 * 2 / third))


def drift(moves: Sequence[Move]) -> str | None:
    """Say how a cell's ratio moves during the rounds, from one move for each process; None if it is steady."""
    changes = np.array([it.change for it in moves])
    errors = np.array([it.error for it in moves])[np.isfinite(changes)]
    changes = changes[np.isfinite(changes)]
    if len(changes) < 2:
        return None
    mean = student(changes, level=LEVEL)
    limit = math.log1p(LIMIT)
    if mean.low > limit or mean.high < -limit:
        return f"its ratio changes by {math.expm1(mean.value):+.1%} from the first third of the rounds to the last"
    least = np.maximum(math.log1p(LEAP), LEAP_ERRORS * np.maximum(errors, np.median(errors)))
    leaps = max(int((changes > least).sum()), int((changes < -least).sum()))
    if leaps >= max(FEWEST_LEAPS, LEAPING * len(changes)):
        typical = math.expm1(float(np.median(changes[np.abs(changes) > least])))
        return f"its ratio changes by {typical:+.0%} during the rounds of {leaps} of {len(changes)} processes"
    return None


def singly(calls: Sequence[Calls]) -> str | None:
    """Say how chunks differ from single calls, from one pair of times for each process; None if they do not.

    The median of single calls contains one reading of the clock, about, and up to one more is allowed in either
    direction. So the comparison says nothing of calls that take no longer than the clock.
    """
    known = [it for it in calls if all(math.isfinite(value) for value in (it.net, it.p50, it.timer))]
    slower = sum(it.net > FACTOR * it.p50 for it in known)
    faster = sum(it.p50 - 2 * it.timer > FACTOR * it.net for it in known)
    if max(slower, faster) * 2 <= len(known):
        return None
    net, alone = (
        float(np.median(values)) for values in zip(*((it.net, it.p50 - it.timer) for it in known), strict=True)
    )
    return f"a call takes {net:,.0f} ns in the rounds and {max(alone, 0.0):,.0f} ns when it is timed by itself"


def cold(calls_before: Sequence[float], net: Sequence[float]) -> str | None:
    """Say that a cell was not compiled, from its calls before the rounds and its ns per call, one for each process;
    None if it was.
    """
    few = sum(made < COMPILED_CALLS and ns < COMPILED_BELOW_NS for made, ns in zip(calls_before, net, strict=True))
    if not few or few * 2 <= len(net):
        return None
    made = float(np.median(np.asarray(calls_before, dtype=np.float64)))
    return f"it made {made:,.0f} calls before the rounds, too few to be compiled"


def speeds(ratios: Sequence[float]) -> str | None:
    """Say that processes run at different speeds, from the ratio of each to the reference; None if they do not.

    The slowest and the fastest one may have been so for any reason; the others have to be close. Of fewer than four
    processes that says nothing.
    """
    found = sorted(value for value in ratios if value > 0 and math.isfinite(value))
    if len(found) < FEWEST_SPEEDS or found[-2] <= SPEEDS_APART * found[1]:
        return None
    return f"its {len(found)} processes take {found[0]:.3g} to {found[-1]:.3g} times as long as the reference"
