# SPDX-License-Identifier: Apache-2.0
"""No process is measured while other programs use the machine: the guard waits, then fails and names them."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from cside_bench.machine import guard as machine_guard
from cside_bench.machine.guard import PAUSE_S, Guard, Load, TooBusy, sample


class Machine:
    """A scripted machine with a clock of its own: the last load goes on for ever."""

    def __init__(self, *loads: Load) -> None:
        self.loads = list(loads)
        self.now = 100.0
        self.samples = 0
        self.named = 0
        self.said: list[str] = []

    def sampler(self, *, names: bool = False) -> Load:
        self.samples += 1
        self.named += names
        load = self.loads.pop(0) if len(self.loads) > 1 else self.loads[0]
        self.now += load.seconds
        return load

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def say(self, text: str) -> None:
        self.said.append(text)

    def guard(self, limit: float = 0.5, patience: float = 60.0) -> Guard:
        return Guard(limit, patience, self, sampler=self.sampler, clock=lambda: self.now, sleep=self.sleep)


QUIET = Load(0.02, 0.0, 0.25)
BUSY = Load(1.4, 0.0, 0.25, (("gcc", 1.02), ("firefox", 0.31)))


def test_a_quiet_machine_costs_one_sample() -> None:
    """Where nobody else works, one short sample is all, no process is looked at, nothing is said."""
    machine = Machine(QUIET)
    waited = machine.guard().wait()
    assert (machine.samples, machine.named, machine.said) == (1, 0, [])
    assert waited.facts() == {"waited_s": 0.25, "others_cores": 0.02, "steal_cores": 0.0}


def test_it_waits_until_others_are_done_and_tells_once() -> None:
    """A busy machine is waited for; who is busy is said once, and once that it is over."""
    machine = Machine(BUSY, BUSY, BUSY, BUSY, QUIET)
    waited = machine.guard().wait()
    assert waited.load == QUIET
    assert len(machine.said) == 2
    assert "gcc 1.02, firefox 0.31" in machine.said[0] and "limit 0.5" in machine.said[0]
    assert "quiet again" in machine.said[1]


def test_a_pause_between_two_bursts_is_no_end() -> None:
    """After a busy sample, it takes two quiet ones in a row."""
    machine = Machine(BUSY, QUIET, BUSY, QUIET, QUIET)
    machine.guard().wait()
    assert machine.samples == 5


def test_it_gives_up_in_words() -> None:
    """When patience is over, the message has the load, the limit, the programs and what to do."""
    machine = Machine(BUSY)
    with pytest.raises(TooBusy) as raised:
        machine.guard(patience=10).wait()
    text = str(raised.value)
    for part in ("1.40 cores", "gcc 1.02", "limit is 0.5", "--resume", "--load-limit 1.8"):
        assert part in text
    assert machine.now - 100 < 10 + 2 * (PAUSE_S + BUSY.seconds)


def test_without_patience_the_busy_are_still_named() -> None:
    """With no patience at all the message still tells who is busy."""
    machine = Machine(Load(1.4, 0.0, 0.25), BUSY)
    with pytest.raises(TooBusy, match="gcc"):
        machine.guard(patience=0).wait()


def test_the_suggested_limit_lets_the_run_go_on() -> None:
    """Whoever follows the advice gets past the guard, the load being the same."""
    machine = Machine(BUSY)
    with pytest.raises(TooBusy) as raised:
        machine.guard(patience=1).wait()
    advised = float(str(raised.value).rpartition(" ")[2])
    machine.guard(limit=advised).wait()


def test_stolen_time_counts() -> None:
    """What a hypervisor gives to other machines is a load, too, and is called by its name."""
    machine = Machine(Load(0.1, 0.9, 0.25))
    with pytest.raises(TooBusy, match=r"0\.90 of them taken by the hypervisor"):
        machine.guard(patience=1).wait()


@contextmanager
def spinning() -> Iterator[None]:
    """A process that keeps one CPU busy."""
    process = subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.alone
def test_a_real_busy_process_is_seen() -> None:
    """A process that keeps a CPU busy is a load to a process that is not its ancestor, and is named."""
    program = (
        "import json; from cside_bench.machine.guard import sample\n"
        "load = sample(0.5, names=True)\n"
        "print(json.dumps([load.others, [name for name, _ in load.busiest]]))"
    )
    with spinning():
        watcher = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    others, names = json.loads(watcher.stdout)
    assert others > 0.1
    assert any(name.startswith(("python", "pypy")) for name in names)


def test_our_own_work_is_no_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process and its children use is taken off, and a child that ended during the sample is no error."""
    system = iter([(1000.0, 5.0), (1003.0, 5.5)])
    own = iter([{1: 10.0, 2: 20.0, 3: 7.0}, {1: 10.5, 2: 22.0}])
    clock = iter([0.0, 2.0])
    monkeypatch.setattr(machine_guard, "_system", lambda: next(system))
    monkeypatch.setattr(machine_guard, "_cpu", lambda _pids: next(own))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    load = sample(2.0, lambda _seconds: None)
    assert (load.others, load.steal, load.seconds) == (0.25, 0.25, 2.0)
