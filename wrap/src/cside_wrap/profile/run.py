# SPDX-License-Identifier: Apache-2.0
"""Runs a program under the audit library, and reads what it counted."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cside_wrap.errors import WrapError
from cside_wrap.header import symbols
from cside_wrap.profile import counters
from cside_wrap.profile.document import Function, Profile
from cside_wrap.profile.source import Audit, build
from cside_wrap.project.reading import Project

__all__ = ["Found", "check_system", "run"]

OLDEST_GLIBC = (2, 35)
"""The first that asks an audit library about symbols that are bound when a program starts."""


@dataclass
class Found:
    """A profile, and what the user should know of it."""

    profile: Profile
    objects: tuple[str, ...]
    """The files that the program loaded."""
    notes: list[str]


def check_system() -> None:
    """Raise `WrapError` where the dynamic linker is not glibc's, or is too old."""
    told = ""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        told = os.confstr("CS_GNU_LIBC_VERSION") or ""
    found = re.fullmatch(r"glibc (\d+)\.(\d+).*", told)
    if sys.platform != "linux" or found is None:
        raise WrapError(
            "profile needs Linux with glibc: it counts by LD_AUDIT, which other systems' dynamic linkers do not have",
            "Run it in a container of a distribution with glibc, such as Debian or Fedora.",
        )
    if (int(found[1]), int(found[2])) < OLDEST_GLIBC:
        raise WrapError(
            f"profile needs glibc 2.35 or newer, and this is {told}: older ones do not announce what is bound at start",
            "Run it in a container of a newer distribution, such as Debian 12.",
        )


def run(project: Project, command: Sequence[str]) -> Found:
    """Run a program to its end, with the input and output of this process. Raises `WrapError`."""
    check_system()
    with tempfile.TemporaryDirectory(prefix="cside-profile-") as name:
        folder = Path(name)
        flags = project.settings.flags(project.folder)
        headers = project.settings.header_paths(project.folder)
        audit = build(project.described, project.header, headers, flags, folder)
        file = folder / "counters"
        counters.make(file, len(audit.functions))
        clock = ctypes.CDLL(str(audit.path))
        clock.cside_profile_ticks.restype = ctypes.c_uint64
        clock.cside_profile_empty.restype = ctypes.c_double
        empty = clock.cside_profile_empty()
        exit_code, elapsed_ns, ticks = _run(command, audit, file, clock)
        programs, objects, counts = counters.read(file, audit.functions)
    ns = elapsed_ns / ticks
    if not programs:
        raise WrapError(
            f"{command[0]} ended with exit code {exit_code}, and the dynamic linker never loaded the audit library",
            "Is the program statically linked, set-user-ID, or of another C library or architecture?",
        )
    called = {name: one for name, one in counts.items() if one.calls}
    functions = {
        name: Function(
            one.calls,
            max(one.ticks / one.calls - empty, 0.0) * ns if name in audit.timed else None,
            one.incoming,
            one.outgoing,
        )
        for name, one in called.items()
    }
    places = tuple(sorted({Path(one.place).name for one in called.values() if one.place}))
    profile = Profile(tuple(command), exit_code, elapsed_ns / 1e9, programs, places, empty * ns, functions)
    return Found(profile, tuple(objects), _notes(project, audit, counts, objects))


def _run(command: Sequence[str], audit: Audit, file: Path, clock: ctypes.CDLL) -> tuple[int, int, int]:
    """The exit code, the nanoseconds that passed, and the ticks of the counters' clock meanwhile."""
    before = os.environ.get("LD_AUDIT", "")
    paths = f"{before}:{audit.path}" if before else str(audit.path)
    environment = os.environ | {"LD_AUDIT": paths, "CSIDE_PROFILE_COUNTERS": str(file)}
    start, ticks = time.perf_counter_ns(), clock.cside_profile_ticks()
    try:
        program = subprocess.Popen(list(command), env=environment)
    except OSError as error:
        raise WrapError(f"{command[0]} cannot be run: {error.strerror}", "Write the command after --.") from error
    while True:
        try:
            exit_code = program.wait()
            break
        except KeyboardInterrupt:  # the program got it too, and decides
            continue
    return exit_code, time.perf_counter_ns() - start, clock.cside_profile_ticks() - ticks


def _notes(project: Project, audit: Audit, counts: dict[str, counters.Counts], objects: Sequence[str]) -> list[str]:
    """What was not counted, or what else explains that nothing was."""
    notes = []
    names = set(audit.functions)
    own = {path.resolve() for path in project.libraries}
    others = [path for one in objects if (path := Path(one)).is_file() and path.resolve() not in own]
    if strangers := sorted({one.place for one in counts.values() if one.place} & {str(path) for path in others}):
        notes.append(f"called was {', '.join(strangers)}, which is not the file that this project was read from")
    if twice := sorted(name for name, one in counts.items() if one.others):
        notes.append(f"the program has two copies of the library; one of them is counted: {_some(twice)}")
    if audit.uncounted:
        notes.append(f"not counted, since this machine has no stub for them: {_some(sorted(audit.uncounted))}")
    for path in others:
        if taken := symbols.taken_by_address(path, names):
            notes.append(f"{path} calls by address, which is not counted: {_some(sorted(taken))}")
    if any(one.calls for one in counts.values()):
        return notes
    holders = [(path, held) for path in others if (held := symbols.defined(path) & names)]
    for path, held in sorted(holders, key=lambda one: -len(one[1])):
        notes.append(
            f"{path} has {len(held)} of the {len(names)} functions in itself ({_some(sorted(held))}): "
            f"calls within a file pass no dynamic linker, and cannot be counted"
        )
    if not holders:
        loaded = [one for one in objects if Path(one).is_file() and Path(one).resolve() in own]
        notes.append(
            f"{loaded[0]} was loaded, and nothing outside of it called a function of the project"
            if loaded
            else "no file that the program loaded has a function of the project: a stripped copy may be in one of them"
        )
    return notes


def _some(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
