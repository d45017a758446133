# SPDX-License-Identifier: Apache-2.0
"""The guard before each measuring process: it waits while other programs use the machine.

After a time that the user chooses it stops waiting and fails with :class:`TooBusy`, whose text names the busy programs.
What other programs use is measured over a short sample: the CPU time of the whole system, without that of this process
and its children, plus the time that a hypervisor gave to other virtual machines (steal). The kernel's work on
interrupts counts as other programs'. Steal is only counted while a program here is ready to run, so
:mod:`cside_bench.machine.state` counts it again during a block.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import psutil

LIMIT_CORES: Final = 0.5
"""Cores that other programs may use while a process measures."""
PATIENCE_S: Final = 300.0
"""How long the guard waits."""
SAMPLE_S: Final = 0.25
"""Length of a sample. The system counts in hundredths of a second, so that shorter samples would be too coarse."""
PAUSE_S: Final = 1.0
"""Time between two samples of a busy machine."""
QUIET_SAMPLES: Final = 2
"""How many samples in a row have to be quiet after a busy one: one quiet sample may be a pause between two bursts."""
NAMED: Final = 3
"""How many of the busiest programs are named."""
LEAST_NAMED: Final = 0.05
"""A program is named where it uses at least this many cores."""


class TooBusy(Exception):
    """Other programs used the machine for too long; the text says which, how much, and what the user can do."""


class Says(Protocol):
    """Something that shows lines to the user, as :class:`cside_bench.run.progress.Display` does."""

    def say(self, text: str) -> None:
        """Show a line."""


@dataclass(frozen=True, slots=True)
class Load:
    """What other programs used during one sample."""

    others: float
    """Cores that other programs and the kernel used."""
    steal: float
    """Cores that the hypervisor gave to other virtual machines while a program here was ready to run."""
    seconds: float
    """Length of the sample."""
    busiest: tuple[tuple[str, float], ...] = ()
    """Names of programs and the cores that each used, the busiest first, of the programs that this user may see."""

    @property
    def cores(self) -> float:
        """The number that is compared with the limit."""
        return self.others + self.steal

    def words(self) -> str:
        """The load for a message, as “1.40 cores: gcc 1.02, firefox 0.31”."""
        text = f"{self.cores:.2f} cores"
        if self.steal >= LEAST_NAMED:
            text += f", {self.steal:.2f} of them taken by the hypervisor for other virtual machines"
        named = [f"{name} {cores:.2f}" for name, cores in self.busiest[:NAMED] if cores >= LEAST_NAMED]
        return f"{text}: {', '.join(named)}" if named else f"{text}, by programs that this user may not see"


@dataclass(frozen=True, slots=True)
class Waited:
    """What the guard saw before it let a process start, for the raw data."""

    seconds: float
    """Time from the first sample to the last."""
    load: Load

    def facts(self) -> dict[str, float]:
        """As plain data, in seconds and cores."""
        return {
            "waited_s": round(self.seconds, 2),
            "others_cores": round(self.load.others, 3),
            "steal_cores": round(self.load.steal, 3),
        }


def _system() -> tuple[float, float]:
    """Seconds of CPU time of all CPUs: (in use, steal). Linux counts the time of virtual machines as user time."""
    times = psutil.cpu_times()
    used = times.user + times.system
    used += sum(getattr(times, name, 0.0) for name in ("nice", "irq", "softirq", "interrupt", "dpc"))
    return used, getattr(times, "steal", 0.0)


def _by_process() -> dict[int, tuple[str, float]]:
    """Name and CPU seconds, by process id, of each process whose times this user may see."""
    found = {}
    for process in psutil.process_iter(["name", "cpu_times"]):
        times = process.info["cpu_times"]
        if times is not None:
            found[process.pid] = (process.info["name"] or "?", times.user + times.system)
    return found


def _own() -> frozenset[int]:
    """The ids of this process and of all that it started."""
    own = psutil.Process()
    return frozenset({own.pid, *(child.pid for child in own.children(recursive=True))})


def sample(seconds: float = SAMPLE_S, sleep: Callable[[float], None] = time.sleep, *, names: bool = False) -> Load:
    """Watch the machine for ``seconds``. With ``names`` also find the busiest programs, by a look at every process."""
    everyone = _by_process() if names else {}
    own = _own()
    before, mine_before, start = _system(), _cpu(own), time.monotonic()
    sleep(seconds)
    after, mine_after, end = _system(), _cpu(own), time.monotonic()
    lasted = max(end - start, 1e-6)
    mine = sum(value - mine_before.get(pid, value) for pid, value in mine_after.items())
    used: defaultdict[str, float] = defaultdict(float)
    if names:
        for pid, (name, value) in _by_process().items():
            if pid not in own and pid in everyone:
                used[name] += (value - everyone[pid][1]) / lasted
    return Load(
        max(after[0] - before[0] - mine, 0.0) / lasted,
        max(after[1] - before[1], 0.0) / lasted,
        lasted,
        tuple(sorted(used.items(), key=lambda item: -item[1])[:NAMED]),
    )


def _cpu(pids: frozenset[int]) -> dict[int, float]:
    """CPU seconds of these processes, by id, without those that have ended."""
    found = {}
    for pid in pids:
        try:
            times = psutil.Process(pid).cpu_times()
        except psutil.Error:
            continue
        found[pid] = times.user + times.system
    return found


class Guard:
    """Lets a process start when the machine is quiet enough."""

    def __init__(
        self,
        limit_cores: float = LIMIT_CORES,
        patience_s: float = PATIENCE_S,
        display: Says | None = None,
        *,
        sampler: Callable[..., Load] = sample,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Wait while other programs use more than ``limit_cores``, for at most ``patience_s`` seconds each time."""
        self._limit = limit_cores
        self._patience = patience_s
        self._display = display
        self._sampler = sampler
        self._clock = clock
        self._sleep = sleep

    def wait(self) -> Waited:
        """Return once the machine is quiet, which takes one sample where it is; raise :class:`TooBusy` otherwise."""
        start = self._clock()
        load = self._sampler()
        if load.cores <= self._limit:
            return Waited(self._clock() - start, load)
        quiet, told = 0, False
        while True:
            load = self._sampler(names=True)
            quiet = quiet + 1 if load.cores <= self._limit else 0
            if quiet == QUIET_SAMPLES:
                break
            if self._clock() - start >= self._patience:
                raise TooBusy(self._advice(load, self._clock() - start))
            if quiet == 0 and not told:
                told = True
                self._say(f"waiting: other programs use {load.words()} (limit {self._limit:g})")
            self._sleep(PAUSE_S)
        if told:
            self._say(f"quiet again after {self._clock() - start:.0f} s; going on")
        return Waited(self._clock() - start, load)

    def _say(self, text: str) -> None:
        if self._display is not None:
            self._display.say(text)

    def _advice(self, load: Load, seconds: float) -> str:
        return (
            f"other programs use the machine: over the last {load.seconds:.2g} s {load.words()}; the limit is "
            f"{self._limit:g}, and they did not stop within {seconds:.0f} s. Close them, or let them finish, and go on "
            f"with --resume; or accept noisier numbers with --load-limit {load.cores * 1.25 + 0.05:.1f}"
        )
