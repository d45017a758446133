# SPDX-License-Identifier: Apache-2.0
"""The interpreters: which of them a full run covers, which this machine has, and how the others are installed.

``cside_bench.machine.interpreter_search`` finds them; it is run as a program, by its path in the checkout, because
nothing is installed yet. Names are those of nox: ``3.13``, ``3.14t`` (free-threaded), ``pypy3.11``. Labels are those of
results:
``cpython-3.13``, ``cpython-3.14t``, ``pypy-3.11``.
"""

import functools
import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from provision import commands, debian, packages, paths, source_build, tools

MATRIX = ("3.11", "3.13", "3.14", "pypy3.11")
"""Interpreters that every full run covers. Those that the machine lacks are installed into ``.cside``."""

ON_REQUEST = ("3.12", "3.13t", "3.14t")
"""Interpreters that are used where they are found and asked for by name. Of these 3.13t alone is ever installed."""

DRIVER = "3.13"
"""The interpreter of the driver, the linters and the type checker, where it is there."""

SEARCH_SECONDS = 300
"""Time for the search, in which every interpreter of the machine is started."""


@dataclass(frozen=True)
class Interpreter:
    """One interpreter that extensions can be built for."""

    name: str
    executable: Path
    source: str
    """What installed it: ``system``, ``pyenv``, ``uv``, or from which suite of Debian it was unpacked or built,
    as ``debian-forky`` and ``debian-forky-source``."""
    facts: dict[str, Any]

    @property
    def label(self) -> str:
        """Its name in results."""
        return label_of(self.name)

    @property
    def is_pypy(self) -> bool:
        """Whether it is PyPy, which brings cffi with it."""
        return bool(self.facts["implementation"] == "pypy")

    def identity(self) -> dict[str, str]:
        """What a compiled module depends on, and the program's path. Where a value changes, wheels are built anew."""
        keys = ("version_text", "platform", "soabi", "ext_suffix", "compiler", "flags", "include")
        return {"executable": str(self.executable)} | {key: str(self.facts[key]) for key in keys}


@dataclass(frozen=True)
class Missing:
    """An interpreter that was neither found nor could be installed."""

    name: str
    reason: str
    install: str
    """The command that installs it."""

    @property
    def label(self) -> str:
        """Its name in results."""
        return label_of(self.name)

    def __str__(self) -> str:
        return f"{self.label} is not there: {self.reason}. To install it: {self.install}"


def label_of(name: str) -> str:
    """``pypy3.11`` to ``pypy-3.11``, ``3.13`` to ``cpython-3.13``."""
    return name.replace("pypy", "pypy-") if name.startswith("pypy") else f"cpython-{name}"


def name_of(text: str) -> str:
    """The name that is meant by ``cpython-3.13``, ``python3.13``, ``pypy-3.11`` or ``pypy@3.11``."""
    found = re.fullmatch(r"(?:(pypy)|(?:c?python))?[-@]?(\d+\.\d+t?)", text.strip().lower())
    if found is None:
        raise commands.Problem(f"not an interpreter's name: {text!r} (for example 3.13, 3.14t, pypy3.11)")
    return f"{found[1] or ''}{found[2]}"


@functools.cache
def _all_facts() -> tuple[dict[str, Any], ...]:
    """The facts of every interpreter of this machine and of ``.cside``, in the order of search."""
    program = packages.bench().folder / "src" / "cside_bench" / "machine" / "interpreter_search.py"
    ours = [*sorted(paths.INTERPRETERS.glob("uv/*/bin")), *sorted(paths.INTERPRETERS.glob("*/usr/bin"))]
    return tuple(json.loads(commands.output([sys.executable, "-I", program, *ours], timeout=SEARCH_SECONDS)))


def is_named(name: str, facts: dict[str, Any]) -> bool:
    """Whether an interpreter with these facts is the one that ``name`` means."""
    version = ".".join(map(str, facts["version"][:2])) + ("t" if facts["free_threaded"] else "")
    return name == ("pypy" if facts["implementation"] == "pypy" else "") + version


