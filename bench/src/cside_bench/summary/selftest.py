# SPDX-License-Identifier: Apache-2.0
"""``cside selftest`` checks the error rates of the method on simulated runs for which the truth is known.

Raw rounds are simulated (:mod:`cside_bench.summary.simulation`) and pass through the functions that judge real runs, in
the order in which a run calls them: the look after some of the processes (:func:`cside_bench.summary.look.decide`),
the gate for cells that are not steady
(:func:`cside_bench.summary.steady.mark`), the comparisons (:func:`cside_bench.summary.calls.compare`) and the run's
checks of itself (:func:`cside_bench.summary.trust.checks_of`). A simulated run has as many comparisons as a real one,
so that few runs are enough for rates of cells. What happens once in a run needs more of them: the interval beside each
rate says how much the runs can tell. A bound is missed if the whole 95 % interval of the simulated rate (Clopper and
Pearson's for runs, Student's over runs for cells) is beyond it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Final

import numpy as np
from cside_suite.subjects.names import DELAY, DELAYED, RELINKED, TWIN

from cside_bench.results.plan import Tier
from cside_bench.results.rounds import Sample
from cside_bench.statistics.checks import Check, trustworthy
from cside_bench.statistics.intervals import Comparison, verdict
from cside_bench.statistics.rates import Row, of_cells, of_runs
from cside_bench.statistics.selective import ALL
from cside_bench.summary import look, steady, trust
from cside_bench.summary.calls import Comparisons, Pair, compare, shown
from cside_bench.summary.simulation import (
    MOVING,
    QUANTILES,
    RANKED,
    REFERENCE,
    SCENARIOS,
    WHOLE,
    Flaws,
    Run,
    Scenario,
    Shape,
    simulate,
    with_levels,
)

Advance = Callable[[float], None]
Shares = dict[str, tuple[int, int]]
"""By what was counted: how often it happened, and of how many."""

POWER: Final = 0.9
"""Rate at which differences and flaws have to be found."""
PROCESSES: Final = (6, 8, 10, 12, 16, 20)
"""Numbers of processes for which the power is computed."""
WORKLOADS: Final = {False: 178, True: 48}
"""Workloads of a simulated run, on CPython and on PyPy. They are more than the default tier has (105 and 32), since a
simulated run has fewer bindings: so it has as many comparisons as a run of seven bindings, 3,500 and 950.
"""
TOLERANCE: Final = 1e-9
"""Difference of logarithms below which a ratio is as large as the margin."""
TYPICAL: Final = QUANTILES[len(QUANTILES) // 2]
FLAWED: Final = Flaws(twin=0.04, delay=0.0, position=0.04, twin_drift=0.04, technique_drift=0.08)
"""What is wrong with a run on purpose. The twin is off by four times what is tolerated, a technique by nearly three."""
NOTICED: Final = {
    "a biased twin": TWIN,
    "a delay that is none": DELAYED,
    "a bias by position": "position",
    "a ratio of the twin that drifts": "drift",
    "a technique that drifts": f"drift: {WHOLE[2]}",
}
"""Flaws by what they are, with the check that has to find each."""


@dataclass(frozen=True, slots=True)
class Power:
    """How often a difference as large as the margin is found, for one number of processes and one noise of the cell."""

    processes: int
    noise: float
    """Standard deviation of the cell's log ratio between processes."""
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Result:
    """The results of a self-test."""

    runs: int
    seed: int
    comparisons: dict[str, int]
    """Number of comparisons of a simulated run, by scenario."""
    rows: list[Row]
    power: list[Power]
    enough: int | None
    """Number of processes with which a difference as large as the margin is found in 90 % of the cells of typical
    noise; None if no number that was tried is enough.
    """

    @property
    def passed(self) -> bool:
        """Whether no bound is missed."""
        return all(row.passed is not False for row in self.rows)


