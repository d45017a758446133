# SPDX-License-Identifier: Apache-2.0
"""The machine before each measuring process: its CPU, and the wait until other programs are done."""

import io

import pytest
from cside_bench.machine.guard import TooBusy
from cside_bench.run import quiet
from cside_bench.run.progress import Display
from rich.console import Console


def prepared(*, pin: bool, load_limit: float = 1000.0) -> quiet.Machine:
    """A machine whose guard waits for nobody."""
    display = Display(Console(file=io.StringIO()))
    return quiet.Machine.prepare(display, pin=pin, load_limit=load_limit, patience_s=0.0)


def test_without_pinning_processes_have_no_cpu_of_their_own() -> None:
    """The user asked for that, and the sentence says so."""
    machine = prepared(pin=False)
    assert machine.cpu is None
    assert "not pinned" in machine.says


def test_with_pinning_the_placement_names_the_cpu() -> None:
    """The CPU and the sentence are those of the placement."""
    machine = prepared(pin=True)
    assert machine.placement is not None
    assert machine.cpu == machine.placement.cpu
    assert machine.says == machine.placement.reason


def test_the_guard_decides_whether_a_process_may_start() -> None:
    """A limit that nothing exceeds lets it start; a limit that everything exceeds ends the run."""
    prepared(pin=False).wait()
    with pytest.raises(TooBusy):
        prepared(pin=False, load_limit=-1.0).wait()
