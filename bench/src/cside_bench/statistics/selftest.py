# SPDX-License-Identifier: Apache-2.0
"""``cside selftest`` checks the error rates of the statistics on simulated runs for which the truth is known.

Raw rounds are simulated (:mod:`cside_bench.statistics.simulation`) and pass through the functions that judge real runs:
paired ratios, their intervals and verdicts (:mod:`cside_bench.statistics.intervals`), and the run's own checks
(:mod:`cside_bench.statistics.checks`). A bound is missed if the whole 95 % interval of the simulated rate
(Clopper-Pearson for runs, Student's over runs for cells) is beyond it.

False differences and coverage are those of the simulated family. An interval moves with the true ratio and keeps its
width, so "all adjusted intervals hold the truth" also bounds the false differences of a family in which all cells are
identical. Whether a difference is *found* is judged as in a real run with 1,500 comparisons, since a smaller family
would give better rates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from cside_bench.statistics.checks import Check, Rounds, delay, drift, position, same_code
from cside_bench.statistics.intervals import SMALLEST_MARGIN, Comparison, simultaneous, verdict
from cside_bench.statistics.simulation import (
    EFFECTS,
    PROCESS_SD,
    ROUND_SD,
    SCENARIOS,
    TYPICAL,
    WORKLOADS,
    Run,
    Scenario,
    ratios,
    simulate,
    with_levels,
)
from cside_bench.statistics.student import student

Array = NDArray[np.float64]
Advance = Callable[[float], None]

REAL_FAMILY: Final = 1_500
"""Number of comparisons of one interpreter in a real run."""
JUDGED: Final = 10
"""One of this many runs is also judged as a whole, and once more with each flaw built in."""
POWER: Final = 0.9
"""Rate at which differences and flaws have to be found."""
PROCESSES: Final = (8, 10, 12, 14, 16, 20, 24, 30)
"""Numbers of processes for which the power is computed."""
LEVEL_ROUNDS: Final = 36
"""Number of rounds of the run from which the levels of noise are taken."""
FLAW: Final = 0.04
"""Size of the flaws that the checks have to find: four times the bias that they tolerate."""
TWIN, SECOND, SLOWER_1, SLOWER_3, SLOWER_5 = range(len(EFFECTS))


@dataclass(frozen=True, slots=True)
class Row:
    """One simulated rate with its 95 % interval. ``least`` and ``most`` are bounds of the rate; None means no bound."""

    scenario: str
    measure: str
    rate: float
    low: float
    high: float
    least: float | None = None
    most: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the interval of the rate reaches its bounds; None without bounds."""
        if self.least is None and self.most is None:
            return None
        return self.high >= (self.least or 0.0) and self.low <= (1.0 if self.most is None else self.most)


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
    processes: int
    rounds: int
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


def of_runs(scenario: str, measure: str, happened: Sequence[bool], **bounds: float) -> Row:
    """Make the row of the rate of runs in which something happened."""
    found = stats.binomtest(sum(happened), len(happened)).proportion_ci(method="exact")
    return Row(scenario, measure, float(np.mean(happened)), float(found.low), float(found.high), **bounds)


def of_cells(scenario: str, measure: str, shares: Sequence[float], **bounds: float) -> Row:
    """Make the row of the rate of cells, from the share in each run, since cells of one run are not independent."""
    found = student(shares)
    return Row(scenario, measure, found.value, max(found.low, 0.0), min(found.high, 1.0), **bounds)


def inside(compared: Comparison, truth: float, *, adjusted: bool) -> bool:
    """Whether the interval holds the true ratio."""
    if adjusted:
        return compared.adjusted_low <= truth <= compared.adjusted_high
    return compared.low <= truth <= compared.high


def directed(compared: Comparison) -> bool:
    """Whether the verdict is faster or slower, with the smallest margin."""
    return verdict(compared, SMALLEST_MARGIN) in {"faster", "slower"}


def share(happened: Sequence[bool]) -> float:
    """Return the share of true values."""
    return sum(happened) / len(happened)


