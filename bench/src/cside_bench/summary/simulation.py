# SPDX-License-Identifier: Apache-2.0
"""Simulated runs with known effects, as the raw rounds that a real run leaves.

A simulated run has the size of a run of the default tier on one interpreter, and the noise of one. The noise was
computed from the raw files of a finished default run of four interpreters on a virtual machine of two CPUs:

- CPython 3.11, 3.13 and 3.14 (10 processes of 20 rounds, 167 workloads, about 1,350 cells of each beside the controls):
  between processes, the log ratio of a cell to the reference has a standard deviation of 2.1 to 2.2 % in the median
  cell, and of 0.7 to 0.8, 1.4 to 1.5, 2.9 to 3.4 and 4.7 to 6.4 % at the quantiles 5, 25, 75 and 95 %. The paired ratio
  of one round has 6.9 to 7.4 % in the median cell (3.7 to 3.8 and 11 to 14 % at 5 and 95 %). The twin has 1.4 % between
  processes, 0.6 to 3.3 % at 5 and 95 %, and 5.3 to 5.8 % in one round.
- PyPy 3.11 (6 processes of 96 rounds, 32 workloads, 206 cells of whole bindings, in a later run in which each binding
  has a process of its own): 3.1 % between processes in the median cell, and 0.4, 2.0, 4.8 and 10 % at the same
  quantiles; 15 % in one round; the twin has 3.6 and 12 %.
- Slow workloads have fewer rounds: 4 of 20 in a tenth of the cells.
- The twin and the relinked copy have ratios that differ from 1 in all processes alike, with a standard deviation of 0.3
  to 0.9 % beside this noise on CPython (:mod:`cside_bench.statistics.placement`).

True ratios are those of a run too: a quarter of the cells are within 3 %, and the others reach from 0.1 to 20.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from cside_suite.subjects.names import DELAY, DELAYED, RELINKED, TWIN
from numpy.typing import NDArray

from cside_bench.results import headline
from cside_bench.results.rounds import Key, Process, Sample

Array = NDArray[np.float64]

REFERENCE: Final = "reference"
WHOLE: Final = ("one", "two", "three", "four", "five")
"""Subjects that are compared with each other, as bindings with the whole contract are."""
OTHERS: Final = ("one.setting", "other")
"""A partial variant, which is compared with its own binding too, and a subject that is compared with the reference."""
CONTROLLED: Final = (TWIN, RELINKED, DELAYED)
SUBJECTS: Final = (REFERENCE, *CONTROLLED, *WHOLE, *OTHERS)
RANKED: Final = frozenset({REFERENCE, *WHOLE})
RATIOS: Final = (1.0, 1.01, 1.03, 1.05, 0.1, 0.4, 0.7, 0.9, 0.97, 1.1, 1.2, 1.5, 1.5, 3.0, 3.0, 10.0, 20.0)
"""True ratios of a subject to the reference, which are drawn with equal probability for each cell."""
SAMPLED: Final = 5
"""The relinked and the delayed control take part in one of this many workloads."""
SLOW: Final = 10
"""One of this many workloads is slow."""
LEAST_VISITS: Final = 4
"""Rounds of a slow workload."""
RARE: Final = 0.15
"""Share of processes that are in a one-sided mode."""
DRAWS: Final = 8
"""Values that a process draws of a class."""
MOVING: Final = WHOLE[1]
"""The subject whose ratio moves, where one does."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a run on one interpreter."""

    workloads: int
    processes: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of logarithms on one side of a ratio, of the median cell, and how they vary over cells."""

    chunk: float
    """One chunk of a subject."""
    process: float
    """A subject's own time in one process, in the limit of many rounds."""
    control_chunk: float
    """As ``chunk``, of the reference and the controls."""
    control_process: float
    """As ``process``, of the reference and the controls."""
    common: float
    """Standard deviation between workloads of the log of all of these."""
    own: float
    """Standard deviation between cells of the log of those of a process alone."""


