# SPDX-License-Identifier: Apache-2.0
"""The guard before each measuring process: waits while other programs use the machine, and gives up in words.

What others use is the CPU time of the whole system over a short sample, less that of this process and its children,
plus the time that a hypervisor gave to other machines (steal). Kernel work on interrupts counts as others'. Steal shows
only while somebody here wants to run: :mod:`cside_bench.machine.state` counts it during a block.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import psutil

LIMIT_CORES: Final = 0.5
PATIENCE_S: Final = 300.0
SAMPLE_S: Final = 0.25
"""The system counts in hundredths of a second: shorter samples would be too coarse."""
PAUSE_S: Final = 1.0
"""Between samples of a busy machine."""
QUIET_SAMPLES: Final = 2
"""In a row, after a busy one: a pause between two bursts is no end."""
NAMED: Final = 3
"""Busiest programs that are told."""
LEAST_NAMED: Final = 0.05
"""Cores that a program has to use to be named."""


class TooBusy(Exception):
    """Other programs use the machine, and did not stop; the text says who, how much, and what to do."""


class Says(Protocol):
    """Where the user is told; :class:`cside_bench.run.progress.Display` is one."""

    def say(self, text: str) -> None:
        """A line."""


@dataclass(frozen=True, slots=True)
class Load:
    """What others used during one sample."""

    others: float
    """Cores, of other programs and of the kernel."""
    steal: float
    """Cores that the hypervisor gave to other machines while somebody here wanted to run."""
    seconds: float
    busiest: tuple[tuple[str, float], ...] = ()
    """Names of programs and the cores that each used, the busiest first; only what this user may see."""

    @property
    def cores(self) -> float:
        """What counts against the limit."""
        return self.others + self.steal

    def words(self) -> str:
        """As in “1.40 cores: gcc 1.02, firefox 0.31”."""
        text = f"{self.cores:.2f} cores"
        if self.steal >= LEAST_NAMED:
            text += f", {self.steal:.2f} of them taken by the hypervisor for other machines"
        named = [f"{name} {cores:.2f}" for name, cores in self.busiest[:NAMED] if cores >= LEAST_NAMED]
        return f"{text}: {', '.join(named)}" if named else f"{text}, by nobody that this user may see"


@dataclass(frozen=True, slots=True)
class Waited:
    """What the guard saw before it let a process start; for the raw data."""

    seconds: float
    """From the first sample to the last."""
    load: Load

    def facts(self) -> dict[str, float]:
        """Plain numbers, in seconds and cores."""
        return {
            "waited_s": round(self.seconds, 2),
            "others_cores": round(self.load.others, 3),
            "steal_cores": round(self.load.steal, 3),
        }


def _system() -> tuple[float, float]:
    """Seconds of CPU time, of all CPUs: (in use, steal). Time of guests is part of the user's on Linux."""
    times = psutil.cpu_times()
    used = times.user + times.system
    used += sum(getattr(times, name, 0.0) for name in ("nice", "irq", "softirq", "interrupt", "dpc"))
    return used, getattr(times, "steal", 0.0)


def _by_process() -> dict[int, tuple[str, float]]:
    """Name and CPU seconds of each process whose times this user may see."""
    found = {}
    for process in psutil.process_iter(["name", "cpu_times"]):
        times = process.info["cpu_times"]
        if times is not None:
            found[process.pid] = (process.info["name"] or "?", times.user + times.system)
    return found


def _own() -> frozenset[int]:
    """This process and what it started."""
    own = psutil.Process()
    return frozenset({own.pid, *(child.pid for child in own.children(recursive=True))})


def sample(seconds: float = SAMPLE_S, sleep: Callable[[float], None] = time.sleep, *, names: bool = False) -> Load:
    """Watch the machine for so long. ``names`` also tells who is busy, which takes a look at every process."""
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
    """CPU seconds of these processes, of those that are still there."""
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
        """Wait while others use more than ``limit_cores``, for at most ``patience_s`` seconds each time."""
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
                self._say(f"waiting: others use {load.words()} (limit {self._limit:g})")
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
            f"{self._limit:g}, and {seconds:.0f} s of waiting did not help. Close them, or let them finish, and go on "
            f"with --resume; or put up with noisier numbers by --load-limit {load.cores * 1.25 + 0.05:.1f}"
        )