def try_scenario(
    scenario: Scenario, runs: int, processes: int, rounds: int, draw: np.random.Generator, advance: Advance
) -> list[Row]:
    """Simulate and judge ``runs`` runs of one scenario."""
    rates: dict[str, list[Any]] = {}

    def note(measure: str, value: float | bool) -> None:
        rates.setdefault(measure, []).append(value)

    judgements: list[dict[str, bool]] = []
    for number in range(runs):
        run = simulate(scenario, processes, rounds, draw)
        logs, spread = ratios(run, slice(1, None), 0)
        table, expected = logs.reshape(-1, processes), spread.reshape(-1)
        found = simultaneous(table, expected=expected)
        truths = np.tile(1 + np.asarray(EFFECTS), len(logs)).tolist()
        by_subject = [found[at :: len(EFFECTS)] for at in range(len(EFFECTS))]
        identical = by_subject[TWIN] + by_subject[SECOND]
        note("false", any(it.found for it in identical))
        note("verdict", any(directed(it) for it in identical))
        note("all", all(inside(it, truth, adjusted=True) for it, truth in zip(found, truths, strict=True)))
        note("alone", share([inside(it, truth, adjusted=False) for it, truth in zip(found, truths, strict=True)]))
        note("1 %", share([not directed(it) for it in by_subject[SLOWER_1]]))
        real = simultaneous(table, expected=expected, comparisons=REAL_FAMILY)
        note("3 %", share([it.found for it in real[SLOWER_3 :: len(EFFECTS)]]))
        note("5 %", share([it.found for it in real[SLOWER_5 :: len(EFFECTS)]]))
        note("slower", share([verdict(it, SMALLEST_MARGIN) == "slower" for it in real[SLOWER_5 :: len(EFFECTS)]]))
        if number % JUDGED == 0:
            judgements.append(judge_simulated(run, logs, by_subject[TWIN], rounds))
        advance(1 / runs)
    name = scenario.name
    family_size, identical_cells = WORKLOADS * len(EFFECTS), WORKLOADS * 2
    finds = {"least": POWER} if scenario.typical else {}
    promised = not scenario.one_sided  # only symmetric noise fulfils the assumption behind found differences
    false, family, alone = (
        ({"most": 0.05}, {"least": 0.95}, {"least": 0.93, "most": 0.97}) if promised else ({}, {}, {})
    )
    return [
        of_runs(name, f"a difference found among {identical_cells} identical cells", rates["false"], **false),
        of_runs(name, "one of them called faster or slower", rates["verdict"], most=0.05),
        of_runs(name, f"all {family_size} adjusted intervals hold the truth", rates["all"], **family),
        of_cells(name, "an interval alone holds the truth", rates["alone"], **alone),
        of_cells(name, "+1 % is called equivalent or inconclusive", rates["1 %"], least=0.95),
        of_cells(name, "+5 % is found", rates["5 %"], **finds),
        of_cells(name, "+5 % is called slower", rates["slower"]),
        of_cells(name, "+3 %, the margin, is found", rates["3 %"]),
        of_runs(name, "the run calls itself not trustworthy", [it["honest"] for it in judgements], most=0.05),
        *(of_runs(name, f"a flaw is noticed: {flaw}", [it[flaw] for it in judgements], least=POWER) for flaw in FLAWS),
    ]


FLAWS: Final = ("a biased twin", "a delay that is none", "a bias by position", "a ratio that drifts")
"""Flaws that are built into simulated runs. Each is 4 %, except the second, in which the delay of 5 % is missing."""


def judge_simulated(run: Run, logs: Array, compared: Sequence[Comparison], rounds: int) -> dict[str, bool]:
    """Return whether the checks fail for a run without flaws, and whether they fail for each of the flaws."""
    delayed, spread = ratios(run, 1 + SLOWER_5, 1 + TWIN)
    family = simultaneous(delayed, expected=spread)
    twin = logs[:, TWIN]
    numbers = np.arange(rounds, dtype=np.float64)
    paired = run.times[:, 1 + TWIN] / run.times[:, 0]
    last = run.times.shape[1] - 1
    honest = [
        same_code("twin", twin, compared),
        delay(delayed, family),
        position(shuffled(run.times, run.positions)),
        drift(rounds_of(numbers, paired)),
    ]
    flawed = [
        same_code("twin", twin + FLAW, simultaneous(twin + FLAW)),
        delay(delayed - np.log1p(EFFECTS[SLOWER_5]), family),
        position(shuffled(run.times * np.exp(FLAW * run.positions / last), run.positions)),
        drift(rounds_of(numbers, paired * np.exp(FLAW * numbers / numbers[-1]))),
    ]
    return {"honest": any(failed(it) for it in honest)} | {
        name: failed(it) for name, it in zip(FLAWS, flawed, strict=True)
    }


