# SPDX-License-Identifier: Apache-2.0
"""What about a machine makes times noisy, and what to do about it: advice, since cside measures on any machine.

Every command here is for the user to run, if at all: cside changes no setting of the machine.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil

from cside_bench.machine import state
from cside_bench.machine.cpu import parse_list, place
from cside_bench.machine.doctor import ADVICE, OK, Finding, output
from cside_bench.machine.guard import LIMIT_CORES, sample

SYSTEM: Final = Path("/sys/devices/system/cpu")
SECTION: Final = "Quiet"
SAMPLE_S: Final = 0.5
CONTAINERS: Final = (Path("/.dockerenv"), Path("/run/.containerenv"))


def read(path: Path) -> str | None:
    """Stripped text of a file of the system; None where it has none."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return None


def good(name: str, says: str) -> Finding:
    """As it should be, or not to be helped."""
    return Finding(SECTION, name, OK, says)


def advise(name: str, says: str, do: str | None = None) -> Finding:
    """Could be better."""
    return Finding(SECTION, name, ADVICE, says, install=do)


def findings() -> Iterator[Finding]:
    """All of them."""
    yield from cpus()
    yield from speed()
    yield randomisation()
    yield virtualisation()
    yield others()
    yield from counters()


def cpus() -> Iterator[Finding]:
    """How many there are, whether they share cores, and which one measuring processes will stay on."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cores = psutil.cpu_count(logical=False)
    says = f"{count} for this process" + (f", {cores} cores in all" if cores else "")
    if count < 2:
        yield advise("CPUs", says, "with two or more the driver keeps off the one that measures")
    else:
        yield good("CPUs", says)
    siblings = parse_list(read(SYSTEM / "cpu0/topology/thread_siblings_list") or "")
    if len(siblings) > 1:
        says = f"hardware threads {', '.join(map(str, sorted(siblings)))} share a core, and so on"
        yield advise("sibling threads", says, "idle while measuring, unless other programs use them; off in firmware")
    yield good("placement", place().reason)


def speed() -> Iterator[Finding]:
    """Governor, turbo, battery."""
    governor = read(SYSTEM / "cpu0/cpufreq/scaling_governor")
    if governor is None:
        yield good("governor", "not shown by this system: a virtual machine's host decides")
    elif governor == "performance":
        yield good("governor", governor)
    else:
        yield advise(
            "governor", f"{governor}: the clock follows the load", "sudo cpupower frequency-set -g performance"
        )
    turbo = state.turbo()
    if turbo is None:
        yield good("turbo", "not shown by this system")
    elif turbo:
        no_turbo = (SYSTEM / "intel_pstate/no_turbo").exists()
        file, value = ("intel_pstate/no_turbo", 1) if no_turbo else ("cpufreq/boost", 0)
        says = "on: the clock depends on heat and on neighbours; ratios are paired, and bear it"
        yield advise("turbo", says, f"echo {value} | sudo tee {SYSTEM / file}")
    else:
        yield good("turbo", "off")
    if state.on_battery():
        yield advise("power", "on battery: the clock is lowered to spare it", "plug it in")


def randomisation() -> Finding:
    """Addresses of code and stack, which are to differ from process to process."""
    aslr = read(Path("/proc/sys/kernel/randomize_va_space"))
    if aslr is None:
        return good("ASLR", "not shown by this system")
    if aslr == "2":
        return good("ASLR", "on: layout is a nuisance that is randomised, as it should be")
    says = f"{aslr}: all processes share one layout, whose luck looks like an effect"
    return advise("ASLR", says, "sudo sysctl kernel.randomize_va_space=2")


def virtualisation() -> Finding:
    """Whether a hypervisor or a container stands between the program and the machine."""
    told = (output(["systemd-detect-virt"]) or "").strip()
    flagged = "hypervisor" in (read(Path("/proc/cpuinfo")) or "").partition("\n\n")[0]
    container = any(path.exists() for path in CONTAINERS)
    where = told if told not in ("", "none") else "a hypervisor" if flagged else "a container" if container else ""
    if not where:
        return good("virtualisation", "none found")
    says = f"{where}: neighbours may take time away, which is counted as steal where the system shows it"
    return advise("virtualisation", says, "a machine of one's own gives narrower intervals")


def others() -> Finding:
    """What other programs use at this moment, as the guard before each measuring process sees it."""
    load = sample(SAMPLE_S, names=True)
    average = f"; load average {os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else ""
    says = f"others use {load.words()}{average}"
    if load.cores <= LIMIT_CORES:
        return good("load", says)
    return advise("load", says, f"close them: a run waits while others use more than {LIMIT_CORES:g} cores")


def counters() -> Iterator[Finding]:
    """Whether the processor's event counters may be read."""
    level = read(Path("/proc/sys/kernel/perf_event_paranoid"))
    if level is None:
        return
    if int(level) <= 2:
        yield good("perf events", f"perf_event_paranoid is {level}: one's own processes may be counted")
    else:
        says = f"perf_event_paranoid is {level}: no event may be counted; no command needs it"
        yield advise("perf events", says, "sudo sysctl kernel.perf_event_paranoid=2")
