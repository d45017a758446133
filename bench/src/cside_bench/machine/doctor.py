# SPDX-License-Identifier: Apache-2.0
"""Find out whether this machine has what measuring needs: a C compiler, interpreters, libraries, disk, memory.

This looks for programs and files, and compiles small programs in a temporary folder. It installs nothing, changes
nothing and uses no network.
"""

import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import psutil

from cside_bench.machine import checkout
from cside_bench.machine import interpreters as machine_interpreters

OK: Final = "ok"
MISSING: Final = "missing"
ADVICE: Final = "advice"
MANAGERS: Final = {"apt": ("apt-get",), "dnf": ("dnf",), "brew": ("brew",)}
ROOM_GB: Final = 4.0
"""Disk for interpreters, builds, environments and a few runs. The .cside folder of a full checkout takes about 2 GB."""
MEMORY_GB: Final = 1.0
"""Memory for two builds at a time, or for a measuring process and the driver."""
SECONDS: Final = 60.0
"""Time for a program that is asked something."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    section: str
    name: str
    state: str
    """``ok``; ``missing``; or ``advice`` where something is there and could be better."""
    says: str
    """What was found, or what is not possible without it."""
    needed: bool = False
    """Whether nothing can be measured without it."""
    install: str | None = None
    """The command that installs it, or another advice."""
    package: str | None = None
    """The names of its packages in the system's package manager; None where that has none."""

    @property
    def fatal(self) -> bool:
        """Whether this finding makes ``cside doctor`` end with exit code 1."""
        return self.needed and self.state == MISSING

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@cache
def manager() -> str | None:
    """The system's package manager: ``apt``, ``dnf`` or ``brew``; None where there is none of these."""
    return next((name for name, (program,) in MANAGERS.items() if shutil.which(program)), None)


def command(packages: str) -> str:
    """The command that installs these packages on this machine."""
    found = manager()
    program = MANAGERS[found][0] if found else "install"
    root = found == "brew" or not hasattr(os, "geteuid") or os.geteuid() == 0 or shutil.which("sudo") is None
    return f"{'' if root else 'sudo '}{program} install {packages}"


def table() -> dict[str, Any]:
    """The contents of ``doctor.toml``."""
    return tomllib.loads(files("cside_bench.machine").joinpath("doctor.toml").read_text(encoding="utf-8"))


def compiler() -> list[str]:
    """The command that runs the C compiler: ``CC`` where it is set, else the first of cc, gcc and clang."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    return [next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), "cc")]


def compiles(program: str, link: list[str]) -> bool:
    """Whether a C program compiles and links, with the flags in the environment's variables."""
    with tempfile.TemporaryDirectory(prefix="cside-doctor-") as folder:
        source = Path(folder) / "probe.c"
        source.write_text(program + "\n", encoding="utf-8")
        flags = shlex.split(os.environ.get("CPPFLAGS", "") + " " + os.environ.get("CFLAGS", ""))
        linked = [*shlex.split(os.environ.get("LDFLAGS", "")), *link]
        return output([*compiler(), *flags, str(source), "-o", str(Path(folder) / "probe"), *linked]) is not None


