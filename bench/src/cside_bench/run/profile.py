# SPDX-License-Identifier: Apache-2.0
"""``cside profile``: run a program with the shim in front of its PKCS #11 module, and tell where its time went.

The program is given ``libcside`` in the place of its module; ``libcside`` forwards every call, counts and times it, and
writes what it saw when the process ends (``CSIDE_TRACE_FILE``, see ``pkcs11_shim.h``).
"""

import json
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cside_native
from rich.console import Console
from rich.table import Table

PLACEHOLDER: Final = "{module}"
VARIABLES: Final = ("PYKCS11LIB", "PKCS11_MODULE", "PKCS11_MODULE_PATH", "PKCS11_PROVIDER_MODULE")
"""Environment variables by which programs take their module: PyKCS11, python-pkcs11, libp11, pkcs11-provider."""


class ProfileError(Exception):
    """The program could not be run, or never used the module; the text says what to do."""


@dataclass(slots=True)
class Function:
    """One function's calls, in all processes."""

    name: str
    calls: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    inside_ns: int = 0
    histogram: list[int] = field(default_factory=list)

    def quantile_ns(self, at: float) -> float:
        """Nanoseconds below which the share ``at`` of the calls lies, by interpolation within its power of two.

        The histogram's buckets double, so that this is right to a factor of two at worst.
        """
        if self.calls == 1:
            return float(self.inside_ns)
        target, seen = at * self.calls, 0
        for bucket, count in enumerate(self.histogram):
            if count and seen + count >= target:
                low, high = (0.0 if bucket == 0 else 2.0 ** (bucket - 1)), 2.0**bucket
                return min(low + (high - low) * (target - seen) / count, float(self.inside_ns))
            seen += count
        return float(self.inside_ns)


@dataclass(slots=True)
class Profile:
    """What a program did with its module."""

    command: list[str]
    module: str
    wall_ns: int
    """From the program's start to its end."""
    exit_code: int
    processes: int
    """That used the module."""
    functions: list[Function]
    unlisted_errors: int = 0

    @property
    def inside_ns(self) -> int:
        """Time inside the module, of all threads and processes together."""
        return sum(function.inside_ns for function in self.functions)

    def plain(self) -> dict[str, Any]:
        """As plain data; times in nanoseconds."""
        return {
            "command": self.command,
            "module": self.module,
            "wall_ns": self.wall_ns,
            "inside_ns": self.inside_ns,
            "exit_code": self.exit_code,
            "processes": self.processes,
            "unlisted_errors": self.unlisted_errors,
            "functions": [
                {
                    "name": it.name,
                    "calls": it.calls,
                    "errors": dict(it.errors),
                    "inside_ns": it.inside_ns,
                    "p50_ns": it.quantile_ns(0.50),
                    "p99_ns": it.quantile_ns(0.99),
                    "share_of_wall": it.inside_ns / self.wall_ns,
                }
                for it in self.functions
            ],
        }


def with_shim(command: Sequence[str], module: str, shim: str) -> list[str]:
    """The command with the shim in the place of the module, wherever the module's path or ``{module}`` stands in it."""
    return [word.replace(PLACEHOLDER, shim).replace(module, shim) for word in command]


def merged(reports: Iterable[dict[str, Any]]) -> list[Function]:
    """Functions of all processes, the ones with the most time first."""
    found: dict[str, Function] = {}
    for report in reports:
        for entry in report["functions"]:
            own = found.setdefault(entry["name"], Function(entry["name"], histogram=[0] * len(entry["histogram"])))
            own.calls += entry["calls"]
            own.inside_ns += entry["total_ns"]
            own.histogram = [mine + other for mine, other in zip(own.histogram, entry["histogram"], strict=True)]
            for error in entry["errors_by_rv"]:
                own.errors[error["name"] or f"CKR_0x{error['rv']:08x}"] += error["count"]
    return sorted(found.values(), key=lambda it: (-it.inside_ns, it.name))


def run(command: Sequence[str], module: Path) -> Profile:
    """Run the program to its end; its input and output are this process's own. Raises `ProfileError`."""
    if not module.exists():
        raise ProfileError(f"{module} is not there: name the PKCS #11 library that the program is to use")
    shim = str(cside_native.library())
    words = with_shim(command, str(module), shim)
    environment = dict(os.environ) | {"CSIDE_PKCS11_MODULE": str(module.resolve())}
    for name in VARIABLES:
        environment[name] = shim
    with tempfile.TemporaryDirectory(prefix="cside-profile-") as folder:
        environment["CSIDE_TRACE_FILE"] = str(Path(folder) / "trace")
        start = time.perf_counter_ns()
        try:
            exit_code = _wait(subprocess.Popen(words, env=environment))
        except OSError as error:
            raise ProfileError(f"cannot run {words[0]}: {error.strerror}") from error
        wall_ns = time.perf_counter_ns() - start
        reports = [json.loads(file.read_text("utf-8", "replace")) for file in sorted(Path(folder).glob("trace.*[0-9]"))]
    used = [report for report in reports if report["functions"]]
    if not used:
        raise ProfileError(
            f"the program ended with exit code {exit_code} and never called a function of the module. It has to load "
            f"{shim} in the place of {module}: write {PLACEHOLDER} where the command names its module. A program that "
            "dies by a signal, or leaves by _exit(), writes no profile."
        )
    unlisted = sum(report["errors_unlisted"] for report in used)
    return Profile(list(command), str(module), wall_ns, exit_code, len(used), merged(used), unlisted)


def _wait(process: subprocess.Popen[bytes]) -> int:
    """The exit code. Ctrl-C reaches the program by itself; it is waited for, so that its profile is not lost."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def ns(value: float) -> str:
    """A time with its unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} ns"


def show(profile: Profile, console: Console) -> None:
    """The table."""
    table = Table(title=f"calls into {profile.module}", title_justify="left")
    table.add_column("function", no_wrap=True)
    for name in ("calls", "inside", "p50", "p99", "of wall"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("errors")
    for it in profile.functions:
        errors = ", ".join(f"{name} {count}" for name, count in it.errors.most_common())
        share = f"{it.inside_ns / profile.wall_ns:.1%}"
        table.add_row(
            it.name, f"{it.calls:,}", ns(it.inside_ns), ns(it.quantile_ns(0.5)), ns(it.quantile_ns(0.99)), share, errors
        )
    console.print(table)
    calls = sum(it.calls for it in profile.functions)
    share = f"{profile.inside_ns / profile.wall_ns:.1%}"
    console.print(
        f"{calls:,} calls, {ns(profile.inside_ns)} inside the module: {share} of the program's {ns(profile.wall_ns)}; "
        f"exit code {profile.exit_code}",
        highlight=False,
    )
    if profile.processes > 1:
        console.print(f"{profile.processes} processes used the module; their times are added up", highlight=False)
    if profile.unlisted_errors:
        console.print(f"{profile.unlisted_errors} more errors, of kinds for which there was no room", highlight=False)
    console.print(
        "p50 and p99 come from buckets that double: right to a factor of two at worst", highlight=False, style="dim"
    )
