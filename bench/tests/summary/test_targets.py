# SPDX-License-Identifier: Apache-2.0
"""Speed targets are judged by intervals."""

from typing import Any

import numpy as np
import pytest
from cside_bench.results.rounds import Process, Sample
from cside_bench.statistics.intervals import Interval
from cside_bench.statistics.placement import NONE, Placement
from cside_bench.summary.targets import Target, judge_targets, load_targets, status

KEY, REFERENCE, BASE = ("w", "other"), ("w", "reference"), ("w", "floor")


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
    of, to = ratio.of, ratio.to
    assert to is not None

    def sample(to: tuple[str, str] = to) -> Sample:
        processes = [Process(net={of: np.full(9, 30.0 + n), to: np.full(9, 29.0)}) for n in range(5)]
        return Sample("cpython-3.13", processes)

    judged = [entry for entry in judge_targets({"cpython-3.13": sample()}, {}, {}) if entry["name"] == ratio.name]
    assert judged[0]["value"] == pytest.approx(32 / 29, rel=0.01)
    void = sample()
    void.void[ratio.of] = "for a reason"
    assert not [entry for entry in judge_targets({"cpython-3.13": void}, {}, {}) if entry["name"] == ratio.name]


def test_target_differences_are_divided() -> None:
    """A difference is given per unit of work."""
    target = Target("t", ["*"], KEY, REFERENCE, "difference", 10.0, 1.0, None, None)
    process = Process(net={KEY: np.full(3, 150.0), REFERENCE: np.full(3, 50.0)})
    assert target.observe(process) == 10.0


def test_imports_are_multiples_of_the_base_in_the_same_block() -> None:
    """A machine that is slow in one block is slow for both, so that the ratio of the block stays."""
    slow = [1.0, 3.0, 0.5, 2.0, 7.0]
    imports = {"cpython-3.13": {"cext": [1.2e6 * factor for factor in slow]}}
    bases = {"cpython-3.13": [1e6 * factor for factor in slow]}
    sample = Sample("cpython-3.13", [Process(net={KEY: np.full(3, 1.0)})] * 5)
    (found,) = [
        entry
        for entry in judge_targets({"cpython-3.13": sample}, imports, bases)
        if entry["name"].startswith("Import, C extension")
    ]
    assert (found["value"], found["unit"], found["status"]) == (pytest.approx(1.2), "", "met")
    missing = judge_targets({"cpython-3.13": sample}, imports, {"cpython-3.13": [float("nan")] * 5})
    assert not [entry for entry in missing if entry["name"].startswith("Import")]


def test_every_import_target_is_a_ratio_to_the_base() -> None:
    """No import is judged in milliseconds, which say more of the machine than of the binding."""
    imports = [target for target in load_targets() if target.of[0] == "import"]
    assert len(imports) == 5
    assert all(target.to == ("import", "base") and target.kind == "ratio" for target in imports)


def test_intervals_of_targets_contain_placement() -> None:
    """A ratio has the placement of both sides, a time half of the variance; differences follow from their terms."""
    processes = [Process(net={KEY: np.full(3, 30.0), REFERENCE: np.full(3, 20.0), BASE: np.full(3, 10.0)})] * 2
    placement = Placement(0.0002, 50)

    def of(kind: str, to: tuple[str, str] | None = REFERENCE, divide: float = 1.0) -> float:
        base = BASE if kind == "overhead" else None
        target = Target("t", ["*"], KEY, to, kind, divide, 1.0, None, None, base)
        return target.placed(processes, placement)

    assert of("ratio") == 0.0002
    assert of("value", None, 10.0) == pytest.approx(0.0001 * 3.0**2)
    assert of("difference") == pytest.approx(0.0001 * (30**2 + 20**2))
    assert of("overhead") == pytest.approx(0.0001 * (3.0**2 + 4.0**2 + 1.0**2))  # (30 - 10) / (20 - 10) is 2

    def judged(found: Placement) -> dict[str, Any]:
        ratio = next(target for target in load_targets() if target.kind == "ratio")
        assert ratio.to is not None
        sample = Sample(
            "cpython-3.13",
            [Process(net={ratio.of: np.full(9, 30.0 + n), ratio.to: np.full(9, 29.0)}) for n in range(5)],
        )
        entries = judge_targets({"cpython-3.13": sample}, {}, {}, {"cpython-3.13": found})
        return next(entry for entry in entries if entry["name"] == ratio.name)

    plain, wide = judged(NONE), judged(Placement(0.002, 50))
    assert plain["value"] == wide["value"]
    assert wide["low"] < plain["low"] < plain["high"] < wide["high"]
