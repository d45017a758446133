# SPDX-License-Identifier: Apache-2.0
"""Simulated runs with known effects, at the level of raw rounds.

The noise is that of a real run of this suite: CPython 3.14, 8 processes of 36 rounds, 1,182 cells of bindings and the
standard library compared with the reference binding. The log ratios of that run had a standard deviation between
processes of 1.4 % in the median cell, and of 0.31, 0.68, 2.3 and 4.3 % at the quantiles 5, 25, 75 and 95 %. Of the 1.4
%, the rounds within a process predict 1.1 % (a paired ratio of one round has a standard deviation of 5.3 %), and 0.85 %
is the process's own. The logarithm of the variance had a standard deviation of 1.65 between cells, and of 1.06 after
removing the part that the rounds predict. Log ratios within a workload, which share their reference, had a correlation
of 0.36. (A run of three processes of 16 rounds on CPython 3.11, 3.13 and 3.14 agrees: 1.4 to 1.8 % in the median cell;
PyPy 6 %.)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUND_SD: Final = 0.053
"""Standard deviation of the log of a paired ratio in one round, in the median cell."""
PROCESS_SD: Final = 0.0085
"""Standard deviation of a process's own log ratio in the median cell, in the limit of infinitely many rounds."""
COMMON_SPREAD: Final = 0.63
"""Standard deviation between cells of the log of both :data:`ROUND_SD` and :data:`PROCESS_SD`, which rounds explain."""
OWN_SPREAD: Final = 0.53
"""Standard deviation between cells of the log of :data:`PROCESS_SD` alone."""
TYPICAL: Final = (0.0031, 0.0068, 0.0140, 0.0226, 0.0431)
"""Standard deviation of a cell between processes, at 36 rounds: the quantiles 5, 25, 50, 75 and 95 %."""

RARE: Final = 0.15
"""Share of processes that are in a one-sided mode."""
EFFECTS: Final = (0.0, 0.0, 0.01, 0.03, 0.05)
"""Effects of the subjects on the ratio to the reference: a twin, another identical subject, and slower ones."""
WORKLOADS: Final = 40
"""Number of workloads in a simulated run."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """The noise of a machine; the defaults describe a quiet machine on which all cells are like the median cell."""

    name: str
    says: str
    trend: float = 0.0
    """Change of the log of all times from the first to the last round."""
    slow: float = 0.0
    """Share of rounds in which the machine is 1.5 to 2 times slower, a few in a row, starting within a round."""
    stalls: float = 0.0
    """Share of single chunks that are delayed by a stall; its log factor is exponential with mean 1."""
    tails: float = 0.0
    """Degrees of freedom of Student's t for the process's own effects; 0 for a normal distribution."""
    modes: tuple[float, float] = (0.0, 0.0)
    """Half the distance (log) between two modes of a process: first of a common one, to which targets respond
    differently, then of one that each target draws for itself.
    """
    one_sided: float = 0.0
    """Log factor by which targets, but not the reference, are slower in 15 % of processes, with the mean corrected."""
    unequal: bool = False
    """Whether cells differ in noise as real ones do."""
    shared: float = 0.0
    """Share of the process's own variance that comes from three factors common to all targets of a process."""
    levels: Sequence[float] = ()
    """Factors of noise for the workloads in turn, instead of equal noise."""
    typical: bool = False
    """Whether the median cell is no noisier than the real run's, so that the rate of differences found has a bound."""


SCENARIOS: Final = (
    Scenario("quiet", "all cells as noisy as the median cell", typical=True),
    Scenario(
        "drift",
        "times rise by a fifth, and a fifth of the rounds are 1.5 to 2 times slower",
        trend=0.2,
        slow=0.2,
        typical=True,
    ),
    Scenario(
        "tails",
        "5 % of chunks stall, and processes differ by Student's t with 3 degrees of freedom",
        stalls=0.05,
        tails=3.0,
        typical=True,
    ),
    Scenario(
        "modes",
        "a process is in one of two modes, partly common to all targets and partly each target's own",
        modes=(0.01, 0.01),
    ),
    Scenario("unequal", "cells differ in noise as real ones do, 0.3 to 4 %", unequal=True),
    Scenario(
        "shared",
        "three quarters of the variance between processes come from three common factors",
        shared=0.75,
        typical=True,
    ),
    Scenario(
        "one-sided",
        "in 15 % of processes a target is 10 % slower and the reference never is: there is no bound on differences"
        " found, because the method assumes symmetric deviations",
        one_sided=0.1,
    ),
    Scenario(
        "everything",
        "all of these at once",
        trend=0.2,
        slow=0.2,
        stalls=0.05,
        tails=3.0,
        modes=(0.005, 0.005),
        unequal=True,
        shared=0.5,
    ),
)


@dataclass(frozen=True, slots=True)
class Run:
    """A simulated run. Times are ns per call, workloads x subjects x processes x rounds; the reference is first."""

    times: Array
    positions: Array
    """Place in the shuffled order of the round, from 0; the array has the shape of the times."""
    noise: Array
    """Expected standard deviation of a median log ratio of each workload, without stalls, tails and modes."""


def with_levels(scenario: Scenario, levels: Sequence[float]) -> Scenario:
    """Return the scenario with these levels of noise for the workloads, in turn."""
    return replace(scenario, levels=tuple(levels))