def output(words: list[str]) -> str | None:
    """What a program prints; None where the program is missing or fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True, errors="replace")
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def look(entry: dict[str, Any]) -> Finding:
    """Check one entry of ``doctor.toml``."""
    there: str | None = None
    if sys.platform == "win32" and "compiles" in entry:
        there = "left to the build, which finds Visual C++ by itself" if entry["needed"] else None
    elif "compiles" in entry and compiles(entry["compiles"], entry.get("link", [])):
        there = "compiles and links"
        if entry["needed"]:
            there = (output([*compiler(), "--version"]) or " ".join(compiler())).partition("\n")[0]
    if there is None:
        there = next((found for it in entry.get("programs", ()) if (found := shutil.which(it))), None)
    if there is None:
        there = next((found for it in entry.get("files", ()) for found in sorted(glob.glob(it))), None)
    if there is not None:
        return Finding("Tools and libraries", entry["name"], OK, there, entry["needed"])
    package = entry.get(manager() or "", "") or None
    install = command(package) if package else entry["otherwise"]
    return Finding("Tools and libraries", entry["name"], MISSING, entry["for"], entry["needed"], install, package)


def tools() -> Iterator[Finding]:
    """Check all entries of ``doctor.toml`` and nox, and name the tools that nobody needs to install."""
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(look, table()["check"])
    section = "Tools and libraries"
    found = checkout.nox()
    if found is not None or "NOX_CURRENT_SESSION" in os.environ:
        yield Finding(section, "nox", OK, " ".join(found or ["runs this command"]), needed=True)
    else:
        install = "python3 -m pip install nox (or: pipx install nox)"
        yield Finding(section, "nox", MISSING, "builds everything that is measured", needed=True, install=install)
    bundled = "need not be installed: nox installs them from PyPI, or uses those of the machine"
    yield Finding(section, "CMake, Ninja, SWIG, Cython, uv", OK, bundled)


def interpreters() -> Iterator[Finding]:
    """Check each interpreter of the matrix. At least one CPython has to be there."""
    section = "Interpreters"
    found = machine_interpreters.search()
    usable = []
    for name in table()["interpreters"]:
        label = machine_interpreters.label_of(name)
        own = [one for one in found if one.label == label]
        ready = [one for one in own if one.headers]
        usable += [one for one in ready if not name.startswith("pypy")]
        if ready:
            one = ready[0]
            built = "bindings built" if one.environment else "with headers; bindings not built yet"
            yield Finding(section, label, OK, f"{one.release}, {one.executable}, {built}")
        else:
            lacks = f"{own[0].executable} has no C headers" if own else "not found"
            install, package = how_to_get(name, headers=bool(own))
            yield Finding(section, label, MISSING, f"{lacks}; nox downloads it where it can", False, install, package)
    if not usable:
        says = "a CPython of the matrix runs the driver; nox downloads one, which needs the network"
        install, package = how_to_get(newest(table()["interpreters"]), headers=False)
        yield Finding(section, "a CPython with headers", MISSING, says, True, install, package)


def newest(names: list[str]) -> str:
    """The newest CPython among them."""
    return max((name for name in names if not name.startswith("pypy")), key=lambda it: int(it.partition(".")[2]))


def how_to_get(name: str, *, headers: bool) -> tuple[str, str | None]:
    """(command, package) that installs an interpreter, or only its headers; by uv where the system has no package."""
    packages = {
        "apt": f"python{name}-dev" if headers else f"python{name} python{name}-dev",
        "dnf": f"python{name}-devel" if headers else f"python{name} python{name}-devel",
        "brew": f"python@{name}",
    }
    found = manager()
    if name.startswith("pypy") or found is None or not known(packages[found], found):
        wanted = f"pypy@{name[4:]}" if name.startswith("pypy") else name
        return f"uv python install {wanted}", None
    return command(packages[found]), packages[found]


def known(packages: str, of: str) -> bool:
    """Whether the package manager knows all of these packages. Only apt can be asked without the network."""
    if of != "apt":
        return True
    return all((output(["apt-cache", "madison", name]) or "").strip() for name in packages.split())


def room() -> Iterator[Finding]:
    """Check disk, memory and swap."""
    section = "Room"
    top = checkout.root() or Path.cwd()
    free = shutil.disk_usage(top).free / 1e9
    enough = free >= ROOM_GB or (bool(checkout.environments()) and free >= 1)
    says = f"{free:.0f} GB free in {top}"
    yield Finding(section, "disk", OK if enough else MISSING, says, True, None if enough else f"free {ROOM_GB:g} GB")
    memory = psutil.virtual_memory().available / 1e9
    says = f"{memory:.1f} GB available of {psutil.virtual_memory().total / 1e9:.1f}"
    enough = memory >= MEMORY_GB
    yield Finding(section, "memory", OK if enough else MISSING, says, True, None if enough else "close other programs")
    if (used := psutil.swap_memory().used / 1e6) >= 100:
        advice = "close other programs: a process that is swapped out while it measures gives wrong times"
        yield Finding(section, "swap", ADVICE, f"{used:.0f} MB in use", install=advice)
