# SPDX-License-Identifier: Apache-2.0
"""The state of the machine while a measuring process runs, for the raw data of each block.

:func:`state` describes the machine at one moment. :func:`watch` describes it before and after a block of code, with
what the system counted meanwhile.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil

from cside_bench.machine.system_files import read

CPU: Final = Path("/sys/devices/system/cpu")
THROTTLING: Final = (Path("/sys/fs/cgroup/cpu.stat"), Path("/sys/fs/cgroup/cpu/cpu.stat"))
"""Where cgroup versions 2 and 1 count for how long a container's quota of CPU time kept it from running."""


def state(cpu: int | None = None) -> dict[str, Any]:
    """Describe the machine at this moment, with the values that the system shows.

    ``load`` (averages over 1, 5 and 15 minutes), ``mhz`` of each CPU, ``governor`` of ``cpu``, ``turbo`` (whether it
    may be used), ``celsius`` (of the processor's hottest sensor), ``memory_free_mb``, ``swap_used_mb``, ``on_battery``.
    """
    found: dict[str, Any] = {
        "load": [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "mhz": frequencies(),
        "governor": read(CPU / f"cpu{cpu or 0}/cpufreq/scaling_governor"),
        "turbo": turbo(),
        "celsius": temperature(),
        "memory_free_mb": psutil.virtual_memory().available >> 20,
        "swap_used_mb": psutil.swap_memory().used >> 20,
        "on_battery": on_battery(),
    }
    return {name: value for name, value in found.items() if value is not None}


@contextmanager
def watch(cpu: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield a dictionary that holds, once the block has ended, ``before`` and ``after`` (:func:`state`) and
    ``meanwhile``.

    ``meanwhile`` has ``wall_s``; ``steal_s`` and ``system_cpu_s`` of the whole machine; of the child processes that
    ended in the block ``user_s``, ``system_s``, ``voluntary_switches``, ``involuntary_switches`` (another process ran
    instead),
    ``minor_faults``, ``major_faults`` and ``max_rss_mb`` (of the largest child so far); and ``throttled_s``, for how
    long the container's quota kept it from running. Run one child at a time in the block.
    """
    found: dict[str, Any] = {"before": state(cpu)}
    start, before = time.monotonic(), _counters()
    try:
        yield found
    finally:
        after = _counters()
        meanwhile = {name: round(value - before[name], 6) for name, value in after.items() if name in before}
        found["meanwhile"] = {"wall_s": round(time.monotonic() - start, 3)} | meanwhile
        if (rss := _children_max_rss()) is not None:
            found["meanwhile"]["max_rss_mb"] = rss
        found["after"] = state(cpu)


def frequencies() -> list[int] | None:
    """The frequency of each CPU at this moment in MHz. What a virtual machine shows need not be true."""
    try:
        return [round(it.current) for it in psutil.cpu_freq(percpu=True)] or None
    except (AttributeError, NotImplementedError, OSError, RuntimeError):
        return None


def turbo() -> bool | None:
    """Whether a CPU may run faster than its nominal frequency. Then its speed depends on heat and on the other CPUs."""
    if (text := read(CPU / "intel_pstate/no_turbo")) is not None:
        return text == "0"
    text = read(CPU / "cpufreq/boost")
    return None if text is None else text == "1"


def temperature() -> float | None:
    """The temperature of the processor's hottest sensor in °C."""
    try:
        sensors = psutil.sensors_temperatures()
    except (AttributeError, OSError, RuntimeError):
        return None
    names = ("coretemp", "k10temp", "zenpower", "cpu_thermal", "cpu-thermal", "acpitz")
    values = [entry.current for name in names for entry in sensors.get(name, ())]
    return max(values) if values else None


def on_battery() -> bool | None:
    """Whether the machine runs on its battery; ``None`` where it has none."""
    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, RuntimeError):
        return None
    return None if battery is None or battery.power_plugged is None else not battery.power_plugged


def _counters() -> dict[str, float]:
    times = psutil.cpu_times()
    found = {
        "steal_s": getattr(times, "steal", 0.0),
        "system_cpu_s": times.user + times.system + getattr(times, "nice", 0.0),
    }
    try:
        import resource
    except ImportError:  # not on this system
        return found
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    found |= {
        "user_s": usage.ru_utime,
        "system_s": usage.ru_stime,
        "voluntary_switches": usage.ru_nvcsw,
        "involuntary_switches": usage.ru_nivcsw,
        "minor_faults": usage.ru_minflt,
        "major_faults": usage.ru_majflt,
    }
    if (throttled := _throttled_s()) is not None:
        found["throttled_s"] = throttled
    return found


def _children_max_rss() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return kib >> 20 if os.uname().sysname == "Darwin" else kib >> 10  # bytes there, KiB elsewhere


def _throttled_s() -> float | None:
    for path in THROTTLING:
        for line in (read(path) or "").splitlines():
            name, _, value = line.partition(" ")
            if name == "throttled_usec":
                return int(value) / 1e6
            if name == "throttled_time":
                return int(value) / 1e9
    return None