@dataclass(frozen=True, slots=True)
class Task:
    """One simulated run: of a scenario, or for the power at one number of processes."""

    scenario: Scenario
    shape: Shape
    seed: tuple[int, ...]
    power: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What was counted in one run."""

    comparisons: int
    shares: Shares
    events: dict[str, bool]


def shape_of(scenario: Scenario, processes: int | None = None) -> Shape:
    """Return the size of a run of the default tier; ``processes`` replaces that of CPython."""
    tier = Tier.named("default").of("pypy" if scenario.pypy else "cpython")
    blocks = processes if processes is not None and not scenario.pypy else tier.blocks
    return Shape(WORKLOADS[scenario.pypy], blocks, tier.rounds)


def judge(run: Run, after: int = 0) -> tuple[Comparisons, list[Check]]:
    """Judge a simulated run as a real one is judged, with a look ``after`` some of its processes; 0 for none.

    What a look decides is taken out of the processes after it, as if they had never measured it.
    """
    sample, looked = run.sample, None
    if after and after < len(sample.processes):
        early = Sample(sample.label, sample.processes[:after])
        steady.mark(early, REFERENCE)
        looked = look.decide(early, REFERENCE, RANKED, len(sample.processes), shown())
        for process in sample.processes[after:]:
            for measured in (process.net, process.raw, process.position, process.number):
                for key in [key for key in measured if key in looked.decided]:
                    del measured[key]
    steady.mark(sample, REFERENCE)
    found = compare(sample, REFERENCE, RANKED, looked)
    return found, trust.checks_of(sample, found, REFERENCE, RANKED)


def share(happened: Iterable[bool]) -> tuple[int, int]:
    """Return how often something is true, and of how many."""
    values = list(happened)
    return sum(values), len(values)


def true_ratio(run: Run, pair: Pair) -> float:
    """Return the true log ratio of a pair."""
    return run.truths[(pair.workload, pair.first)] - run.truths[(pair.workload, pair.second)]


def wrong(judgement: str, truth: float, margin: float) -> bool:
    """Whether a verdict says of a true log ratio what it is not; to be inconclusive is never wrong."""
    limit = math.log1p(margin)
    return (
        (judgement == "faster" and truth > -limit - TOLERANCE)
        or (judgement == "slower" and truth < limit + TOLERANCE)
        or (judgement == "equivalent" and abs(truth) > limit + TOLERANCE)
    )


def inside(compared: Comparison, truth: float, *, adjusted: bool) -> bool:
    """Whether the interval holds the true log ratio."""
    low, high = (compared.adjusted_low, compared.adjusted_high) if adjusted else (compared.low, compared.high)
    return low <= math.exp(truth) <= high


def run_task(task: Task) -> Judged:
    """Simulate and judge one run. It runs in a process of its own, so it takes and returns plain data."""
    draw = np.random.default_rng(task.seed)
    run = simulate(task.scenario, task.shape, draw)
    if task.power:
        return of_power(run, task.scenario)
    found, checks = judge(run, Tier.named("default").of(run.sample.label).look)
    sample = run.sample
    rows = [
        (pair, it, true_ratio(run, pair), verdict(it, found.margin))
        for pair, it in found.found.items()
        if math.isfinite(it.adjusted_low)
    ]
    to_reference = [row for row in rows if row[0].second == REFERENCE]
    against = {name: [row for row in to_reference if row[0].first == name] for name in (TWIN, RELINKED)}
    identical = against[TWIN] + against[RELINKED]
    decided = [row for row in rows if row[3] != "inconclusive"]
    delayed = [row for row in rows if (row[0].first, row[0].second) == (DELAYED, TWIN)]
    slower = [row for row in rows if row[0].first != DELAYED and abs(row[2] - math.log1p(DELAY)) < TOLERANCE]
    shown = [row for row in rows if row[1].guarantee == ALL and row[0].first in WHOLE and row[0].second == REFERENCE]
    moving = [key for key in sample.cells() if task.scenario.moving and key[1] == MOVING]
    others = [key for key in sample.cells() if key not in set(moving)]
    shares = {
        "missed": share(not inside(it, truth, adjusted=True) for _, it, truth, _ in decided),
        "wrong": share(wrong(says, truth, found.margin) for _, _, truth, says in rows),
        "identical": share(says in {"faster", "slower"} for _, _, _, says in identical),
        "alone": share(inside(it, truth, adjusted=False) for _, it, truth, _ in rows),
        "alone twin": share(inside(it, truth, adjusted=False) for _, it, truth, _ in identical),
        "inconclusive": share(
            says == "inconclusive" for pair, _, _, says in rows if pair.first in RANKED and pair.second in RANKED
        ),
        "delay": share(says == "slower" for _, _, _, says in delayed),
        "slower": share(says == "slower" for _, _, _, says in slower),
        "gated": share(not sample.usable(key) for key in others),
    }
    events = {
        "identical": any(says in {"faster", "slower"} for _, _, _, says in identical),
        "headline": all(inside(it, truth, adjusted=True) for _, it, truth, _ in shown),
        "distrusted": not trustworthy(checks),
    }
    if moving:
        shares["moving"] = share(not sample.usable(key) for key in moving)
        its = [check for check in checks if check.name == f"drift: {MOVING}"]
        events["moving"] = all(not sample.usable(key) for key in moving) or any(it.passed is False for it in its)
    _, failed = judge(simulate(task.scenario, task.shape, draw, FLAWED))
    events |= {
        flaw: any(check.name == name and check.passed is not True for check in failed) for flaw, name in NOTICED.items()
    }
    return Judged(found.size, shares, events)


def of_power(run: Run, scenario: Scenario) -> Judged:
    """Count how often a true ratio of 1.03 to the reference is found different, by the level of noise."""
    found = compare(run.sample, REFERENCE, RANKED)
    near = [
        (run.levels.get(pair.workload), it.found)
        for pair, it in found.found.items()
        if pair.second == REFERENCE and pair.first in WHOLE and abs(true_ratio(run, pair) - math.log(1.03)) < TOLERANCE
    ]
    shares = {str(level): share(seen for its, seen in near if its == level) for level in scenario.levels}
    return Judged(found.size, shares, {})


def rows_of(scenario: Scenario, runs: Sequence[Judged]) -> list[Row]:
    """Make the rows of one scenario from its runs."""
    name = scenario.name
    promised = not scenario.one_sided  # only symmetric noise fulfils the assumptions

    def cells(measure: str, what: str, **bounds: float) -> Row:
        counted = [run.shares[what] for run in runs]
        return of_cells(name, measure, [part / whole for part, whole in counted if whole], **bounds)

    def events(measure: str, what: str, **bounds: float) -> Row:
        return of_runs(name, measure, [run.events[what] for run in runs], **bounds)

    most, least, alone = ({"most": 0.05}, {"least": 0.95}, {"least": 0.93, "most": 0.97}) if promised else ({}, {}, {})
    flaws = [] if scenario.moving else [events(f"a flaw is noticed: {flaw}", flaw, least=POWER) for flaw in NOTICED]
    moving = (
        [
            cells("a cell of the subject that moves is taken out", "moving", least=POWER),
            events("the rest of them fail the technique's check, or none is left", "moving", least=POWER),
        ]
        if scenario.moving
        else [events("the run calls itself not trustworthy", "distrusted", **most)]
    )
    return [
        cells("a deciding interval misses the truth", "missed", **most),
        cells("a verdict is false", "wrong", **most),
        cells("identical code is called faster or slower, of cells", "identical", **most),
        events("identical code is called faster or slower, of runs", "identical"),
        events("all headline intervals hold the truth", "headline", **least),
        cells("an interval alone holds the truth", "alone", **alone),
        cells("an interval alone holds the truth, identical code", "alone twin"),
        cells("a pair of bindings is inconclusive", "inconclusive"),
        cells("the delay of 5 % is called slower", "delay"),
        cells("+5 % is called slower", "slower"),
        cells("a steady cell is taken out", "gated", most=0.01),
        *moving,
        *flaws,
    ]


def tasks_of(runs: int, seed: int, processes: int | None, scenarios: Sequence[Scenario]) -> list[Task]:
    """Return the runs to simulate: ``runs`` of each scenario, and a few for each number of processes for the power."""
    found = [
        Task(scenario, shape_of(scenario, processes), (seed, at, number))
        for at, scenario in enumerate(scenarios)
        for number in range(runs)
    ]
    near, size = with_levels(SCENARIOS[0], QUANTILES), shape_of(SCENARIOS[0])
    counts = sorted({*PROCESSES, shape_of(SCENARIOS[0], processes).processes})
    for count in counts:
        shape = Shape(size.workloads, count, size.rounds)
        found += [
            Task(near, shape, (seed, len(scenarios) + count, number), True) for number in range(max(2, runs // 2))
        ]
    return found


def done(tasks: Sequence[Task], workers: int) -> Iterator[tuple[Task, Judged]]:
    """Run the tasks, and give each result when it is there."""
    if workers == 1:
        yield from ((task, run_task(task)) for task in tasks)
        return
    with ProcessPoolExecutor(workers) as pool:
        waiting = {pool.submit(run_task, task): task for task in tasks}
        for future in as_completed(waiting):
            yield waiting[future], future.result()


def selftest(
    runs: int,
    seed: int,
    processes: int | None = None,
    *,
    workers: int = 1,
    scenarios: Sequence[Scenario] = SCENARIOS,
    advance: Advance = lambda part: None,
) -> Result:
    """Simulate ``runs`` runs of each scenario; ``advance`` receives the share that each run is of all."""
    tasks = tasks_of(runs, seed, processes, scenarios)
    found: dict[Task, Judged] = {}
    for task, judged in done(tasks, workers):
        found[task] = judged
        advance(1 / len(tasks))
    ordered = [(task, found[task]) for task in tasks]
    rows, comparisons = [], {}
    for scenario in scenarios:
        its = [judged for task, judged in ordered if task.scenario == scenario and not task.power]
        rows += rows_of(scenario, its)
        comparisons[scenario.name] = int(np.median([judged.comparisons for judged in its]))
    power = powers([(task, judged) for task, judged in ordered if task.power])
    typical = [it for it in power if it.noise == TYPICAL]
    reached = [it for it in typical if it.rate >= POWER]
    ten = next(it for it in typical if it.processes == shape_of(SCENARIOS[0], processes).processes)
    measure = f"+3 %, the margin, is found in the typical cell, with {ten.processes} processes"
    rows.append(Row("power", measure, ten.rate, ten.low, ten.high, least=POWER))
    return Result(runs, seed, comparisons, rows, power, reached[0].processes if reached else None)


def powers(judged: Sequence[tuple[Task, Judged]]) -> list[Power]:
    """Return the power by the number of processes and the noise of a cell."""
    shares: dict[tuple[int, float], list[float]] = {}
    for task, run in judged:
        for level, (part, whole) in numbered(run.shares).items():
            if whole:
                shares.setdefault((task.shape.processes, level), []).append(part / whole)
    found = []
    for (count, level), its in sorted(shares.items()):
        row = of_cells("", "", its)
        found.append(Power(count, level, row.rate, row.low, row.high))
    return found


def numbered(shares: Mapping[str, tuple[int, int]]) -> dict[float, tuple[int, int]]:
    """Return shares by the level of noise, which is a number."""
    return {float(name): value for name, value in shares.items()}
