# SPDX-License-Identifier: Apache-2.0
"""Find out what makes times noisy on this machine, and give advice. cside measures on any machine.

cside changes no setting of the machine. The commands in the advice are for the user to run.
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
from cside_bench.machine.system_files import read

SYSTEM: Final = Path("/sys/devices/system/cpu")
SECTION: Final = "Quiet"
SAMPLE_S: Final = 0.5
CONTAINERS: Final = (Path("/.dockerenv"), Path("/run/.containerenv"))


def good(name: str, says: str) -> Finding:
    """A finding that needs no advice."""
    return Finding(SECTION, name, OK, says)


def advise(name: str, says: str, do: str | None = None) -> Finding:
    """A finding with advice."""
    return Finding(SECTION, name, ADVICE, says, install=do)


def findings() -> Iterator[Finding]:
    """Check everything that makes times noisy."""
    yield from cpus()
    yield from speed()
    yield randomisation()
    yield virtualisation()
    yield others()
    yield from counters()


def cpus() -> Iterator[Finding]:
    """How many CPUs there are, whether they share cores, and to which of them measuring processes are pinned."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cores = psutil.cpu_count(logical=False)
    says = f"{count} for this process" + (f", {cores} cores in all" if cores else "")
    if count < 2:
        yield advise("CPUs", says, "with two or more, the driver and other programs can run beside what is measured")
    else:
        yield good("CPUs", says)
    siblings = parse_list(read(SYSTEM / "cpu0/topology/thread_siblings_list"))
    if len(siblings) > 1:
        says = f"hardware threads {', '.join(map(str, sorted(siblings)))} share a core, and so do others"
        yield advise(
            "sibling threads",
            says,
            "cside leaves the sibling of the measuring CPU idle, other programs may not; firmware can turn it off",
        )
    yield good("placement", place().reason)


def speed() -> Iterator[Finding]:
    """Governor, turbo and battery, on which the frequency depends."""
    governor = read(SYSTEM / "cpu0/cpufreq/scaling_governor")
    if governor is None:
        yield good("governor", "not shown by this system: in a virtual machine the host decides")
    elif governor == "performance":
        yield good("governor", governor)
    else:
        yield advise(
            "governor", f"{governor}: the frequency follows the load", "sudo cpupower frequency-set -g performance"
        )
    turbo = state.turbo()
    if turbo is None:
        yield good("turbo", "not shown by this system")
    elif turbo:
        no_turbo = (SYSTEM / "intel_pstate/no_turbo").exists()
        file, value = ("intel_pstate/no_turbo", 1) if no_turbo else ("cpufreq/boost", 0)
        says = "on: the frequency depends on heat and on the other CPUs; times vary, paired ratios hardly do"
        yield advise("turbo", says, f"echo {value} | sudo tee {SYSTEM / file}")
    else:
        yield good("turbo", "off")
    if state.on_battery():
        yield advise("power", "on battery: the system may lower the frequency to save power", "plug it in")


def randomisation() -> Finding:
    """Whether the addresses of code and stack differ between processes, as the method needs."""
    aslr = read(Path("/proc/sys/kernel/randomize_va_space"))
    if aslr is None:
        return good("ASLR", "not shown by this system")
    if aslr == "2":
        return good("ASLR", "on: the layout of memory differs between processes, so that its effect averages out")
    says = f"{aslr}: all processes have the same layout of memory, whose effect looks like one of the bindings"
    return advise("ASLR", says, "sudo sysctl kernel.randomize_va_space=2")


def virtualisation() -> Finding:
    """Whether programs run in a virtual machine or a container."""
    told = (output(["systemd-detect-virt"]) or "").strip()
    flagged = "hypervisor" in (read(Path("/proc/cpuinfo")) or "").partition("\n\n")[0]
    container = any(path.exists() for path in CONTAINERS)
    where = told if told not in ("", "none") else "a hypervisor" if flagged else "a container" if container else ""
    if not where:
        return good("virtualisation", "none found")
    says = f"{where}: others on the same host may take CPU time, which is counted as steal where the system shows it"
    return advise("virtualisation", says, "a machine that nobody else uses gives narrower intervals")


def others() -> Finding:
    """What other programs use at this moment, measured as by the guard before each measuring process."""
    load = sample(SAMPLE_S, names=True)
    average = f"; load average {os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else ""
    says = f"other programs use {load.words()}{average}"
    if load.cores <= LIMIT_CORES:
        return good("load", says)
    return advise("load", says, f"close them: a run waits while they use more than {LIMIT_CORES:g} cores")


def counters() -> Iterator[Finding]:
    """Whether the processor's event counters may be read."""
    level = read(Path("/proc/sys/kernel/perf_event_paranoid"))
    if level is None:
        return
    if int(level) <= 2:
        yield good("perf events", f"perf_event_paranoid is {level}: events of one's own processes can be counted")
    else:
        says = f"perf_event_paranoid is {level}: no events can be counted; no command of cside needs them"
        yield advise("perf events", says, "sudo sysctl kernel.perf_event_paranoid=2")
