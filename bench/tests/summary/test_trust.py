# SPDX-License-Identifier: Apache-2.0
"""A run is trusted or not by checks on its raw rounds."""

import math

import numpy as np
import pytest
from cside_bench.results.rounds import Process, Sample
from cside_bench.statistics.checks import Check, trustworthy
from cside_bench.summary.calls import compare
from cside_bench.summary.trust import checks_of
from cside_suite.subjects.names import SINGLE
from rounds_of_a_workload import workload
from scipy.stats import t as student_t

TWIN, RELINKED, DELAYED = "twin", "relinked", "delayed"


def sample(
    *, slope: float = 0.0, twin: float = 1.0, delayed: float = 1.05, others: dict[str, float] | None = None
) -> Sample:
    """A run of twelve workloads as it is read back, with flaws; ``others`` are further subjects."""
    draw = np.random.default_rng(17)
    found = Sample("cpython-3.13")
    subjects = {"cext": 1.0, TWIN: twin, RELINKED: 1.0, DELAYED: twin * delayed, "cffi": 2.0} | (others or {})
    for _ in range(8):
        process = Process()
        for at in range(12):
            it = workload(draw, slope, cells=len(subjects))
            speed = np.exp(np.log(it.times).mean(axis=1, keepdims=True))
            for cell, (subject, ratio) in enumerate(subjects.items()):
                key = (f"w{at}", subject)
                process.raw[key] = 100 * ratio * (it.times / speed)[cell]
                process.net[key] = process.raw[key] - 1
                process.number[key] = np.arange(24.0)
                process.position[key] = it.positions[cell]
        found.processes.append(process)
    return found


def judge(found: Sample) -> list[Check]:
    """The checks of a sample of raw rounds."""
    return checks_of(found, compare(found, "cext", frozenset({"cext", "cffi"})), "cext")


def test_a_run_is_judged_from_its_raw_rounds() -> None:
    """All checks by name, in order; an honest run is trustworthy."""
    honest = sample()
    checks = judge(honest)
    assert [check.name for check in checks] == [TWIN, RELINKED, DELAYED, "position", "drift", "machine"]
    assert [check.passed for check in checks] == [True] * 6
    assert trustworthy(checks)


@pytest.mark.parametrize(
    ("flaw", "name"), [({"slope": 0.05}, "position"), ({"twin": 1.04}, TWIN), ({"delayed": 1.0}, DELAYED)]
)
def test_a_flawed_run_names_its_flaw(flaw: dict[str, float], name: str) -> None:
    """The check that was spoiled fails, and no other check does."""
    flawed = sample(**flaw)
    checks = judge(flawed)
    assert [check.name for check in checks if check.passed is not True] == [name]
    assert not trustworthy(checks)


def test_each_technique_has_an_a_a_check_of_its_own() -> None:
    """Its twin is compared with itself, whatever the ratio of both to the reference; a bias of 4 % fails, by name."""
    honest = judge(sample(others={"twin.cffi": 2.0}))
    assert [check.name for check in honest][:4] == [TWIN, RELINKED, "twin: cffi", DELAYED]
    assert trustworthy(honest)
    biased = judge(sample(others={"twin.cffi": 2.08}))
    assert [check.name for check in biased if check.passed is not True] == ["twin: cffi"]
    assert "Identical code differs from itself by +4" in next(it.says for it in biased if it.name == "twin: cffi")
    assert not trustworthy(biased)


def test_a_technique_whose_twin_is_void_is_not_trusted() -> None:
    """The check cannot be made, and one that cannot be made does not pass."""
    found = sample(others={"twin.cffi": 2.0})
    found.void = {(f"w{at}", "twin.cffi"): "failed when it was loaded a second time: no" for at in range(12)}
    checks = judge(found)
    assert [check.name for check in checks if check.passed is None] == ["twin: cffi"]
    assert not trustworthy(checks)


def test_a_technique_that_declares_to_have_no_twin_is_told_and_trusted() -> None:
    """No control of its own is a declared gap, which does not decide."""
    found = sample()
    found.single = {"twin.cffi": f"{SINGLE}types are known by name"}
    checks = judge(found)
    missing = next(it for it in checks if it.name == "twin: cffi")
    assert missing.says == f"Not measured: cffi has no twin, since it {SINGLE}types are known by name."
    assert not missing.decides
    assert trustworthy(checks)


