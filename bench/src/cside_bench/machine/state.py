# SPDX-License-Identifier: Apache-2.0
"""The state of the machine while a measuring process ran: small facts for the raw data of each block.

``state()`` is a moment; ``watch()`` is a time, with what the system counted meanwhile.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil

CPU: Final = Path("/sys/devices/system/cpu")
THROTTLING: Final = (Path("/sys/fs/cgroup/cpu.stat"), Path("/sys/fs/cgroup/cpu/cpu.stat"))
"""Of a container with a quota of CPU time: cgroup 2 and 1."""


def state(cpu: int | None = None) -> dict[str, Any]:
    """The machine now: ``load`` (averages over 1, 5 and 15 minutes), ``mhz`` of each CPU and ``governor`` of ``cpu``,
    ``turbo`` (whether it may be used), ``celsius`` (the hottest sensor of the processor), ``memory_free_mb``,
    ``swap_used_mb``, ``on_battery``; only what the system shows.
    """
    found: dict[str, Any] = {
        "load": [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "mhz": frequencies(),
        "governor": _read(CPU / f"cpu{cpu or 0}/cpufreq/scaling_governor"),
        "turbo": turbo(),
        "celsius": temperature(),
        "memory_free_mb": psutil.virtual_memory().available >> 20,
        "swap_used_mb": psutil.swap_memory().used >> 20,
        "on_battery": on_battery(),
    }
    return {name: value for name, value in found.items() if value is not None}


@contextmanager
def watch(cpu: int | None = None) -> Iterator[dict[str, Any]]:
    """A dictionary that holds, once the block is left, ``before`` and ``after`` (:func:`state`) and ``meanwhile``.

    ``meanwhile`` has ``wall_s``; ``steal_s`` and ``system_cpu_s`` of the whole machine; of the children that ended
    inside ``user_s``, ``system_s``, ``voluntary_switches`` and ``involuntary_switches`` (somebody else ran in its
    place), ``minor_faults``, ``major_faults``, ``max_rss_mb`` (the largest child ever); ``throttled_s`` by the
    container's quota. Run one child at a time inside.
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
    """MHz of each CPU at this moment; what a virtual machine shows need not be true."""
    try:
        return [round(it.current) for it in psutil.cpu_freq(percpu=True)] or None
    except (AttributeError, NotImplementedError, OSError, RuntimeError):
        return None


def turbo() -> bool | None:
    """Whether a CPU may run faster than its nominal frequency, by which its speed depends on heat and on neighbours."""
    if (text := _read(CPU / "intel_pstate/no_turbo")) is not None:
        return text == "0"
    text = _read(CPU / "cpufreq/boost")
    return None if text is None else text == "1"


def temperature() -> float | None:
    """°C of the hottest of the processor's sensors."""
    try:
        sensors = psutil.sensors_temperatures()
    except (AttributeError, OSError, RuntimeError):
        return None
    names = ("coretemp", "k10temp", "zenpower", "cpu_thermal", "cpu-thermal", "acpitz")
    values = [entry.current for name in names for entry in sensors.get(name, ())]
    return max(values) if values else None


def on_battery() -> bool | None:
    """Whether the machine runs on its battery; ``None`` without one."""
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
        for line in (_read(path) or "").splitlines():
            name, _, value = line.partition(" ")
            if name == "throttled_usec":
                return int(value) / 1e6
            if name == "throttled_time":
                return int(value) / 1e9
    return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return None
