# SPDX-License-Identifier: Apache-2.0
"""The sample at the end of a run: bindings alone and chunks of 4 ms, outside of the run's blocks."""

import math
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cside_bench.machine.guard import Guard
from cside_bench.results.plan import Plan, Tier
from cside_bench.run import sample
from cside_bench.run.child import Outcome
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from rich.console import Console
from synthetic_run import LABEL, WORKLOADS
from synthetic_verify import WHOLE, Processes, finished


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run, of whose workloads two are sampled."""
    tier = replace(Tier.named("default"), sample=[*WORKLOADS[:2], "idioms.not_measured"], sample_processes=2, pypy={})
    monkeypatch.setattr(Tier, "named", lambda name: tier)
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    return finished(tmp_path / "r")


def take(folder: Path, plan: Plan) -> str:
    """Take the sample; return what was printed."""
    display = Display(Console(file=(printed := StringIO()), width=200))
    display.start(0)
    sample.take(plan, folder, display, Machine(None, Guard(100.0, 0.0, display)))
    return printed.getvalue()


def test_bindings_are_measured_alone_and_in_long_chunks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes of each kind; files that exist are not made again, and no block is added."""
    blocks = sorted((folder / "blocks").iterdir())
    fake = Processes().install(monkeypatch)
    take(folder, Plan.load(folder))
    assert len(fake.requests) == 2 * (len(WHOLE) + 1)
    long = [it for it in fake.requests if not it["alone"]]
    assert [(it["chunk_ns"], it["rounds"]) for it in long] == [(4_000_000, 10)] * 2
    assert ["idioms.w00", "cffi.knob"] in long[0]["exclude"]
    assert ["idioms.w00", "twin"] in long[0]["exclude"]
    assert len({it["series"] for it in fake.requests}) == 1
    assert {(it["number"], it["seed"]) for it in fake.requests} == {(it["number"], it["seed"]) for it in long}
    assert [it["number"] for it in sorted(long, key=lambda it: it["number"])] == [0, 1]
    for it in fake.requests:
        assert it["workloads"] == list(WORKLOADS[:2])
        if it["alone"]:
            assert (it["chunk_ns"], it["turn_visits"]) == (0, 1)
    assert [len(names) for names, _ in fake.rings] == [len(WHOLE)] * 2
    take(folder, Plan.load(folder))
    assert len(fake.requests) == 2 * (len(WHOLE) + 1)
    assert sorted((folder / "blocks").iterdir()) == blocks


def test_bindings_that_are_apart_in_the_run_are_sampled_in_long_chunks_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a process of its own for these too, which measures all of its rounds in turns with the others."""
    tier = replace(Tier.named("default"), apart=True)
    monkeypatch.setattr(Tier, "named", lambda name: tier)
    fake = Processes().install(monkeypatch)
    take(folder, Plan.load(folder))
    assert sorted(it["alone"] for it in fake.requests) == sorted(WHOLE * 2)
    for it in fake.requests:
        assert (it["chunk_ns"], it["rounds"], it["least_visits"], it["forks"]) == (4_000_000, 10, 10, True)
    assert [(len(names), seconds) for names, seconds in fake.rings] == [(len(WHOLE), math.inf)] * 2


@pytest.mark.parametrize("change", [{"only": ["idioms.w"]}, {"isolated": True}, {"budget_minutes": 3.0}])
def test_a_run_of_a_part_has_none(folder: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> None:
    """Nor has one whose minutes the user gave."""
    fake = Processes().install(monkeypatch)
    take(folder, replace(Plan.load(folder), **change))
    assert fake.requests == []


def test_a_run_of_one_binding_samples_it_and_the_reference(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other bindings may not even be installed."""
    fake = Processes().install(monkeypatch)
    take(folder, replace(Plan.load(folder), bindings=["cext", "cffi"]))
    assert {it["alone"] for it in fake.requests} == {"", "cext", "cffi"}
    assert {tuple(it["bindings"]) for it in fake.requests if not it["alone"]} == {("cext", "cffi")}


def test_a_sample_that_fails_does_not_cost_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, and the run goes on to its report."""
    fake = Processes()
    fake.before = lambda number: Outcome(1, "import", None)
    fake.install(monkeypatch)
    assert "the sample lacks a process" in take(folder, Plan.load(folder))


@pytest.mark.parametrize("name", ["default", "rigorous"])
def test_the_tiers_sample_what_they_measure(name: str) -> None:
    """Every workload of the sample is measured on PyPy too; the quick tier has no time for one."""
    from fnmatch import fnmatchcase

    tier = Tier.named(name)
    assert len(tier.sample) >= 5 and len(tier.of("pypy-3.11").sample) >= 4
    for own in (tier.of(LABEL), tier.of("pypy-3.11")):
        assert own.sample_processes >= 2
        for workload in own.sample:
            assert not own.keep or any(fnmatchcase(workload, pattern) for pattern in own.keep)
            assert not any(fnmatchcase(workload, pattern) for pattern in own.skip)
    assert Tier.named("quick").sample == []
