# SPDX-License-Identifier: Apache-2.0
"""Which interpreters this machine has: those with environments that nox built, and others on the PATH, in pyenv, in uv.

Only looks, and asks each interpreter about itself; to build environments, and to fetch what is missing, is nox's work.
"""

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_bench.machine import checkout

PROGRAM: Final = re.compile(r"(python3\.\d+t?|pypy3(\.\d+)?)(\.exe)?")
OLDEST: Final = (3, 11)
SECONDS: Final = 20.0
"""That an interpreter may take to tell about itself."""

ASK: Final = """
import json, os, platform, sys, sysconfig
print(json.dumps({
    "implementation": sys.implementation.name,
    "version": list(sys.version_info[:2]),
    "release": platform.python_version(),
    "pypy": ".".join(map(str, sys.implementation.version[:3])) if sys.implementation.name == "pypy" else None,
    "final": sys.version_info[3] == "final",
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "headers": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
    "base": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
}))
"""


@dataclass(frozen=True, slots=True)
class Found:
    """One interpreter."""

    label: str
    """As in results: ``cpython-3.13``."""
    release: str
    """As ``3.13.0``; for PyPy also its own version."""
    executable: str
    """Of the interpreter itself, not of an environment."""
    headers: bool
    """Whether extensions can be built for it."""
    environment: str | None
    """The environment's interpreter, where nox has built bindings for it."""
    source: str
    """``environment``, ``PATH``, ``pyenv`` or ``uv``."""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


def ask(executable: Path) -> dict[str, Any] | None:
    """What an interpreter says of itself; None if it does not run."""
    try:
        done = subprocess.run(
            [str(executable), "-I", "-c", ASK],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        told = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return told if isinstance(told, dict) else None


def label_of(told: dict[str, Any]) -> str:
    """``cpython-3.14t``, ``pypy-3.11``."""
    version = ".".join(map(str, told["version"]))
    return f"{told['implementation']}-{version}{'t' if told['free_threaded'] else ''}"


def places() -> list[tuple[str, Path]]:
    """(source, program) of everything that may be an interpreter, in the order of preference."""
    found: dict[Path, str] = {}
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if not folder or Path(folder).name == "shims":  # a version manager's shims are scripts that may only complain
            continue
        if (Path(folder).parent / "pyvenv.cfg").exists():  # an environment: its base is found elsewhere
            continue
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        source = "pyenv" if f"{os.sep}.pyenv{os.sep}" in folder else "PATH"
        for name in names:
            if PROGRAM.fullmatch(name):
                found.setdefault(Path(folder, name).resolve(), source)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for path in sorted(pyenv.glob("versions/*/bin/python")):
        found.setdefault(path.resolve(), "pyenv")
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    managed = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python")
    for path in sorted(managed.glob("*/bin/python")):
        found.setdefault(path.resolve(), "uv")
    return [(source, path) for path, source in found.items()]


def search() -> list[Found]:
    """Every interpreter, sorted by label; of one label, that with an environment first, then those with headers."""
    wanted = [("environment", path, label) for label, path in checkout.environments().items()]
    wanted += [(source, path, "") for source, path in places()]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda entry: ask(entry[1]), wanted))
    found: dict[tuple[str, str], Found] = {}
    for (source, path, own), told in zip(wanted, answers, strict=True):
        if told is None or not told["final"] or tuple(told["version"]) < OLDEST:
            continue
        release = told["release"] + (f" (PyPy {told['pypy']})" if told["pypy"] else "")
        environment = str(path) if own else None
        label = own or label_of(told)
        one = Found(label, release, told["base"], told["headers"] or bool(own), environment, source)
        found.setdefault((label, one.executable), one)
    return sorted(found.values(), key=lambda it: (order(it.label), it.environment is None, not it.headers))


def order(label: str) -> tuple[str, int, int, str]:
    """Sort key: CPython before PyPy, versions by their numbers."""
    implementation, _, version = label.partition("-")
    major, _, minor = version.rstrip("t").partition(".")
    return implementation, int(major or 0), int(minor or 0), version
