# SPDX-License-Identifier: Apache-2.0
"""Tiers, the order of blocks, and plans that are read back from their file."""

import tomllib
from fnmatch import fnmatchcase
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from cside_bench.results.plan import Plan, PlanError, Tier, divide, draw_blocks, newest, set_apart
from cside_bench.run.budget import FEWEST_BLOCKS
from cside_bench.statistics.selective import FALSE_COVERAGE, spent
from cside_bench.statistics.sizes import FEWEST_SIZES
from cside_bench.statistics.steady import COMPILED_BELOW_NS, COMPILED_CALLS
from cside_suite.workloads.references import PEERS
from plans import LABELS, plan

BINDINGS = Path(__file__).parents[3] / "bindings"


def test_blocks_are_shuffled_by_the_seed_and_complete() -> None:
    """Every interpreter has every block; the same seed gives the same order, another seed another."""
    blocks = draw_blocks(dict.fromkeys(LABELS, 10), 1)
    assert {(block.interpreter, block.number) for block in blocks} == {
        (label, n) for label in LABELS for n in range(10)
    }
    assert blocks == draw_blocks(dict.fromkeys(LABELS, 10), 1)
    assert [block.interpreter for block in blocks] != [
        block.interpreter for block in draw_blocks(dict.fromkeys(LABELS, 10), 2)
    ]


def test_fewer_blocks_are_spread_over_the_run() -> None:
    """An interpreter with fewer blocks has one at the beginning of the run and one near its end."""
    blocks = draw_blocks({"cpython-3.13": 10, "pypy-3.11": 7}, 1)
    assert len(blocks) == 17
    places = [place for place, block in enumerate(blocks) if block.interpreter == "pypy-3.11"]
    assert len(places) == 7
    assert [block.number for block in blocks if block.interpreter == "pypy-3.11"] == list(range(7))
    assert places[0] < 3
    assert places[-1] > 13
    assert max(after - before for before, after in pairwise(places)) <= 4


def test_each_binding_has_a_process_of_its_own() -> None:
    """Where it is asked for: each block becomes one group, with one process for each name."""
    names = ["a", "b", "b.v", "twin"]
    apart, other, *_ = LABELS
    blocks = set_apart(draw_blocks({apart: 6, other: 6}, 1), {apart: names})
    for number in range(6):
        group = [it for it in blocks if (it.interpreter, it.number) == (apart, number)]
        assert sorted(it.alone for it in group) == names
        assert {it.group for it in group} == {f"{apart}-{number:02d}"}
        first = blocks.index(group[0])
        assert blocks[first : first + len(names)] == group
    assert [it.alone for it in blocks if it.interpreter == other] == [""] * 6
    assert len({block.name for block in blocks}) == len(blocks) == 30


def test_a_block_is_divided_by_workloads() -> None:
    """Each workload is in one process of each block, whole; processes are about equal, and every block differs."""
    sizes = {f"w{number}": 3 + number % 9 for number in range(40)}
    drawn = draw_blocks({"cpython-3.13": 4, "pypy-3.11": 3}, 1)
    blocks = divide(drawn, {"cpython-3.13": sizes, "pypy-3.11": sizes}, {"pypy-3.11": 80}, 1)
    assert [it for it in blocks if it.interpreter == "cpython-3.13"] == [
        it for it in drawn if it.interpreter == "cpython-3.13"
    ]
    seen = set()
    for number in range(3):
        parts = [it for it in blocks if (it.interpreter, it.number) == ("pypy-3.11", number)]
        assert [part.part for part in parts] == [0, 1, 2, 3]
        assert sorted(name for part in parts for name in part.workloads) == sorted(sizes)
        assert all(sum(sizes[name] for name in part.workloads) <= 90 for part in parts)
        seen.add(tuple(map(tuple, (part.workloads for part in parts))))
    assert len(seen) == 3
    assert len({block.name for block in blocks}) == len({block.seed for block in blocks}) == len(blocks) == 16


def test_processes_share_a_seed_only_where_they_are_compared() -> None:
    """A divided run does not draw its seeds from the stream of its undivided blocks. The processes of a block that
    measure in turns have one seed, from which values are drawn: every binding is given the same.
    """
    labels = [*(f"cpython-3.{minor}" for minor in (11, 13, 14)), "pypy-3.11"]
    members = {label: {f"w{number}": 13 for number in range(35)} for label in labels}
    for seed in range(50):
        drawn = draw_blocks(dict.fromkeys(labels, 10) | {"pypy-3.11": 7}, seed)
        blocks = divide(drawn, members, {"pypy-3.11": 100}, seed)
        assert len(blocks) == 30 + 7 * 5
        assert len({block.seed for block in blocks}) == len(blocks), seed
        alone = set_apart(drawn, {label: ["a", "b", "twin"] for label in labels})
        seeds = {(block.interpreter, block.number): block.seed for block in drawn}
        assert all(block.seed == seeds[(block.interpreter, block.number)] for block in alone), seed


def test_a_block_that_fits_is_not_divided() -> None:
    """A run of a few workloads has one process for each block."""
    drawn = draw_blocks({"pypy-3.11": 3}, 1)
    assert divide(drawn, {"pypy-3.11": {"w": 13}}, {"pypy-3.11": 80}, 1) == drawn


