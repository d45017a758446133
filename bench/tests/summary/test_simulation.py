# SPDX-License-Identifier: Apache-2.0
"""Simulated runs have the size and the noise of real ones, and what is true of them is known."""

import numpy as np
import pytest
from cside_bench.results.rounds import Sample
from cside_bench.statistics.intervals import expected_spread
from cside_bench.summary.calls import pairs_of, shown
from cside_bench.summary.simulation import (
    CONTROLLED,
    LEAST_VISITS,
    MOVING,
    RANKED,
    REFERENCE,
    SCENARIOS,
    WHOLE,
    Flaws,
    Run,
    Scenario,
    Shape,
    simulate,
)
from cside_suite.subjects.names import DELAYED, TWIN
from numpy.typing import NDArray

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


SMALL = Shape(40, 10, 20)


def of(name: str, shape: Shape = SMALL, seed: int = 1, flaws: Flaws | None = None) -> Run:
    """A simulated run of one scenario."""
    return simulate(BY_NAME[name], shape, np.random.default_rng(seed), flaws)


def logs(sample: Sample, subject: str, other: str = REFERENCE) -> NDArray[np.float64]:
    """Log ratios of a subject, workloads x processes."""
    names = [workload for workload, name in sample.cells() if name == subject]
    return np.log([[it.ratio((name, subject), (name, other)) for it in sample.processes] for name in names])


def test_a_run_has_the_size_of_a_real_one() -> None:
    """About three thousand comparisons on CPython, with every headline row, and all kinds of pairs."""
    run = of("unequal", Shape(167, 6, 5))
    pairs = pairs_of(run.sample, REFERENCE, RANKED)
    assert 3_000 < len(pairs) < 3_500
    assert shown() - {"import"} <= {pair.workload for pair in pairs}
    assert {(pair.first, pair.second) for pair in pairs} >= {(DELAYED, TWIN), ("one.setting", "one"), ("one", "two")}
    assert set(run.truths) == set(run.sample.cells())


@pytest.mark.parametrize(("name", "shape", "typical", "round_sd", "twin"), [
    ("unequal", Shape(167, 10, 20), 0.022, 0.071, 0.0142),
    ("pypy", Shape(100, 6, 96), 0.031, 0.145, 0.034),
])  # fmt: skip
def test_the_noise_is_that_of_a_real_run(name: str, shape: Shape, typical: float, round_sd: float, twin: float) -> None:
    """Between processes and between rounds, for the median cell and for the twin."""
    sample = of(name, shape).sample
    spread = np.concatenate([logs(sample, subject).std(axis=1, ddof=1) for subject in WHOLE])
    assert np.median(spread) == pytest.approx(typical, rel=0.15)
    assert np.median(logs(sample, TWIN).std(axis=1, ddof=1)) == pytest.approx(twin, rel=0.2)
    rounds = []
    for workload in {key[0] for key in sample.cells()}:
        pairs = [it.rounds_of((workload, WHOLE[0]), (workload, REFERENCE)) for it in sample.processes]
        rounds.append(expected_spread(pairs) * np.sqrt(len(pairs[0]) * 2 / np.pi))
    assert np.median(rounds) == pytest.approx(round_sd, rel=0.15)


def test_the_mean_ratio_is_the_true_one() -> None:
    """Under drift of the machine too, and where the values that a process draws change its ratio."""
    for name in ("drift", "values"):
        run = of(name, Shape(20, 200, 12))
        for subject in (*CONTROLLED, *WHOLE):
            for workload in [workload for workload, its in run.truths if its == subject]:
                found = [it.ratio((workload, subject), (workload, REFERENCE)) for it in run.sample.processes]
                error = np.std(np.log(found)) / np.sqrt(len(found))
                assert abs(np.mean(np.log(found)) - run.truths[(workload, subject)]) < 5 * error + 0.002


def test_placement_is_the_same_in_all_processes() -> None:
    """The means of identical code spread more than their own errors; the delayed twin is the twin's binary."""
    run = of("placement", Shape(300, 10, 20))
    found = logs(run.sample, TWIN)
    excess = np.mean(found.mean(axis=1) ** 2) - np.mean(found.var(axis=1, ddof=1) / found.shape[1])
    assert np.sqrt(excess) == pytest.approx(0.009, rel=0.2)
    delayed = logs(run.sample, DELAYED, TWIN) - np.log(1.05)
    excess = np.mean(delayed.mean(axis=1) ** 2) - np.mean(delayed.var(axis=1, ddof=1) / delayed.shape[1])
    assert excess < 0.003**2


def test_one_subject_moves() -> None:
    """Its ratio changes during the rounds, and no other does."""
    sample = of("moving").sample
    change = {}
    for subject in (MOVING, WHOLE[0], TWIN):
        pairs = [
            np.log(it.rounds_of((workload, subject), (workload, REFERENCE)))
            for it in sample.processes
            for workload, name in sample.cells()
            if name == subject
        ]
        change[subject] = np.mean([its[-6:].mean() - its[:6].mean() for its in pairs if len(its) > LEAST_VISITS])
    assert change[MOVING] == pytest.approx(BY_NAME["moving"].moving * 14 / 19, rel=0.05)
    assert max(abs(change[WHOLE[0]]), abs(change[TWIN])) < 0.01


def test_places_are_drawn_among_the_subjects_of_a_workload() -> None:
    """A round of a workload has every place once, however many subjects take part; slow workloads have few rounds."""
    sample = of("quiet", Shape(12, 2, 8)).sample
    visits = set()
    for workload in {key[0] for key in sample.cells()}:
        for process in sample.processes:
            table = np.vstack([its for key, its in process.position.items() if key[0] == workload])
            assert (np.sort(table, axis=0) == np.arange(len(table))[:, None]).all()
            visits.add(table.shape[1])
    assert visits == {LEAST_VISITS, 8}


def test_flaws_are_as_large_as_they_say() -> None:
    """A biased twin, a delay that is none, and no technique but the one that shows a drift."""
    run = of("quiet", Shape(100, 10, 20), flaws=Flaws(twin=0.04, delay=0.0, technique_drift=0.1))
    assert {subject for _, subject in run.sample.cells()} == {REFERENCE, *CONTROLLED, WHOLE[2]}
    assert np.mean(logs(run.sample, TWIN)) == pytest.approx(0.04, abs=0.002)
    assert np.mean(logs(run.sample, DELAYED, TWIN)) == pytest.approx(0.0, abs=0.003)


def test_scenarios_have_names_of_their_own() -> None:
    """Rows are found by them."""
    assert len(BY_NAME) == len(SCENARIOS)
    assert Scenario("x", "y") == Scenario("x", "y")