def failed(check: Check) -> bool:
    """Whether a check failed; a check that was not made counts as failed."""
    return check.passed is not True


def shuffled(times: Array, positions: Array) -> list[list[Rounds]]:
    """Return the rounds of each process by workload."""
    return [
        [Rounds(times[at, :, process], positions[at, :, process]) for at in range(len(times))]
        for process in range(times.shape[2])
    ]


def rounds_of(numbers: Array, paired: Array) -> list[list[tuple[Array, Array]]]:
    """Return (round numbers, ratios) of each process by workload."""
    return [[(numbers, paired[at, process]) for at in range(len(paired))] for process in range(paired.shape[1])]


def try_power(
    runs: int, rounds: int, counts: Sequence[int], draw: np.random.Generator, advance: Advance
) -> list[Power]:
    """Compute how often a true difference of 3 % is found, by the number of processes and the noise of the cell."""
    typical = float(np.sqrt(PROCESS_SD**2 + np.pi / 2 * ROUND_SD**2 / LEVEL_ROUNDS))
    scenario = with_levels(SCENARIOS[0], [level / typical for level in TYPICAL])
    found = []
    for count in counts:
        shares: list[list[float]] = [[] for _ in TYPICAL]
        noise: list[float] = []
        for _ in range(runs):
            run = simulate(scenario, count, rounds, draw)
            logs, spread = ratios(run, slice(1, None), 0)
            family = simultaneous(logs.reshape(-1, count), expected=spread.reshape(-1), comparisons=REAL_FAMILY)
            slower = family[SLOWER_3 :: len(EFFECTS)]
            for at, its in enumerate(shares):
                its.append(share([it.found for it in slower[at :: len(TYPICAL)]]))
            noise = run.noise[: len(TYPICAL)].tolist()
            advance(1 / runs)
        for sd, its in zip(noise, shares, strict=True):
            row = of_cells("", "", its)
            found.append(Power(count, sd, row.rate, row.low, row.high))
    return found


def selftest(runs: int, seed: int, processes: int, rounds: int, *, advance: Advance = lambda share: None) -> Result:
    """Simulate ``runs`` runs of each scenario, and a tenth as many for power; ``advance`` receives the parts done."""
    sources = np.random.default_rng(seed).spawn(len(SCENARIOS) + 1)
    rows = []
    for scenario, draw in zip(SCENARIOS, sources, strict=False):
        rows += try_scenario(scenario, runs, processes, rounds, draw, advance)
    counts = sorted({processes, *PROCESSES})
    power = try_power(max(runs // 10, 10), rounds, counts, sources[-1], advance)
    middle = sorted({it.noise for it in power})[len(TYPICAL) // 2]
    typical = [it for it in power if it.noise == middle]
    reached = [it for it in typical if it.rate >= POWER]
    best = reached[0] if reached else typical[-1]
    measure = f"+3 %, the margin, is found in the typical cell, with {best.processes} processes"
    rows.append(Row("power", measure, best.rate, best.low, best.high, least=POWER))
    return Result(runs, seed, processes, rounds, rows, power, reached[0].processes if reached else None)


def parts(processes: int) -> int:
    """Return the sum of the parts that ``advance`` receives."""
    return len(SCENARIOS) + len({processes, *PROCESSES})


def percent(rate: float) -> str:
    """Format a rate as a percentage without its sign."""
    return f"{100 * rate:.1f}"


def bounds(row: Row) -> str:
    """Format the bounds of a row as percentages."""
    if row.least is not None and row.most is not None:
        return f"{100 * row.least:g} to {100 * row.most:g}"
    if row.least is not None:
        return f"≥ {100 * row.least:g}"
    return f"≤ {100 * row.most:g}" if row.most is not None else ""
