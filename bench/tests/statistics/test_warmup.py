# SPDX-License-Identifier: Apache-2.0
"""Warm-up is told from noise: steady states are found where they begin, and a slow machine is no slow compiler."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from cside_bench.statistics import warmup
from cside_bench.statistics.warmup import Aligned, Array, Series, agree, classify, slowness, steady_cells

CALLS = 1_000.0
WARM, ROUNDS = 110, 40


def series(draw: np.random.Generator, levels: Array, *, rounds_from: int = WARM, noise: float = 0.02) -> Series:
    """A process with these ns per call, chunk by chunk, and noise whose tail is on the slow side."""
    tail = np.where(draw.random(len(levels)) < 0.05, draw.uniform(1.2, 2.0, len(levels)), 1.0)
    per_call = levels * draw.lognormal(0, noise, len(levels)) * tail
    return Series(20_000.0, np.full(len(levels), CALLS), per_call * CALLS, rounds_from)


def flat(size: int = WARM + ROUNDS) -> Array:
    """100 ns throughout."""
    return np.full(size, 100.0)


def warming(until: int = 20) -> Array:
    """400 ns, then 250, one chunk of compiling, and 100 from chunk ``until`` on."""
    levels = flat()
    levels[: until // 2], levels[until // 2 : until - 1], levels[until - 1] = 400, 250, 3_000
    return levels


def slowing() -> Array:
    """100 ns, and 150 from chunk 60 on."""
    levels = flat()
    levels[60:] = 150
    return levels


def restless(draw: np.random.Generator) -> Array:
    """A new level every 12 chunks, to the end."""
    levels = draw.permutation(np.geomspace(100, 300, 13))
    return np.repeat(levels, 12)[: WARM + ROUNDS]


def with_spells(draw: np.random.Generator, levels: Array) -> Array:
    """The same on a machine that is slower by half or two for two spells of 6 to 9 chunks."""
    slow = levels.copy()
    for start in draw.integers(0, len(levels) - 10, size=2):
        slow[start : start + draw.integers(6, 10)] *= draw.uniform(1.5, 2.0)
    return slow


@pytest.mark.parametrize(
    ("kind", "levels"), [("flat", flat()), ("warmup", warming()), ("slowdown", slowing())], ids=lambda it: str(it)[:8]
)
def test_each_class_is_told(kind: str, levels: Array) -> None:
    """In at least 90 of 100 processes. One in twenty chunks is slow by chance, and so is the first of some."""
    draw = np.random.default_rng(1)
    assert sum(classify(series(draw, levels)).kind == kind for _ in range(100)) >= 90


def test_no_steady_state_is_a_verdict() -> None:
    """A series that keeps changing has none, and no time to it."""
    draw = np.random.default_rng(2)
    found = [classify(series(draw, restless(draw), rounds_from=0)) for _ in range(100)]
    assert sum(it.kind == "no steady state" for it in found) >= 95
    assert all(np.isnan(it.after_ns) for it in found if it.kind == "no steady state")


@pytest.mark.parametrize("until", [4, 20, 75])
def test_the_time_to_steady_state_is_what_was_spent_before_it(until: int) -> None:
    """In calls, for most processes exactly; in ns the first call and every chunk before, compiling included."""
    draw = np.random.default_rng(3)
    exact = 0
    for _ in range(100):
        process = series(draw, warming(until))
        found = classify(process)
        exact += found.after_calls == 1 + until * CALLS
        assert found.after_ns == pytest.approx(20_000 + process.ns[: found.start].sum())
    assert exact >= 85


def test_a_cold_first_chunk_is_warm_up() -> None:
    """One slow chunk at the very start is not mistaken for an outlier."""
    levels = flat()
    levels[0] = 900
    found = classify(series(np.random.default_rng(4), levels))
    assert (found.kind, found.start) == ("warmup", 1)


def test_a_spell_of_the_machine_is_no_warm_up() -> None:
    """Processes that were slowed down by half for a while, each at another time: the cell is flat."""
    draw = np.random.default_rng(5)
    for _ in range(20):
        (cell,) = steady_cells({("w", "s"): [series(draw, with_spells(draw, flat())) for _ in range(8)]})
        assert cell["classification"] == "flat"


def test_warm_up_is_found_through_spells() -> None:
    """The same machine, and a cell that does warm up: it is said so, with the right number of calls."""
    draw = np.random.default_rng(6)
    right = 0
    for _ in range(20):
        (cell,) = steady_cells({("w", "s"): [series(draw, with_spells(draw, warming())) for _ in range(8)]})
        assert cell["classification"] == "warmup"
        right += cell["steady_after_calls"]["value"] == 1 + 20 * CALLS
    assert right >= 18


def test_what_slows_all_cells_alike_is_divided_out() -> None:
    """A machine that is slower for the whole latter half looks like a slowdown, unless the neighbours are known."""
    draw = np.random.default_rng(7)
    machine = np.where(np.arange(80) < 40, 1.0, 1.7)
    cells = [series(draw, level * machine, rounds_from=0) for level in (10.0, 50.0, 100.0, 700.0, 2_000.0)]
    assert {classify(cell).kind for cell in cells} == {"slowdown"}
    factor = slowness(np.vstack([cell.ns_per_call for cell in cells]))
    known = [Series(cell.first_call_ns, cell.calls, cell.ns, 0, factor) for cell in cells]
    assert {classify(cell).kind for cell in known} == {"flat"}


def test_a_single_cell_that_changes_is_not_divided_out() -> None:
    """Four steady neighbours do not hide that the fifth gets slower."""
    draw = np.random.default_rng(8)
    cells = [series(draw, level * np.ones(80), rounds_from=0) for level in (10.0, 50.0, 700.0, 2_000.0)]
    changing = series(draw, np.where(np.arange(80) < 40, 100.0, 150.0), rounds_from=0)
    factor = slowness(np.vstack([cell.ns_per_call for cell in [*cells, changing]]))
    assert classify(Series(0.0, changing.calls, changing.ns, 0, factor)).kind == "slowdown"


def test_slowness_needs_neighbours() -> None:
    """Rounds with fewer than three cells tell nothing about the machine, and neither does one that takes no time."""
    members = np.full((5, 5), 100.0)
    members[:2, 3] = np.nan
    members[:, 4] = 150
    members[4] = 0
    assert slowness(members).tolist() == [1, 1, 1, 1, 1.5]


def test_interleaving_is_no_slowdown() -> None:
    """Rounds that are 8 to 30 % slower than the settled warm-up, as caches make them: flat, and the factor told."""
    draw = np.random.default_rng(9)
    for factor in (1.08, 1.3):
        levels = flat()
        levels[WARM:] *= factor
        found = classify(series(draw, levels))
        assert found.kind == "flat"
        assert found.interleaving == pytest.approx(factor, rel=0.02)


def test_a_warm_up_that_goes_on_in_the_rounds_is_one() -> None:
    """Where the warm-up had not settled, the first rounds count as warm-up too."""
    levels = flat(6 + 60)
    levels[:16] = 900
    draw = np.random.default_rng(10)
    found = classify(series(draw, levels, rounds_from=6))
    assert (found.kind, found.start) == ("warmup", 16)


def test_too_short_a_series_is_not_classified() -> None:
    """Eleven chunks are not enough, and neither are times of zero."""
    draw = np.random.default_rng(11)
    assert classify(series(draw, flat(11), rounds_from=0)).kind == "unresolved"
    assert classify(Series(0.0, np.ones(40), np.zeros(40))).kind == "unresolved"


def test_a_call_that_was_compiled_away_has_no_class() -> None:
    """Chunks of no length at all, in all processes or in one, harm nothing else."""
    draw = np.random.default_rng(18)
    nothing = Series(float("nan"), np.full(40, CALLS), np.zeros(40), 10)
    (cell,) = steady_cells({("w", "s"): [nothing] * 3})
    assert cell["classification"] == "unresolved"
    assert cell["steady_after_ns"]["value"] is None
    (cell,) = steady_cells({("w", "s"): [nothing, *(series(draw, flat()) for _ in range(5))]})
    assert cell["classification"] == "flat"


def test_processes_that_disagree_make_a_cell_inconsistent() -> None:
    """A class that more processes contradict than share is not given, whatever the median shows."""
    assert agree("warmup", {"warmup": 4, "flat": 4}) == "warmup"
    assert agree("flat", {"warmup": 5, "flat": 3}) == "inconsistent"
    assert agree("flat", {"slowdown": 8}) == "inconsistent"


def test_the_classes_of_all_processes_are_told() -> None:
    """Four that slow down stand beside five that warm up."""
    draw = np.random.default_rng(12)
    mixed = [*(series(draw, slowing()) for _ in range(4)), *(series(draw, warming(80)) for _ in range(5))]
    (cell,) = steady_cells({("w", "s"): mixed})
    assert cell["counts"] == {"warmup": 5, "slowdown": 4}


def test_warm_ups_of_unequal_length_are_aligned() -> None:
    """Processes that got through more or fewer chunks in the time of the warm-up make one series."""
    draw = np.random.default_rng(17)
    processes = []
    for warm in (60, 70, 80, 90, 100):
        levels = np.concatenate([flat(warm), np.full(30, 120.0)])
        processes.append(series(draw, levels, rounds_from=warm))
    found = Aligned.of(processes).consensus()
    assert (found.rounds_from, len(found.ns)) == (80, 110)
    assert found.ns_per_call[:80] == pytest.approx(100, rel=0.06)
    assert found.ns_per_call[80:] == pytest.approx(120, rel=0.06)


def test_bounds_hold_the_estimate_and_need_processes() -> None:
    """With eight processes there is an interval, with four there is none."""
    draw = np.random.default_rng(13)
    processes = [series(draw, warming(int(until))) for until in draw.integers(16, 26, 8)]
    (cell,) = steady_cells({("w", "s"): processes})
    bounds = cell["steady_after_calls"]
    assert bounds["low"] <= bounds["value"] <= bounds["high"]
    assert bounds["low"] >= 1 + 14 * CALLS
    assert bounds["high"] <= 1 + 27 * CALLS
    (cell,) = steady_cells({("w", "s"): processes[:4]})
    assert cell["steady_after_calls"]["low"] is None


def test_the_steady_level_is_that_of_the_rounds_without_the_loop() -> None:
    """What is reported as steady is net of the empty loop, and does not hold the warm-up."""
    draw = np.random.default_rng(14)
    processes = [
        Series(it.first_call_ns, it.calls, it.ns, it.rounds_from, overhead_ns=10.0)
        for it in (series(draw, warming()) for _ in range(6))
    ]
    (cell,) = steady_cells({("w", "s"): processes})
    assert cell["steady_ns"]["value"] == pytest.approx(90, rel=0.02)


def test_the_curve_is_thin_and_goes_from_the_first_call_to_the_end() -> None:
    """At most 60 points, elapsed time ascending, from the first call's time to the steady level."""
    draw = np.random.default_rng(15)
    points = warmup.curve(Aligned.of([series(draw, warming()) for _ in range(8)]).consensus())
    assert len(points) <= warmup.CURVE_POINTS
    assert points[0] == [20_000, 20_000]
    assert [elapsed for elapsed, _ in points] == sorted(elapsed for elapsed, _ in points)
    assert points[-1][1] == pytest.approx(100, rel=0.05)
    assert max(ns for elapsed, ns in points[1:]) == pytest.approx(3_000, rel=0.1)
    assert len(warmup.curve(Aligned.of([series(draw, flat()) for _ in range(8)]).consensus())) < 15