def draw_effects(scenario: Scenario, own: Array, processes: int, draw: np.random.Generator) -> Array:
    """Draw the log effect that each process has on each target in all rounds: workloads x subjects x processes."""
    shape = (*own.shape, processes)
    if scenario.tails:
        noise = draw.standard_t(scenario.tails, shape) * np.sqrt((scenario.tails - 2) / scenario.tails)
    else:
        noise = draw.standard_normal(shape)
    if scenario.shared:
        loadings = draw.standard_normal((*own.shape, 3))
        loadings /= np.sqrt((loadings**2).sum(axis=-1, keepdims=True))
        common = loadings @ draw.standard_normal((3, processes))
        noise = np.sqrt(scenario.shared) * common + np.sqrt(1 - scenario.shared) * noise
    effects: Array = noise * own[..., None]
    common_mode, own_mode = scenario.modes
    if common_mode:
        effects += common_mode * draw.uniform(-1, 1, (*own.shape, 1)) * draw.choice((-1.0, 1.0), processes)
    if own_mode:
        effects += own_mode * draw.choice((-1.0, 1.0), shape)
    if scenario.one_sided:
        rare = draw.random((*own.shape, processes)) < RARE
        effects[:, 1:] += scenario.one_sided * (rare - RARE)[:, 1:]
    return effects


def draw_machine(scenario: Scenario, processes: int, rounds: int, draw: np.random.Generator) -> tuple[Array, Array]:
    """Draw the log slowness of the machine in the first and last part of each round, each as processes x rounds."""
    trend = scenario.trend * np.linspace(0, 1, rounds)
    slow = np.zeros((processes, rounds + 1))
    if scenario.slow:
        stay = 0.75  # four rounds at a time, on average
        leave = draw.random((processes, rounds + 1)) > stay
        enter = draw.random((processes, rounds + 1)) < scenario.slow * (1 - stay) / (1 - scenario.slow)
        factor = np.log(draw.uniform(1.5, 2.0, (processes, rounds + 1)))
        slow[:, 0] = np.where(draw.random(processes) < scenario.slow, factor[:, 0], 0)
        for at in range(1, rounds + 1):
            before = slow[:, at - 1]
            slow[:, at] = np.where(
                before > 0, np.where(leave[:, at], 0, before), np.where(enter[:, at], factor[:, at], 0)
            )
    return trend + slow[:, :-1], trend + slow[:, 1:]


def simulate(
    scenario: Scenario,
    processes: int,
    rounds: int,
    draw: np.random.Generator,
    *,
    workloads: int = WORKLOADS,
    effects: Sequence[float] = EFFECTS,
) -> Run:
    """Simulate one run. The first subject is the reference; the others are slower than it by ``effects``."""
    subjects = 1 + len(effects)
    level = np.ones(workloads)
    own_level = np.ones((workloads, 1))
    if scenario.levels:
        level = np.resize(np.asarray(scenario.levels, dtype=np.float64), workloads)
    elif scenario.unequal:
        level = np.exp(draw.normal(0, COMMON_SPREAD, workloads))
        own_level = np.exp(draw.normal(0, OWN_SPREAD, (workloads, 1)))
    own = np.broadcast_to(PROCESS_SD / np.sqrt(2) * level[:, None] * own_level, (workloads, subjects))
    shape = (workloads, subjects, processes, rounds)
    logs = draw.standard_normal(shape, dtype=np.float32).astype(np.float64)
    logs *= (ROUND_SD / np.sqrt(2) * level)[:, None, None, None]
    logs += draw_effects(scenario, own, processes, draw)[..., None]
    logs += np.log1p([0.0, *effects])[None, :, None, None]
    order = np.argsort(draw.random((workloads, processes, rounds, subjects), dtype=np.float32), axis=-1)
    positions = np.moveaxis(order, -1, 1).astype(np.float64)
    first, last = draw_machine(scenario, processes, rounds, draw)
    if scenario.slow:
        turn = draw.integers(0, subjects + 1, (workloads, 1, processes, rounds))
        logs += np.where(positions < turn, first, last)
    else:
        logs += first
    if scenario.stalls:
        logs += np.where(draw.random(shape, dtype=np.float32) < scenario.stalls, draw.exponential(1.0, shape), 0.0)
    noise = np.sqrt((PROCESS_SD * own_level[:, 0]) ** 2 + np.pi / 2 * ROUND_SD**2 / rounds) * level
    return Run(100 * np.exp(logs), positions, noise)


def ratios(run: Run, subject: int | slice, reference: int) -> tuple[Array, Array]:
    """Return the log of the median over rounds of paired ratios of each cell, and the spread that the rounds predict.

    For all cells at once, the first is what :meth:`cside_bench.results.rounds.Process.ratio` computes, workloads (x
    subjects) x processes, and the second is what :func:`cside_bench.statistics.intervals.expected_spread` computes.
    """
    paired = run.times[:, subject] / (
        run.times[:, reference] if isinstance(subject, int) else run.times[:, [reference]]
    )
    logs = np.log(np.median(paired, axis=-1))
    np.log(paired, out=paired)
    paired -= np.median(paired, axis=-1, keepdims=True)
    np.abs(paired, out=paired)
    deviations = 1.4826 * np.median(paired, axis=-1)
    spread = np.sqrt(np.pi / 2 * np.mean(deviations**2, axis=-1) / paired.shape[-1])
    return logs, spread