def test_pypy_is_warmed_by_calls_in_processes_of_few_cells() -> None:
    """A process compiles several loops for each cell, and one that is not entered may be freed after a thousand."""
    for name in ("quick", "default", "rigorous"):
        tier = Tier.named(name)
        assert tier.of("pypy-3.11").warm_calls > 1_039  # PyPy's threshold
        assert 0 < tier.of("pypy-3.11").cells <= 100
        assert tier.of("cpython-3.14").warm_calls == tier.of("cpython-3.14").cells == 0
        assert tier.of("pypy-3.11").apart and not tier.of("cpython-3.14").apart
    assert Tier.named("default").of("pypy-3.11").keep
    assert not Tier.named("rigorous").of("pypy-3.11").keep


def test_every_tier_has_time_to_compile_what_has_to_be_compiled() -> None:
    """No cell is called too cold that the tier's warm-up could not have warmed: neither for its time nor its calls."""
    tiers = tomllib.loads(files("cside_bench.results").joinpath("tiers.toml").read_text(encoding="utf-8"))
    names = [name for name, table in tiers.items() if isinstance(table, dict)]
    assert {"quick", "default", "rigorous"} <= set(names)
    for name in names:
        tier = Tier.named(name)
        assert tier.warm_up_ns("pypy-3.11") > COMPILED_CALLS * COMPILED_BELOW_NS, name
        assert tier.of("pypy-3.11").warm_calls > COMPILED_CALLS, name


def test_a_look_leaves_enough_processes_to_be_worth_its_errors() -> None:
    """Shortly before the end it would spend most of the errors that a run may make, and save little."""
    tiers = tomllib.loads(files("cside_bench.results").joinpath("tiers.toml").read_text(encoding="utf-8"))
    for name in (name for name, table in tiers.items() if isinstance(table, dict)):
        for label in ("cpython-3.14", "pypy-3.11"):
            tier = Tier.named(name).of(label)
            assert not tier.look or spent(tier.look / tier.blocks) < FALSE_COVERAGE / 2, (name, label)


def test_a_model_by_size_exists_on_pypy() -> None:
    """The default tier keeps as many sizes of a checksum as a model needs, and the quick tier the same workloads."""
    keep = Tier.named("default").of("pypy-3.11").keep
    names = [f"codec.crc32[{size}]" for size in (0, 16, 256, 4096, 65536, 1048576)]
    assert sum(any(fnmatchcase(name, pattern) for pattern in keep) for name in names) >= FEWEST_SIZES
    assert Tier.named("quick").of("pypy-3.11").keep == keep


def test_only_partial_variants_and_packages_of_others_are_left_out_on_pypy() -> None:
    """Where warm-up takes most of the time, a knob gives way and a binding does not; each pattern names something."""
    others = {peer.name for peer in PEERS}
    entries: dict[str, set[str]] = {"cside.bindings": set(), "cside.variants": set()}
    for path in BINDINGS.glob("*/pyproject.toml"):
        for group, found in tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"].items():
            entries.setdefault(group, set()).update(found)
    for name in ("quick", "default"):
        tier = Tier.named(name)
        without = tier.of("pypy-3.11").without
        assert without
        assert not tier.of("cpython-3.14").without
        for pattern in without:
            assert any(fnmatchcase(it, pattern) for it in entries["cside.variants"] | others), pattern
            assert not any(fnmatchcase(it, pattern) for it in entries["cside.bindings"]), pattern
    assert not Tier.named("rigorous").of("pypy-3.11").without


def test_tiers_grow() -> None:
    """Quick gives no verdicts; each tier measures more than the one before."""
    quick, default, rigorous = (Tier.named(name) for name in ("quick", "default", "rigorous"))
    assert not quick.verdicts
    assert default.verdicts
    assert quick.blocks < default.blocks < rigorous.blocks
    assert quick.warm_up_ns("pypy-3.11") > quick.warm_up_ns("cpython-3.13")


def test_what_is_claimed_of_has_enough_processes() -> None:
    """Claims on imports and threads are unclear, whatever was measured, with fewer processes than an interval needs."""
    for name in ("default", "rigorous"):
        tier = Tier.named(name)
        assert min(tier.blocks, tier.of("pypy-3.11").blocks, tier.cold_blocks, tier.thread_blocks) >= FEWEST_BLOCKS


def test_a_plan_survives_its_file(tmp_path: Path) -> None:
    """What is resumed is what was planned."""
    made = plan()
    made.save(tmp_path)
    assert Plan.load(tmp_path) == made
    with pytest.raises(PlanError, match=r"no run.*run\.json"):
        Plan.load(tmp_path / "nowhere")


def test_the_newest_version_of_each_implementation() -> None:
    """Versions are numbers: 3.9 is older than 3.14. Builds without the GIL are not those with it."""
    labels = ["cpython-3.9", "cpython-3.14", "pypy-3.11", "cpython-3.11", "cpython-3.13t"]
    assert newest(labels) == ["cpython-3.14", "pypy-3.11", "cpython-3.13t"]
    assert Tier.named("default").threaded(labels) == newest(labels)
    assert Tier.named("rigorous").threaded(labels) == labels