def test_the_section_conforms_to_its_schema() -> None:
    """What stands in the summary: a class for each cell, and how many of each a subject has."""
    draw = np.random.default_rng(16)
    kinds = {"a": warming(), "b": flat(), "c": slowing(), "d": flat()}
    cells = {("w", subject): [series(draw, levels) for _ in range(6)] for subject, levels in kinds.items()}
    cells["w", "nowhere"] = []
    (section,) = warmup.section({"pypy-3.11": cells})
    schema = json.loads(files("cside_bench.summary").joinpath("warmup.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps([section])), schema)
    assert {cell["subject"]: cell["classification"] for cell in section["cells"]} == {
        "a": "warmup",
        "b": "flat",
        "c": "slowdown",
        "d": "flat",
    }
    assert section["cells"][0]["first_call_ns"]["value"] == 20_000
    assert section["subjects"][0]["counts"] == {"warmup": 1}


def test_time_to_steady_state_counts_the_calls_of_growing_windows() -> None:
    """Windows of 8, 8, 16 ... 8,000 calls: each counts with its own calls, and not with those of the first one."""
    windows = np.array([8.0, 8, 16, 32, 64, 125, 250, 500, 1_000, 2_000, 4_000, *[8_000.0] * 19])
    calls = np.concatenate([windows, np.full(30, 2_000.0)])
    slow = 15  # windows until the call is compiled
    levels = np.where(np.arange(len(calls)) < slow, 3_000.0, 250.0)
    draw = np.random.default_rng(21)
    processes = [
        Series(20_000.0, calls, levels * draw.lognormal(0, 0.01, len(calls)) * calls, len(windows)) for _ in range(6)
    ]
    (cell,) = steady_cells({("w", "s"): processes})
    assert cell["classification"] == "warmup"
    before = float(windows[:slow].sum())
    assert before == 40_003
    for bounds in (cell["steady_after_calls"], {"value": classify(Aligned.of(processes).consensus()).after_calls}):
        assert bounds["value"] == pytest.approx(1 + before, rel=1e-4)
    assert cell["steady_after_ns"]["value"] == pytest.approx(20_000 + 3_000 * before, rel=0.02)
    assert Aligned.of(processes).consensus().calls.tolist() == calls.tolist()


def test_windows_of_unequal_length_count_with_their_median() -> None:
    """Where processes have windows of other lengths, a window has as many calls as that of the median process."""
    levels = flat(20)
    processes = [
        Series(100.0, np.full(20, size), levels * np.full(20, size), 10) for size in (8.0, 16.0, 24.0, 400.0, 1_000.0)
    ]
    assert Aligned.of(processes).consensus().calls.tolist() == [24.0] * 20
