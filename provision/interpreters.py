# SPDX-License-Identifier: Apache-2.0
"""The interpreters: which are promised, which this machine has, and how the others are had.

Names are those of nox: ``3.13``, ``3.14t`` (free-threaded), ``pypy3.11``. Labels are those of results:
``cpython-3.13``, ``cpython-3.14t``, ``pypy-3.11``.
"""

import glob
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provision import commands, debian, paths, tools

MATRIX = ("3.11", "3.13", "3.14", "pypy3.11")
"""What every full run covers; what the machine lacks of it is provisioned."""

ON_REQUEST = ("3.12", "3.13t", "3.14t")
"""Used where found and asked for by name; never provisioned."""

DRIVER = "3.13"
"""What the driver, the linters and the type checker run on, where it is there."""

PROBE = Path(__file__).with_name("probe.py")


@dataclass(frozen=True)
class Interpreter:
    """One interpreter that extensions can be built for."""

    name: str
    executable: Path
    source: str
    """Where it came from: system, pyenv, uv, or Debian's suite as ``debian-forky``."""
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
        """What a compiled module depends on, and the file itself: a changed value means a new build."""
        keys = ("version_text", "platform", "soabi", "ext_suffix", "compiler", "flags", "include")
        return {"executable": str(self.executable)} | {key: str(self.facts[key]) for key in keys}


@dataclass(frozen=True)
class Missing:
    """An interpreter that could not be had."""

    name: str
    reason: str
    install: str
    """A command that gets it."""

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
    """The name behind any way to write it: ``cpython-3.13``, ``python3.13``, ``pypy-3.11``, ``pypy@3.11``."""
    found = re.fullmatch(r"(?:(pypy)|(?:c?python))?[-@]?(\d+\.\d+t?)", text.strip().lower())
    if found is None:
        raise commands.Problem(f"not an interpreter's name: {text!r} (for example 3.13, 3.14t, pypy3.11)")
    return f"{found[1] or ''}{found[2]}"


def _patterns(name: str) -> Iterator[tuple[str, str]]:
    """(source, glob) of places where an interpreter of this name may be, in order."""
    pypy = name.startswith("pypy")
    exact = name if pypy else f"python{name}"
    programs = (exact, "pypy3") if pypy else (exact, "python3", "python")
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    for folder in dict.fromkeys(folders):
        if folder and Path(folder).name != "shims":  # a version manager's shims are scripts that may only complain
            for program in programs:
                source = "pyenv" if f"{os.sep}.pyenv{os.sep}" in folder else "system"
                yield source, os.path.join(glob.escape(folder), program + (".exe" if os.name == "nt" else ""))
    pyenv = os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv")
    version = f"{name}-*" if pypy else (f"{name[:-1]}*t" if name.endswith("t") else f"{name}*")
    yield "pyenv", os.path.join(glob.escape(pyenv), "versions", version, "bin", "pypy3" if pypy else "python")
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    managed = os.environ.get("UV_PYTHON_INSTALL_DIR") or os.path.join(data, "uv", "python")
    for root in (managed, str(paths.INTERPRETERS / "uv")):
        kind = f"pypy-{name[4:]}*" if pypy else f"cpython-{name.rstrip('t')}*"
        yield "uv", os.path.join(glob.escape(root), kind, "bin", exact)


def probe(executable: Path) -> dict[str, Any] | None:
    """What an interpreter says of itself; None if it does not run."""
    try:
        found = json.loads(commands.output([executable, "-I", PROBE], timeout=30))
    except (commands.Problem, ValueError):
        return None
    if not isinstance(found, dict):
        return None
    base = Path(str(found.get("base_executable", "")))
    if found.get("virtual") and base.exists() and base != executable:
        return probe(base)
    return found


def is_named(name: str, facts: dict[str, Any]) -> bool:
    """Whether an interpreter with these facts is the one that ``name`` means."""
    version = ".".join(map(str, facts["version"][:2])) + ("t" if facts["free_threaded"] else "")
    return name == ("pypy" if facts["implementation"] == "pypy" else "") + version


def candidates(name: str) -> list[Interpreter]:
    """All interpreters of this name on the machine, those without headers too, in the order of search."""
    seen: dict[str, Interpreter] = {}
    asked: set[str] = set()
    for source, pattern in _patterns(name):
        for path in sorted(glob.glob(pattern), reverse=True):
            real = os.path.realpath(path)
            # an environment's python is a link to its base, and says something else than the base when asked
            key = path if os.path.exists(os.path.join(os.path.dirname(path), "..", "pyvenv.cfg")) else real
            if key in asked:
                continue
            asked.add(key)
            facts = probe(Path(key))
            if facts is None or facts["debug"] or not facts["final"] or not is_named(name, facts):
                continue
            base = str(facts["base_executable"])
            kind = "uv" if f"{os.sep}uv{os.sep}" in base else "pyenv" if f"{os.sep}.pyenv{os.sep}" in base else source
            seen.setdefault(base, Interpreter(name, Path(base), kind, facts))
    unpacked = debian.unpacked(name)
    if unpacked is not None:
        facts = probe(unpacked.executable)
        if facts is not None and is_named(name, facts):
            seen.setdefault(
                str(unpacked.executable), Interpreter(name, unpacked.executable, f"debian-{unpacked.suite}", facts)
            )
    return list(seen.values())


def choose(found: list[Interpreter]) -> Interpreter | None:
    """The one to measure: with headers; an optimised build first, then one that has ``test``, then the newest."""
    usable = [each for each in found if each.facts["headers"]]
    return max(
        usable,  # max keeps the first of equals, which is the order of search
        key=lambda each: (each.facts["optimised"], each.facts["stdlib_tests"], each.facts["version"]),
        default=None,
    )


def obtain(name: str) -> Interpreter | Missing:
    """The best interpreter of this name: found, else from uv, else unpacked from Debian's archive."""
    found = candidates(name)
    best = choose(found)
    if best is not None:
        return best
    reasons = [f"{each.executable} has no headers (apt-get install {header_package(name)})" for each in found]
    if not found:
        reasons.append("not found on this machine")
    if name in MATRIX:
        for way in (_from_uv, debian.obtain):
            try:
                way(name)
            except commands.Problem as problem:
                reasons.append(str(problem).splitlines()[0])
                continue
            best = choose(candidates(name))
            if best is not None:
                return best
    return Missing(name, "; ".join(reasons), install_command(name))


def header_package(name: str) -> str:
    """Debian's package of the C headers."""
    return "pypy3-dev" if name.startswith("pypy") else f"python{name}-dev"


def uv_request(name: str) -> str:
    """How uv calls it."""
    return f"pypy@{name[4:]}" if name.startswith("pypy") else name


def install_command(name: str) -> str:
    """A command that gets it: the system's package where apt knows one, uv otherwise."""
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
    """Have uv download it; fails fast where its server cannot be reached, and is asked only once a run then."""
    global _uv_failed
    if _uv_failed:
        raise commands.Problem("uv could not download an interpreter before")
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
