# SPDX-License-Identifier: Apache-2.0
"""Choose the CPU that measuring processes are pinned to, and say why.

All single-threaded measuring processes run on one CPU. A process that is moved to another CPU starts again with cold
caches, and on a machine with fast and slow cores its speed changes. The driver is not pinned: while a block runs it
sleeps, except for a few lines of progress a second, and the system runs it where there is room. So a sibling of the
chosen CPU (the other hardware thread of the same core) is idle, and the measuring process has the core to itself. What
other programs do there is for :mod:`cside_bench.machine.guard` to notice. Processes that measure threads are not pinned
either: they get all usable CPUs.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from cside_bench.machine.system_files import read

SYSTEM: Final = Path("/sys/devices/system/cpu")
FAST: Final = 0.9
"""A CPU is a slow core where its capacity or frequency is less than this share of the highest one."""
SAMPLE_S: Final = 0.2
"""Seconds for which `place` watches how busy each CPU is."""
BUSY: Final = 0.2
"""A CPU is busy where it was in use for more than this share of the time; below it, CPUs count as equally idle."""


@dataclass(frozen=True, slots=True)
class Cpu:
    """One CPU, as the system describes it."""

    number: int
    siblings: frozenset[int]
    """All CPUs of the same core, this one included."""
    speed: float = 1.0
    """Its capacity or highest frequency, divided by that of the fastest CPU."""
    isolated: bool = False
    """Whether the scheduler moves no process to it (``isolcpus``)."""
    tickless: bool = False
    """Whether it runs without timer interrupts (``nohz_full``)."""
    busy: float = 0.0
    """For which share of the time its core was in use a moment ago: the highest share of its siblings and its own."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where measuring processes run."""

    cpu: int | None
    """The CPU of single-threaded measuring processes; ``None`` where they are not pinned."""
    reason: str
    """Why this CPU was chosen, in one sentence for the report."""
    siblings: tuple[int, ...] = ()
    """The other CPUs of the same core."""
    usable: frozenset[int] = field(default_factory=frozenset)
    """The CPUs of a process that measures threads: all that this process may use; empty where that is not known."""

    def facts(self) -> dict[str, object]:
        """The placement as plain data, for ``environment.json``."""
        return {
            "cpu": self.cpu,
            "reason": self.reason,
            "siblings": list(self.siblings),
            "usable": sorted(self.usable),
        }


def parse_list(text: str | None) -> frozenset[int]:
    """CPUs of a list as Linux writes it: ``0-2,5``; no CPUs for an empty list, for ``(null)`` and for None."""
    found: set[int] = set()
    for entry in (text or "").strip().split(","):
        first, _, last = entry.strip().partition("-")
        if first.isdigit() and (last.isdigit() or not last):
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def read_cpus(allowed: frozenset[int], busy: Mapping[int, float], system: Path = SYSTEM) -> list[Cpu]:
    """Describe the CPUs in ``allowed`` from the files of ``system``; ``busy`` is for which share of the time each was
    in use.
    """
    isolated = parse_list(read(system / "isolated"))
    tickless = parse_list(read(system / "nohz_full"))
    siblings = {}
    speeds = {}
    for number in sorted(allowed):
        own = system / f"cpu{number}"
        siblings[number] = parse_list(read(own / "topology/thread_siblings_list")) | {number}
        # cpu_capacity tells fast cores from slow ones on Arm and on newer x86 kernels; elsewhere the frequency does
        speeds[number] = _number(own / "cpu_capacity") or _number(own / "cpufreq/cpuinfo_max_freq")
    known = [speed for speed in speeds.values() if speed]
    return [
        Cpu(
            number,
            siblings[number],
            (speeds[number] or max(known)) / max(known) if known else 1.0,
            number in isolated,
            number in tickless,
            max(busy.get(it, 0.0) for it in siblings[number]),
        )
        for number in sorted(allowed)
    ]


def choose(cpus: list[Cpu]) -> Placement:
    """Choose the best CPU to measure on.

    In this order it prefers an isolated CPU, one without timer interrupts, one of the fast cores, one whose core nobody
    was using, one of another core than CPU 0, which serves most interrupts, and one that is not CPU 0. Of equal ones it
    takes the highest number, so that every run on a quiet machine takes the same CPU.
    """
    usable = frozenset(cpu.number for cpu in cpus if not cpu.isolated) or frozenset(cpu.number for cpu in cpus)
    if len(cpus) < 2:
        return Placement(None, "not pinned: the process may use one CPU only", usable=usable)
    zeros = next((cpu.siblings for cpu in cpus if cpu.number == 0), frozenset({0}))

    def rank(cpu: Cpu) -> tuple[bool, bool, bool, bool, bool, bool, int]:
        return (
            cpu.isolated,
            cpu.tickless,
            cpu.speed >= FAST,
            cpu.busy < BUSY,
            cpu.number not in zeros,
            cpu.number != 0,
            cpu.number,
        )

    best = max(cpus, key=rank)
    others = [cpu for cpu in cpus if cpu.number != best.number]
    why = []
    if best.isolated:
        why.append("the scheduler keeps others off it")
    if best.tickless:
        why.append("it runs without timer ticks")
    if best.speed >= FAST and any(cpu.speed < FAST for cpu in others):
        why.append("it is one of the fast cores")
    if best.busy >= BUSY:
        why.append("though somebody was using its core")
    elif any(cpu.busy >= BUSY for cpu in others):
        why.append("nobody was using its core")
    if best.number == 0:
        why.append("though it serves interrupts, the others being worse")
    elif best.number not in zeros:
        why.append("its core is not that of CPU 0, which serves most interrupts")
    else:
        why.append("it is not CPU 0, which serves most interrupts")
    siblings = tuple(sorted(best.siblings - {best.number}))
    if siblings:
        why.append(f"its core is shared with CPU {', '.join(map(str, siblings))}, idle unless others use it")
    return Placement(best.number, f"pinned to CPU {best.number}: {'; '.join(why)}", siblings, usable)


def place(system: Path = SYSTEM) -> Placement:
    """Choose where to measure on this machine; this takes :data:`SAMPLE_S` seconds, to see which CPUs are in use."""
    if not hasattr(os, "sched_setaffinity"):
        return Placement(None, "not pinned: this system does not let a process choose its CPU")
    mine = frozenset(os.sched_getaffinity(0))
    isolated = frozenset(cpu for cpu in parse_list(read(system / "isolated")) if may_use(cpu))
    shares = psutil.cpu_percent(interval=SAMPLE_S, percpu=True)
    online = sorted(parse_list(read(system / "online"))) or list(range(len(shares)))
    busy = {cpu: share / 100 for cpu, share in zip(online, shares, strict=False)}
    return choose(read_cpus(mine | isolated, busy, system))


def may_use(cpu: int) -> bool:
    """Whether this process may be pinned to a CPU, even to one to which the scheduler moves no process."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {cpu})
    except OSError:
        return False
    os.sched_setaffinity(0, before)
    return True


def _number(path: Path) -> float | None:
    text = read(path) or ""
    return float(text) if text.isdigit() else None
