# SPDX-License-Identifier: Apache-2.0
"""Where measuring processes run: which CPU they are pinned to, and why that one.

One CPU for all single-threaded measuring processes: a process that is moved between CPUs starts again with cold caches,
and on a machine with fast and slow cores it changes its speed. The driver keeps off that CPU where it can. It sleeps
while a block runs, but for a few progress lines a second, so that a sibling of the chosen CPU (the other hardware
thread of the same core) is idle then, and the measuring process has the core to itself. What programs other than ours
do there is for :mod:`cside_bench.machine.guard` to notice. Processes that measure threads are not pinned: they get all usable
CPUs.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

SYSTEM: Final = Path("/sys/devices/system/cpu")
FAST: Final = 0.9
"""Of the highest capacity or frequency: a CPU with less is one of the slow cores."""
SAMPLE_S: Final = 0.2
BUSY: Final = 0.2
"""Of a CPU's time in use: more counts as busy, less as the same."""


@dataclass(frozen=True, slots=True)
class Cpu:
    """One CPU, as the system describes it."""

    number: int
    siblings: frozenset[int]
    """CPUs of the same core, this one included."""
    speed: float = 1.0
    """Capacity or highest frequency, in parts of the fastest CPU's."""
    isolated: bool = False
    """Kept free from the scheduler (``isolcpus``)."""
    tickless: bool = False
    """Kept free from the timer (``nohz_full``)."""
    busy: float = 0.0
    """Share of its core's time that somebody used a moment ago: that of its busiest sibling or its own."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where measuring processes and the driver run."""

    cpu: int | None
    """For single-threaded measuring processes; ``None`` where they are not pinned."""
    reason: str
    """One sentence for the report."""
    siblings: tuple[int, ...] = ()
    """Other CPUs of the same core."""
    driver: frozenset[int] = field(default_factory=frozenset)
    """CPUs that are left for the driver; empty where it is not moved."""
    usable: frozenset[int] = field(default_factory=frozenset)
    """CPUs for a process that measures threads: all that this one might use; empty where the system does not say."""

    def facts(self) -> dict[str, object]:
        """For ``environment.json``."""
        return {
            "cpu": self.cpu,
            "reason": self.reason,
            "siblings": list(self.siblings),
            "driver": sorted(self.driver),
            "usable": sorted(self.usable),
        }


def parse_list(text: str) -> frozenset[int]:
    """CPUs of a list as Linux writes it: ``0-2,5``; empty for an empty one and for ``(null)``."""
    found: set[int] = set()
    for entry in text.strip().split(","):
        first, _, last = entry.strip().partition("-")
        if first.isdigit() and (last.isdigit() or not last):
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def read_cpus(allowed: frozenset[int], busy: Mapping[int, float], system: Path = SYSTEM) -> list[Cpu]:
    """What the system says of the CPUs in ``allowed``; ``busy`` is the share of each CPU's time in use."""
    isolated = parse_list(_read(system / "isolated"))
    tickless = parse_list(_read(system / "nohz_full"))
    siblings = {}
    speeds = {}
    for number in sorted(allowed):
        own = system / f"cpu{number}"
        siblings[number] = parse_list(_read(own / "topology/thread_siblings_list")) | {number}
        # cpu_capacity tells fast cores from slow ones on Arm and, of late, x86; the frequency does elsewhere
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
    """The best CPU to measure on.

    In this order: an isolated CPU, one without timer ticks, one of the fast cores, one whose core nobody was using,
    one of another core than CPU 0, which serves most interrupts, one that is not CPU 0; and the highest number of
    those that are alike, so that every run on a quiet machine takes the same.
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
    numbers = usable - {best.number}
    away = numbers - best.siblings or numbers  # the driver: off the core where it can be, off the CPU at least
    return Placement(best.number, f"pinned to CPU {best.number}: {'; '.join(why)}", siblings, away, usable)


def place(system: Path = SYSTEM) -> Placement:
    """Where to measure on this machine; takes :data:`SAMPLE_S` to see which CPUs are in use."""
    if not hasattr(os, "sched_setaffinity"):
        return Placement(None, "not pinned: this system does not let a process choose its CPU")
    mine = frozenset(os.sched_getaffinity(0))
    isolated = frozenset(cpu for cpu in parse_list(_read(system / "isolated")) if may_use(cpu))
    shares = psutil.cpu_percent(interval=SAMPLE_S, percpu=True)
    online = sorted(parse_list(_read(system / "online"))) or list(range(len(shares)))
    busy = {cpu: share / 100 for cpu, share in zip(online, shares, strict=False)}
    return choose(read_cpus(mine | isolated, busy, system))


def may_use(cpu: int) -> bool:
    """Whether this process may run on a CPU, even where the scheduler would never move it there by itself."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {cpu})
    except OSError:
        return False
    os.sched_setaffinity(0, before)
    return True


@contextmanager
def on(cpus: Iterable[int]) -> Iterator[None]:
    """The calling thread runs on these CPUs inside, and so does a process started inside, from its first instruction.

    Without CPUs, nothing changes. `OSError` where the system refuses.
    """
    wanted = frozenset(cpus)
    if not wanted:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, wanted)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def _number(path: Path) -> float | None:
    text = _read(path).strip()
    return float(text) if text.isdigit() else None
