# SPDX-License-Identifier: Apache-2.0
"""Calls that are measured in threads have right arguments and results."""

import zlib
from typing import Any

import pytest
from cside_suite.process.threads.calls import Machine, calls, text
from cside_suite.process.threads.crew import Work


def test_arguments_and_results_of_the_calls_are_right() -> None:
    """Each call knows its right result without any binding, and makes fresh arguments each time."""
    machine = Machine()
    found = {call.name: call for call in calls(machine)}
    for name, call in found.items():
        if call.noun == "codec":
            function: Any = getattr(zlib, call.function)
            assert call.right(function(*call.make()))
            assert call.make()[0] is not call.make()[0]
            assert not call.right(function(b"something else"))
        else:
            steps = int(name.partition("[")[2].rstrip("]"))
            assert call.right(machine.spin(steps))
            assert not call.right(machine.spin(steps + 1))


def test_the_text_is_the_same_each_time_and_compresses() -> None:
    """Results of different processes and machines are about the same bytes, of the size asked for."""
    assert text(70_000) == text(70_000)
    assert len(text(1 << 16)) == 1 << 16
    assert 2 < len(text(1 << 16)) / len(zlib.compress(text(1 << 16), 1)) < 20


@pytest.mark.parametrize("name", [it.name for it in calls(Machine())])
def test_the_native_ceiling_runs(name: str) -> None:
    """Each call has a C loop that several threads may be in at once."""
    machine = Machine()
    loop = machine.loop(next(call for call in calls(machine) if call.name == name))
    shift = Work(loop.run, loop.make, name=name).shift(2, 1_000_000)
    assert min(shift.calls) >= 1
    if not name.startswith("idioms"):
        assert shift.results == (0, 0)  # the status
