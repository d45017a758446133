# SPDX-License-Identifier: Apache-2.0
"""Measuring processes run on the CPU that disturbs them least, and the report says which and why."""

import os
from pathlib import Path

import pytest
from cside_bench.machine.cpu import Cpu, choose, may_use, parse_list, place, read_cpus


def pairs(*numbers: tuple[int, int]) -> list[Cpu]:
    """CPUs that share a core two by two."""
    return [Cpu(number, frozenset(pair)) for pair in numbers for number in pair]


@pytest.mark.parametrize(
    ("text", "cpus"), [("0-2,5\n", {0, 1, 2, 5}), ("3", {3}), ("", set()), ("\n", set()), ("(null)\n", set())]
)
def test_lists_of_the_system_are_read(text: str, cpus: set[int]) -> None:
    """Lists of CPUs as Linux writes them, the empty ones too."""
    assert parse_list(text) == cpus


def test_an_isolated_cpu_comes_first() -> None:
    """What the administrator set aside is used, whatever else speaks for others."""
    cpus = [
        Cpu(0, frozenset({0})),
        Cpu(1, frozenset({1}), isolated=True),
        Cpu(2, frozenset({2})),
        Cpu(3, frozenset({3})),
    ]
    found = choose(cpus)
    assert found.cpu == 1
    assert "scheduler" in found.reason
    assert found.usable == {0, 2, 3}


def test_the_core_of_cpu_0_is_avoided() -> None:
    """With several cores, neither CPU 0 nor its sibling is chosen."""
    found = choose(pairs((0, 2), (1, 3)))
    assert (found.cpu, found.siblings) == (3, (1,))


def test_of_two_siblings_the_second_is_chosen() -> None:
    """Where two CPUs share the only core, processes are pinned to the second, and the reason names the first."""
    found = choose(pairs((0, 1)))
    assert (found.cpu, found.siblings) == (1, (0,))
    assert "shared with CPU 0" in found.reason


def test_a_core_in_use_is_avoided() -> None:
    """Somebody at work on a sibling is reason enough to go elsewhere, even to the core of CPU 0."""
    busy = [Cpu(it.number, it.siblings, busy=0.9 if it.number in {1, 3} else 0.0) for it in pairs((0, 2), (1, 3))]
    assert choose(busy).cpu == 2


def test_slow_cores_are_avoided() -> None:
    """On a machine with fast and slow cores, a fast one is chosen; a few percent between fast ones are nothing."""
    cpus = [Cpu(0, frozenset({0})), Cpu(1, frozenset({1}), 0.96), Cpu(2, frozenset({2}), 0.6)]
    found = choose(cpus)
    assert found.cpu == 1
    assert "fast" in found.reason


def test_one_cpu_is_no_choice() -> None:
    """With a single CPU nothing is pinned, and the reason is told."""
    found = choose([Cpu(5, frozenset({4, 5}))])
    assert found.cpu is None
    assert "one CPU" in found.reason


def test_topology_is_read_from_the_system(tmp_path: Path) -> None:
    """Siblings, capacity, isolation and load of a core are found where Linux shows them."""
    (tmp_path / "isolated").write_text("3\n", encoding="utf-8")
    (tmp_path / "nohz_full").write_text("2-3\n", encoding="utf-8")
    for number, (siblings, capacity) in enumerate([("0-1", 1024), ("0-1", 1024), ("2", 512), ("3", 512)]):
        folder = tmp_path / f"cpu{number}"
        (folder / "topology").mkdir(parents=True)
        (folder / "topology/thread_siblings_list").write_text(f"{siblings}\n", encoding="utf-8")
        (folder / "cpu_capacity").write_text(f"{capacity}\n", encoding="utf-8")
    found = read_cpus(frozenset({0, 2, 3}), {1: 0.7}, tmp_path)
    assert found == [
        Cpu(0, frozenset({0, 1}), 1.0, busy=0.7),
        Cpu(2, frozenset({2}), 0.5, tickless=True),
        Cpu(3, frozenset({3}), 0.5, isolated=True, tickless=True),
    ]


def test_a_system_that_shows_nothing_is_no_error(tmp_path: Path) -> None:
    """Without any of those files, CPUs count as alike and as cores of their own."""
    assert read_cpus(frozenset({0, 1}), {}, tmp_path) == [Cpu(0, frozenset({0})), Cpu(1, frozenset({1}))]


def test_a_system_without_affinity_is_not_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS and Windows nothing is pinned, and the reason is told."""
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    found = place()
    assert found.cpu is None
    assert "does not let" in found.reason


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity")
def test_this_machine_is_placed() -> None:
    """The choice on the machine of this test is a CPU that the process may use."""
    found = place()
    if found.cpu is None:
        assert len(os.sched_getaffinity(0)) == 1
    else:
        assert found.facts()["reason"]
        assert may_use(found.cpu)