def candidates(name: str) -> list[Interpreter]:
    """All interpreters of this name, also those without headers, in the order of search."""
    found = [
        Interpreter(name, Path(facts["base_executable"]), facts["source"], facts)
        for facts in _all_facts()
        if is_named(name, facts)
    ]
    unpacked = debian.unpacked(name)
    if unpacked is not None:
        real, source = unpacked.executable.resolve(), f"debian-{unpacked.suite}"
        found = [
            replace(each, executable=unpacked.executable, source=source) if each.executable == real else each
            for each in found
        ]
    return found


def choose(found: list[Interpreter]) -> Interpreter | None:
    """Choose the interpreter to measure with, among those that have headers.

    An optimised build is preferred, then one that has the standard library's tests, then the newest version.
    """
    usable = [each for each in found if each.facts["headers"]]
    return max(
        usable,  # max keeps the first of equals, which is the order of search
        key=lambda each: (each.facts["optimised"], each.facts["stdlib_tests"], each.facts["version"]),
        default=None,
    )


def obtain(name: str) -> Interpreter | Missing:
    """The best interpreter of this name: one that is found, else one from uv, else one from Debian's archive.

    One beyond the matrix that :data:`source_build.SOURCES` names is built from source in the place of the last two.
    """
    found = candidates(name)
    best = choose(found)
    if best is not None:
        return best
    reasons = [f"{each.executable} has no headers (apt-get install {header_package(name)})" for each in found]
    if not found:
        reasons.append("not found on this machine")
    # No session that CI runs asks for another than those of the matrix, so CI never builds one.
    ways: tuple[Callable[[str], object], ...] = ()
    if name in MATRIX:
        ways = _from_uv, debian.obtain
    elif name in source_build.SOURCES:
        ways = (source_build.obtain,)
    for way in ways:
        try:
            way(name)
        except commands.Problem as problem:
            reasons.append(str(problem).splitlines()[0])
            continue
        _all_facts.cache_clear()
        best = choose(candidates(name))
        if best is not None:
            return best
    return Missing(name, "; ".join(reasons), install_command(name))


def header_package(name: str) -> str:
    """Debian's package of the C headers."""
    return "pypy3-dev" if name.startswith("pypy") else f"python{name}-dev"


def uv_request(name: str) -> str:
    """What uv calls the interpreter."""
    return f"pypy@{name[4:]}" if name.startswith("pypy") else name


def install_command(name: str) -> str:
    """The command that installs the interpreter: by apt where it has a package, by uv otherwise."""
    package = "pypy3" if name.startswith("pypy") else f"python{name}"
    if shutil.which("apt-cache") and not name.startswith("pypy"):  # Debian's pypy3 may be of another version
        try:
            if commands.output(["apt-cache", "madison", header_package(name)]).strip():
                return f"apt-get install {package} {header_package(name)}"
        except commands.Problem:
            pass
    return f"uv python install {uv_request(name)}"


_uv_failed = False


def _from_uv(name: str) -> None:
    """Let uv download the interpreter.

    Where uv's server cannot be reached, this fails within seconds and later calls fail at once.
    """
    global _uv_failed
    if _uv_failed:
        raise commands.Problem("uv could not download another interpreter before")
    commands.say(f"{label_of(name)}: asking uv for it")
    env = commands.environment(
        UV_PYTHON_DOWNLOADS="manual", UV_HTTP_TIMEOUT="8", UV_HTTP_CONNECT_TIMEOUT="8", UV_HTTP_RETRIES="0"
    )
    target = paths.INTERPRETERS / "uv"
    command = [tools.uv(), "python", "install", "--install-dir", target, uv_request(name)]
    if sys.platform != "win32":
        command.append("--no-bin")
    try:
        commands.run(command, log=f"uv-python-{name}", env=env, timeout=300)
    except commands.Problem as problem:
        _uv_failed = True
        raise commands.Problem(f"uv could not download it (see {paths.LOGS / f'uv-python-{name}.log'})") from problem