CPYTHON: Final = Noise(0.060, 0.0095, 0.040, 0.0020, 0.36, 0.90)
PYPY: Final = Noise(0.120, 0.015, 0.080, 0.020, 0.40, 0.55)
PLACEMENT: Final = 0.009
"""Standard deviation of a ratio of identical code that all processes share: the largest one that a run has shown."""
QUANTILES: Final = (0.0035, 0.0101, 0.0175, 0.029, 0.0617)
"""Standard deviation between processes of a cell's log ratio to the reference on CPython, at the quantiles 5, 25, 50,
75 and 95 %: the mean of three versions in a default run of 2026-11-23, over whole bindings and their variants.
"""


@dataclass(frozen=True, slots=True)
class Scenario:
    """The noise of a machine; the defaults describe a quiet machine on which all cells are like the median cell."""

    name: str
    says: str
    noise: Noise = CPYTHON
    pypy: bool = False
    """Whether the run has the size of one on PyPy."""
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
    moving: float = 0.0
    """Change of the log ratio of one subject from the first to the last round."""
    values: float = 0.0
    """Log effect of a value of the one or the other kind on a subject; each process draws eight values."""
    placement: float = 0.0
    """Standard deviation of ratios that all processes share, because of where code and data lie."""
    levels: Sequence[float] = ()
    """Standard deviations of a ratio to the reference between processes, for the workloads in turn."""
    near: bool = False
    """Whether three of four true ratios are 1.03, to learn how often that is found; the others are as always."""


SCENARIOS: Final = (
    Scenario("quiet", "all cells as noisy as the median cell"),
    Scenario(
        "drift", "times rise by a fifth, and a fifth of the rounds are 1.5 to 2 times slower", trend=0.2, slow=0.2
    ),
    Scenario(
        "tails",
        "5 % of chunks stall, and processes differ by Student's t with 3 degrees of freedom",
        stalls=0.05,
        tails=3,
    ),
    Scenario(
        "modes",
        "a process is in one of two modes, partly common to all targets and partly each target's own",
        modes=(0.01, 0.01),
    ),
    Scenario("unequal", "cells differ in noise as those of CPython do, 0.8 to 6 %", unequal=True),
    Scenario("pypy", "the size and the noise of a run on PyPy: 0.4 to 10 %", noise=PYPY, pypy=True, unequal=True),
    Scenario("shared", "three quarters of the variance between processes come from three common factors", shared=0.75),
    Scenario(
        "values",
        "eight values drawn by each process, of two kinds that a subject takes 8 % more or less time for",
        unequal=True,
        values=0.08,
    ),
    Scenario(
        "placement",
        "every ratio of two binaries is off by 0.9 % (standard deviation) in all processes alike",
        unequal=True,
        placement=PLACEMENT,
    ),
    Scenario("moving", "the ratio of one subject falls by a fifth during the rounds", unequal=True, moving=-0.22),
    Scenario(
        "one-sided",
        "in 15 % of processes a target is 10 % slower and the reference never is: there is no bound, because the method"
        " assumes symmetric deviations",
        one_sided=0.1,
    ),
    Scenario(
        "everything",
        "all of these at once but for the last two",
        trend=0.2,
        slow=0.2,
        stalls=0.05,
        tails=3.0,
        modes=(0.005, 0.005),
        unequal=True,
        shared=0.5,
        values=0.04,
        placement=PLACEMENT,
    ),
)


@dataclass(frozen=True, slots=True)
class Run:
    """A simulated run as a sample of raw rounds, with what is true of it."""

    sample: Sample
    truths: dict[Key, float] = field(default_factory=dict)
    """Log ratio of each cell to the reference."""
    levels: dict[str, float] = field(default_factory=dict)
    """The level of noise of each workload that has all rounds, where a scenario gives levels."""


@dataclass(frozen=True, slots=True)
class Flaws:
    """What is wrong with a run on purpose, as logarithms: its checks have to find each."""

    twin: float = 0.0
    """Ratio of identical code."""
    delay: float = float(np.log1p(DELAY))
    """Ratio of the delayed twin to the twin."""
    position: float = 0.0
    """Effect of being timed last in a round rather than first."""
    twin_drift: float = 0.0
    """Change of the twin's ratio from the first round to the last."""
    technique_drift: float = 0.0
    """Change of the ratio of the third of :data:`WHOLE`."""