def test_the_margin_is_that_of_the_relinked_control() -> None:
    """It is 5 % in every workload here and the twin 0 %; without the control the twins are all there is."""
    found = sample()
    for process in found.processes:
        for at in range(12):
            process.net[(f"w{at}", RELINKED)] *= 1.05
    assert compare(found, "cext", frozenset()).margin == pytest.approx(0.05, abs=0.01)
    found = sample(twin=1.04)
    for process in found.processes:
        for at in range(12):
            del process.net[(f"w{at}", RELINKED)]
    assert compare(found, "cext", frozenset()).margin == pytest.approx(0.04, abs=0.01)


def of_techniques(found: Sample) -> dict[str, Check]:
    """The checks of each technique by name."""
    ranked = frozenset({"cext", "cffi"})
    return {it.name: it for it in checks_of(found, compare(found, "cext", ranked), "cext", ranked) if ":" in it.name}


def test_each_technique_is_judged() -> None:
    """Honest rounds pass; a technique that was not measured has no checks."""
    checks = of_techniques(sample())
    assert list(checks) == ["position: cext", "position: cffi", "drift: cffi"]
    assert all(check.passed for check in checks.values())
    assert all(check.decides for check in checks.values())
    found = sample()
    assert len(checks_of(found, compare(found, "cext", frozenset()), "cext", ["other"])) == 6


def test_techniques_share_the_level_of_their_checks() -> None:
    """The interval of each is wider for two techniques than for one, by the quantiles of Student's distribution."""
    found = sample(others={"twin.cffi": 2.0, "other": 3.0, "twin.other": 3.0})
    both = all_of(found, ["cffi", "other"])
    for process in found.processes:
        for key in [key for key in process.net if key[1].endswith("other")]:
            del process.net[key]
    one = all_of(found, ["cffi"])
    two_sided = student_t.ppf([1 - 0.05 / 4, 1 - 0.05 / 2], len(found.processes) - 1)
    assert {"twin: other", "position: other", "drift: other"} <= both.keys() - one.keys()
    for name in ("twin: cffi", "drift: cffi"):
        assert reach(both[name]) / reach(one[name]) == pytest.approx(two_sided[0] / two_sided[1])
    assert reach(both["position: cffi"]) > 1.1 * reach(one["position: cffi"])


def all_of(found: Sample, techniques: list[str]) -> dict[str, Check]:
    """All checks of a sample by name."""
    return {it.name: it for it in checks_of(found, compare(found, "cext", frozenset(techniques)), "cext", techniques)}


def reach(check: Check) -> float:
    """Half the width of the interval of a check, as a logarithm."""
    return (math.log1p(check.high) - math.log1p(check.low)) / 2


def test_a_technique_that_drifts_alone_is_found() -> None:
    """The twin is as ever, so that the checks of the controls pass; the ratio of cffi falls by 13.5 %."""
    found = sample()
    for process in found.processes:
        for at in range(12):
            drifting = np.exp(np.linspace(0, 1.5, 24) * np.log(1 - 0.135))
            process.raw[(f"w{at}", "cffi")] *= drifting
            process.net[(f"w{at}", "cffi")] *= drifting
    assert all(check.passed for check in judge(found))
    checks = of_techniques(found)
    assert checks["drift: cffi"].passed is False
    assert "which is a bias" in checks["drift: cffi"].says
    found.unsteady = {(f"w{at}", "cffi"): "moves" for at in range(12)}  # what the gate does with such cells
    assert "drift: cffi" not in of_techniques(found)


def test_a_technique_whose_place_matters_alone_is_found() -> None:
    """Only cffi takes 10 % longer when it is timed last."""
    found = sample()
    for process in found.processes:
        for at in range(12):
            key = (f"w{at}", "cffi")
            process.raw[key] = process.raw[key] * (1 + 0.1 * process.position[key] / 4)
    checks = of_techniques(found)
    assert checks["position: cffi"].passed is False
    assert checks["position: cext"].passed


def test_void_and_missing_controls_are_not_measured() -> None:
    """A void twin, or rounds without numbers and places, leave checks unmade."""
    void = sample()
    void.void = {(f"w{at}", TWIN): "differs" for at in range(12)}
    assert not trustworthy(judge(void))
    alone = sample()
    for process in alone.processes:
        process.number.clear()
        process.position.clear()
    assert [it.name for it in judge(alone) if it.passed is None] == [
        "position",
        "drift",
        "machine",
    ]
