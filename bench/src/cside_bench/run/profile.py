# SPDX-License-Identifier: Apache-2.0
"""``cside profile`` runs a program with the shim in front of its PKCS #11 module, and reports where its time was spent.

The program loads ``libcside`` in place of its module. ``libcside`` forwards every call, counts and times it, and writes
a report when the process ends (``CSIDE_TRACE_FILE``, see ``pkcs11_shim.h``).
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
"""Text in a command that stands for the path of the module."""
VARIABLES: Final = ("PYKCS11LIB", "PKCS11_MODULE", "PKCS11_MODULE_PATH", "PKCS11_PROVIDER_MODULE")
"""Environment variables that name the module of a program: of PyKCS11, python-pkcs11, libp11 and pkcs11-provider."""


class ProfileError(Exception):
    """The program could not be run, or it never used the module; the message says what to do."""


@dataclass(slots=True)
class Function:
    """The calls of one function in all processes."""

    name: str
    calls: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    inside_ns: int = 0
    histogram: list[int] = field(default_factory=list)

    def quantile_ns(self, at: float) -> float:
        """Return the time in ns below which the share ``at`` of the calls lies, interpolated within a bucket.

        Each bucket of the histogram is twice as wide as the one before it, so the result is wrong by a factor of two at
        most.
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
    """The calls of a program into its module."""

    command: list[str]
    module: str
    wall_ns: int
    """Time from the program's start to its end."""
    exit_code: int
    processes: int
    """Number of processes that used the module."""
    functions: list[Function]
    unlisted_errors: int = 0
    """Number of errors beyond the kinds that the shim lists."""

    @property
    def inside_ns(self) -> int:
        """Time spent inside the module by all threads and processes together."""
        return sum(function.inside_ns for function in self.functions)

    def plain(self) -> dict[str, Any]:
        """Return the profile as plain data, with times in nanoseconds."""
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
    """Return the command with the shim's path wherever the command has the module's path or ``{module}``."""
    return [word.replace(PLACEHOLDER, shim).replace(module, shim) for word in command]


def merged(reports: Iterable[dict[str, Any]]) -> list[Function]:
    """Merge the functions of all processes, those with the most time first."""
    found: dict[str, Function] = {}
    for report in reports:
        for entry in report["functions"]:
            function = found.setdefault(entry["name"], Function(entry["name"], histogram=[0] * len(entry["histogram"])))
            function.calls += entry["calls"]
            function.inside_ns += entry["total_ns"]
            function.histogram = [sum(counts) for counts in zip(function.histogram, entry["histogram"], strict=True)]
            for error in entry["errors_by_rv"]:
                function.errors[error["name"] or f"CKR_0x{error['rv']:08x}"] += error["count"]
    return sorted(found.values(), key=lambda it: (-it.inside_ns, it.name))


def run(command: Sequence[str], module: Path) -> Profile:
    """Run the program to its end, with the input and output of this process. Raises `ProfileError`."""
    if not module.exists():
        raise ProfileError(f"{module} does not exist: give the path of the PKCS #11 module that the program uses")
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
            f"{shim} in place of {module}: write {PLACEHOLDER} where the command names its module. A program that "
            "is killed by a signal or ends with _exit() writes no profile."
        )
    unlisted = sum(report["errors_unlisted"] for report in used)
    return Profile(list(command), str(module), wall_ns, exit_code, len(used), merged(used), unlisted)


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for the exit code. Ctrl-C reaches the program itself; waiting for its end keeps its profile."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def ns(value: float) -> str:
    """Format nanoseconds as ns, µs, ms or s."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} ns"


def show(profile: Profile, console: Console) -> None:
    """Print the profile as a table with a summary below it."""
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
        console.print(
            f"{profile.unlisted_errors} more errors are not in the table: the shim lists a limited number of kinds",
            highlight=False,
        )
    console.print(
        "p50 and p99 are computed from a histogram and may be wrong by a factor of two", highlight=False, style="dim"
    )
