"""The numbers of the report can be trusted: paired ratios, intervals between processes, verdicts."""

import numpy as np
import pytest
from cside_bench.rounds import Process, Sample
from cside_bench.statistics import Interval, intervals, margin, verdict
from cside_bench.targets import Target, judge_targets, load_targets, status

KEY, REFERENCE = ("w", "other"), ("w", "reference")


def simulate(draw: np.random.Generator, processes: int, effect: float) -> list[float]:
    """Ratios of ``processes`` processes with a drift that hits both alike and a process effect that hits one."""
    ratios = []
    for _ in range(processes):
        drift = draw.choice([1.0, 1.8], size=60, p=[0.7, 0.3]) * draw.uniform(0.9, 1.1)
        own = effect * draw.lognormal(0, 0.02)
        process = Process()
        process.net[REFERENCE] = 100 * drift * draw.lognormal(0, 0.05, 60)
        process.net[KEY] = 100 * drift * own * draw.lognormal(0, 0.05, 60)
        ratios.append(process.ratio(KEY, REFERENCE))
    return ratios


def test_drift_cancels_in_paired_ratios() -> None:
    """A machine that runs at half speed for a while does not move the ratio."""
    ratios = simulate(np.random.default_rng(1), 200, 1.25)
    assert np.exp(np.mean(np.log(ratios))) == pytest.approx(1.25, rel=0.01)


def test_identical_code_is_seldom_called_different() -> None:
    """Over 400 simulated runs of eight processes on identical code, under drift, at most 5 % get a faster or slower."""
    draw = np.random.default_rng(2)
    found = [verdict(it, 0.03) for it in intervals([simulate(draw, 8, 1.0) for _ in range(400)], logarithmic=True)]
    assert sum(it in {"faster", "slower"} for it in found) <= 20


def test_a_large_effect_is_found() -> None:
    """A difference of 15 % with eight processes is found in nearly every run, with the right sign."""
    draw = np.random.default_rng(3)
    found = [verdict(it, 0.03) for it in intervals([simulate(draw, 8, 1.15) for _ in range(100)], logarithmic=True)]
    assert found.count("slower") >= 95
    assert "faster" not in found


def test_intervals_cover_the_truth() -> None:
    """The 95 % interval holds the true ratio in at least 88 % of runs of eight processes (the bootstrap is short
    of few).
    """
    draw = np.random.default_rng(4)
    found = intervals([simulate(draw, 8, 1.1) for _ in range(400)], logarithmic=True)
    assert sum(it.low <= 1.1 <= it.high for it in found) >= 352


def test_one_process_has_no_interval() -> None:
    """A single process is no evidence: no bounds, and no verdict but inconclusive."""
    (found,) = intervals([[1.5]], logarithmic=True)
    assert found.value == pytest.approx(1.5)
    assert np.isnan(found.low)
    assert verdict(found, 0.03) == "inconclusive"


def test_nothing_resolved_gives_nothing() -> None:
    """A call that the JIT removed has no ratio."""
    process = Process(net={KEY: np.zeros(5), REFERENCE: np.full(5, 30.0)})
    assert np.isnan(process.ratio(KEY, REFERENCE))
    (found,) = intervals([[float("nan")] * 3], logarithmic=True)
    assert found.processes == 0


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.90, 0.96, "faster"),
        (0.90, 0.98, "inconclusive"),
        (0.98, 1.02, "equivalent"),
        (1.01, 1.05, "inconclusive"),
        (1.04, 1.05, "slower"),
        (0.5, 2.0, "inconclusive"),
    ],
)
def test_verdicts_go_by_the_whole_interval(low: float, high: float, expected: str) -> None:
    """Not the estimate but where both ends lie against the margin decides."""
    assert verdict(Interval(1.0, low, high, 10), 0.03) == expected


def test_margin_grows_with_the_noise_of_the_run() -> None:
    """The margin is 3 %, or more where the reference differs more from itself."""
    quiet = [Interval(1.0 + offset, 0, 0, 10) for offset in (-0.01, 0.0, 0.01)]
    noisy = [Interval(1.0 + offset, 0, 0, 10) for offset in (-0.2, 0.0, 0.2)]
    assert margin(quiet) == 0.03
    assert margin(noisy) > 0.15
    assert margin([]) == 0.03


def test_targets_are_judged_by_the_interval() -> None:
    """Met and missed need the whole interval on one side."""
    assert status(Interval(1.0, 0.9, 1.05, 10), 1.1) == "met"
    assert status(Interval(1.0, 0.9, 1.2, 10), 1.1) == "unresolved"
    assert status(Interval(1.3, 1.2, 1.4, 10), 1.1) == "missed"


def test_targets_file_is_sound_and_applies_to_what_was_measured() -> None:
    """Every entry parses; one whose cells are there is judged, one that is void is not."""
    targets = load_targets()
    assert all(target.kind in {"ratio", "difference", "value", "overhead"} for target in targets)
    assert all((target.to is None) == (target.kind == "value") for target in targets)
    ratio = next(target for target in targets if target.kind == "ratio")
    assert ratio.to is not None

    def sample() -> Sample:
        processes = [Process(net={ratio.of: np.full(9, 30.0 + n), ratio.to: np.full(9, 29.0)}) for n in range(5)]
        return Sample("cpython-3.13", processes)

    judged = [entry for entry in judge_targets({"cpython-3.13": sample()}, {}) if entry["name"] == ratio.name]
    assert judged[0]["value"] == pytest.approx(32 / 29, rel=0.01)
    void = sample()
    void.void[ratio.of] = "for a reason"
    assert not [entry for entry in judge_targets({"cpython-3.13": void}, {}) if entry["name"] == ratio.name]


def test_target_differences_are_divided() -> None:
    """A difference is given per unit of work."""
    target = Target("t", ["*"], KEY, REFERENCE, "difference", 10.0, 1.0, None, None)
    process = Process(net={KEY: np.full(3, 150.0), REFERENCE: np.full(3, 50.0)})
    assert target.observe(process) == 10.0
