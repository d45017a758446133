# SPDX-License-Identifier: Apache-2.0
"""A counted process counts the instructions of the calls and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from cside_suite.process import instructions as counted

ONCE, LOOP = 1000, 7
"""Instructions of the synthetic machine: of a chunk that does nothing, and of each loop."""


@dataclass
class Machine:
    """Stands for callgrind: a chunk costs what its calls say, and what is done once and per loop."""

    spent: float = 0.0
    bare: list[int] = field(default_factory=lambda: [ONCE, LOOP])

    def call(self, instructions: Callable[[], float]) -> Callable[[], None]:
        """A function of that price."""

        def function() -> None:
            self.spent += instructions()

        return function

    def total(self, chunk: Any, loops: int) -> int:
        """The total as `counted.Counter.total` gives it."""
        self.spent = 0.0
        chunk(loops)
        return round(self.bare[0] + self.bare[1] * loops + self.spent)


def count_of(machine: Any, function: Callable[[], None]) -> Any:
    """The cell of a function on a machine."""
    count = counted.Count("workload", "subject")
    chunks = {unroll: counted.compile_calls(function, (), unroll, "test") for unroll in (1, counted.UNROLL)}
    counted.Process(machine).calls(count, chunks)
    return count


@pytest.mark.parametrize("price", [3, 450, 30_000, 900_000, 50_000_000])
def test_a_count_has_only_the_calls_in_it(price: int) -> None:
    """Whatever a call costs, what a chunk does once or per loop is no part of its count."""
    machine = Machine()
    count = count_of(machine, machine.call(lambda: price))
    assert count.instructions == price
    assert (count.stable, count.spread) == (True, 0.0)


def test_a_count_that_does_not_repeat_is_marked() -> None:
    """A call that takes 1 % more each time has a number, a spread, and is not stable."""
    machine = Machine()
    price = 1000.0

    def growing() -> float:
        nonlocal price
        price *= 1.0001
        return price

    count = count_of(machine, machine.call(growing))
    assert count.instructions is not None
    assert count.spread > counted.TOLERANCE
    assert not count.stable


def test_a_count_that_settles_late_is_stable() -> None:
    """Where the first calls cost more, they are not what is reported."""
    machine = Machine()
    calls = 0

    def settling() -> float:
        nonlocal calls
        calls += 1
        return 500.0 if calls > 200 else 5000.0

    count = count_of(machine, machine.call(settling))
    assert (count.instructions, count.stable) == (500.0, True)


def test_a_handicap_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that is slowed down by 5 % on purpose has 5 % more instructions."""
    machine = Machine(bare=[ONCE, 0])  # its loops are free, those of the spinning too

    def spin(steps: int) -> None:
        machine.spent += 4 * steps

    monkeypatch.setattr(counted, "spin", spin)
    drag = counted.Drag(5.0)
    function = machine.call(lambda: 800)
    count = counted.Count("workload", "subject")
    chunks = {unroll: counted.compile_calls(function, (), unroll, "test", drag) for unroll in (1, counted.UNROLL)}
    counted.Process(machine).calls(count, chunks, drag)
    assert count.instructions == pytest.approx(840, rel=0.001)


def test_a_floor_is_its_calls_without_its_empty_loop() -> None:
    """Of the parts between two looks at the clock, the calls count and the empty loop is taken off."""

    class Parts:
        def total(self, chunk: Any, loops: int) -> int:
            return ONCE + LOOP * loops

        def parts(self, chunk: Any, loops: int) -> list[int]:
            preparing, between, after = 9999, 40, 300
            return [preparing, 40 + 3 * loops, between, 40 + 5 * loops, 8 * loops, after]

    count = counted.Count("workload", "floor.direct")
    counted.Process(Parts()).floor(count, lambda loops: None)
    assert (count.instructions, count.stable) == (10.0, True)


def test_the_total_of_a_dump_is_its_last() -> None:
    """A dump is read by its last line, and one that was cut short is not taken for a small number."""
    assert counted.total_of(b"calls=1 803 \n\ntotals: 112954761\n") == 112954761
    with pytest.raises(ValueError, match="without a total"):
        counted.total_of(b"calls=1 803\n0 5\n")