def names(count: int) -> list[str]:
    """Return the names of the workloads: those of the short table come first, since they have a family of their own."""
    known = [row["workload"] for row in headline.rows() if row["workload"] != "import"]
    return [*known[:count], *(f"simulated[{number}]" for number in range(count - len(known)))]


def draw_truths(scenario: Scenario, workloads: int, draw: np.random.Generator) -> Array:
    """Draw the true log ratios, workloads x subjects. Those of the controls are set afterwards."""
    truth = np.log(draw.choice(RATIOS, size=(workloads, len(SUBJECTS))))
    if scenario.near:
        truth = np.where(draw.random(truth.shape) < 0.75, np.log(1.03), truth)
    truth[:, : 1 + len(CONTROLLED)] = 0.0
    return np.asarray(truth, dtype=np.float64)


def draw_effects(scenario: Scenario, spread: Array, processes: int, draw: np.random.Generator) -> Array:
    """Draw the log effect that each process has on each target in all rounds: workloads x subjects x processes."""
    shape = (*spread.shape, processes)
    if scenario.tails:
        noise = draw.standard_t(scenario.tails, shape) * np.sqrt((scenario.tails - 2) / scenario.tails)
    else:
        noise = draw.standard_normal(shape)
    if scenario.shared:
        loadings = draw.standard_normal((*spread.shape, 3))
        loadings /= np.sqrt((loadings**2).sum(axis=-1, keepdims=True))
        common = loadings @ draw.standard_normal((3, processes))
        noise = np.sqrt(scenario.shared) * common + np.sqrt(1 - scenario.shared) * noise
    effects = np.asarray(noise * spread[..., None], dtype=np.float64)
    common_mode, own_mode = scenario.modes
    if common_mode:
        effects += common_mode * draw.uniform(-1, 1, (*spread.shape, 1)) * draw.choice((-1.0, 1.0), processes)
    if own_mode:
        effects += own_mode * draw.choice((-1.0, 1.0), shape)
    if scenario.one_sided:
        rare = draw.random(shape) < RARE
        effects[:, 1:] += scenario.one_sided * (rare - RARE)[:, 1:]
    if scenario.values:
        of_kind = 2 * draw.binomial(DRAWS, 0.5, (len(spread), 1, processes)) / DRAWS - 1  # all subjects get the same
        effect = scenario.values * draw.choice((-1.0, 0.0, 1.0), (*spread.shape, 1))
        effect[:, : 1 + len(CONTROLLED)] = effect[:, :1]  # controls run the reference's code
        effects += effect * of_kind
    if scenario.placement:
        place = draw.standard_normal((*spread.shape, 1)) * scenario.placement / np.sqrt(2)
        place[:, SUBJECTS.index(DELAYED)] = place[:, SUBJECTS.index(TWIN)]  # they are one binary
        effects += place
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


def draw_noise(scenario: Scenario, shape: Shape, draw: np.random.Generator) -> tuple[Array, Array, Array]:
    """Draw the standard deviation of a chunk and of a process for each cell (workloads x subjects), and the levels."""
    noise = scenario.noise
    kind = np.array([subject == REFERENCE or subject in CONTROLLED for subject in SUBJECTS])
    chunk = np.where(kind, noise.control_chunk, noise.chunk) * np.ones((shape.workloads, 1))
    process = np.where(kind, noise.control_process, noise.process) * np.ones((shape.workloads, 1))
    levels = np.zeros(shape.workloads)
    if scenario.levels:
        levels = np.resize(np.asarray(scenario.levels, dtype=np.float64), shape.workloads)
        rounds = np.pi / 2 * (noise.chunk**2 + noise.control_chunk**2) / shape.rounds
        typical = np.sqrt(noise.process**2 + noise.control_process**2 + rounds)
        chunk *= levels[:, None] / typical
        process *= levels[:, None] / typical
    elif scenario.unequal:
        common = np.exp(draw.normal(0, noise.common, (shape.workloads, 1)))
        chunk *= common
        process *= common * np.exp(draw.normal(0, noise.own, process.shape))
    return chunk, process, levels


def simulate(scenario: Scenario, shape: Shape, draw: np.random.Generator, flaws: Flaws | None = None) -> Run:
    """Simulate one run. With ``flaws`` it has the controls and one technique only, which is what shows them."""
    broken = flaws or Flaws()
    count, subjects = shape.workloads, len(SUBJECTS)
    truth = draw_truths(scenario, count, draw)
    truth[:, SUBJECTS.index(DELAYED)] = np.log1p(DELAY)
    chunk, process, levels = draw_noise(scenario, shape, draw)
    there = np.ones((count, subjects), dtype=np.bool_)
    for name in (RELINKED, DELAYED):
        there[:, SUBJECTS.index(name)] = np.arange(count) % SAMPLED == 0
    if flaws is not None:
        there[:, [at for at, name in enumerate(SUBJECTS) if name in (*WHOLE, *OTHERS) and name != WHOLE[2]]] = False
    size = (count, subjects, shape.processes, shape.rounds)
    logs = draw.standard_normal(size, dtype=np.float32).astype(np.float64)
    logs *= chunk[..., None, None]
    logs += (truth[..., None] + draw_effects(scenario, process, shape.processes, draw))[..., None]
    random = draw.random((count, shape.processes, shape.rounds, subjects), dtype=np.float32)
    random[np.broadcast_to(~there[:, None, None, :], random.shape)] = 2.0  # those that take no part come last
    positions = np.moveaxis(np.argsort(np.argsort(random, axis=-1), axis=-1), -1, 1).astype(np.float64)
    first, last = draw_machine(scenario, shape.processes, shape.rounds, draw)
    if scenario.slow:
        turn = draw.integers(0, subjects + 1, (count, 1, shape.processes, shape.rounds))
        logs += np.where(positions < turn, first, last)
    else:
        logs += first
    if scenario.stalls:
        logs += np.where(draw.random(size, dtype=np.float32) < scenario.stalls, draw.exponential(1.0, size), 0.0)
    late = np.linspace(-0.5, 0.5, shape.rounds)
    logs[:, SUBJECTS.index(MOVING)] += scenario.moving * late
    twin, delayed = SUBJECTS.index(TWIN), SUBJECTS.index(DELAYED)
    logs[:, twin] += broken.twin + broken.twin_drift * late
    logs[:, delayed] += broken.twin + broken.twin_drift * late + broken.delay - np.log1p(DELAY)
    logs[:, SUBJECTS.index(WHOLE[2])] += broken.technique_drift * late
    logs += broken.position * positions / np.maximum(there.sum(axis=1) - 1, 1)[:, None, None, None]
    return as_run(scenario, shape, truth, levels, there, 100 * np.exp(logs), positions, draw)


def as_run(
    scenario: Scenario,
    shape: Shape,
    truth: Array,
    levels: Array,
    there: NDArray[np.bool_],
    times: Array,
    positions: Array,
    draw: np.random.Generator,
) -> Run:
    """Put times (ns per call) and positions, workloads x subjects x processes x rounds, into a sample."""
    run = Run(Sample("pypy-simulated" if scenario.pypy else "cpython-simulated"))
    run.sample.processes += [Process() for _ in range(shape.processes)]
    every = np.arange(shape.rounds)
    for at, workload in enumerate(names(shape.workloads)):
        slow = at % SLOW == SLOW - 1 and shape.rounds > LEAST_VISITS
        if not slow:
            run.levels[workload] = float(levels[at])
        for number, process in enumerate(run.sample.processes):
            rounds = np.sort(draw.choice(shape.rounds, LEAST_VISITS, replace=False)) if slow else every
            visited = rounds.astype(np.float64)
            for subject in np.flatnonzero(there[at]).tolist():
                key = (workload, SUBJECTS[subject])
                own = times[at, subject, number]
                process.net[key] = process.raw[key] = own[rounds] if slow else own
                place = positions[at, subject, number]
                process.position[key] = place[rounds] if slow else place
                process.number[key] = visited
        for subject in np.flatnonzero(there[at]).tolist():
            run.truths[(workload, SUBJECTS[subject])] = float(truth[at, subject])
    return run


def with_levels(scenario: Scenario, levels: Sequence[float]) -> Scenario:
    """Return the scenario with these levels of noise for the workloads, in turn, and many ratios of 1.03."""
    return replace(scenario, levels=tuple(levels), near=True)
