# SPDX-License-Identifier: Apache-2.0
"""Unpack an interpreter from Debian's archive into ``.cside/interpreters``, without root and without a change of the
system.

The interpreter has a C library and a loader of its own, which only it uses, by an ``RPATH`` in its executable. That
path is absolute, so that an unpacked interpreter cannot be moved; one that does not run any more is unpacked again.
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from provision import commands, paths, tools

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


@dataclass(frozen=True)
class Recipe:
    """What to unpack: packages with their dependencies (``whole``), and packages without (``alone``)."""

    program: str
    suites: tuple[str, ...]
    whole: tuple[str, ...]
    alone: tuple[str, ...]


def _cpython(version: str, *suites: str) -> Recipe:
    library = f"libpython{version}"
    return Recipe(f"python{version}", suites, (f"python{version}",), (f"{library}-dev", f"{library}-testsuite"))


RECIPES = {
    "3.11": _cpython("3.11", "bookworm"),
    "3.13": _cpython("3.13", "trixie", "forky"),
    "3.14": _cpython("3.14", "forky"),
    # forky is still changing; the PyPy of trixie is older and does not change
    "pypy3.11": Recipe("pypy3.11", ("forky", "trixie"), ("pypy3",), ("pypy3-dev", "pypy3-lib-testsuite")),
}


@dataclass(frozen=True)
class Unpacked:
    """An interpreter that was unpacked and ran."""

    executable: Path
    suite: str
    """The suite of Debian, with ``-source`` after it if it was built from source."""


def unpacked(name: str) -> Unpacked | None:
    """The interpreter of this name that was unpacked, or built, before; None where there is none."""
    folder = paths.INTERPRETERS / name
    told = paths.read_json(folder / "cside.json")
    executable = folder / "usr" / "bin" / str(told.get("program"))
    suite = str(told.get("suite", "")) + ("-source" if "built_from" in told else "")
    return Unpacked(executable, suite) if suite and executable.exists() else None


def obtain(name: str) -> None:
    """Unpack the interpreter ``name``. Raises `Problem` where that is not possible on this machine."""
    recipe = RECIPES.get(name)
    if recipe is None:
        raise commands.Problem("it is not installed from Debian's archive")
    lacking = [program for program in ("apt-get", "apt-cache", "dpkg", "dpkg-deb") if not shutil.which(program)]
    if lacking or sys.platform != "linux":
        raise commands.Problem("not a Debian-like machine, so nothing can be unpacked from Debian's archive")
    if not KEYRING.exists():
        raise commands.Problem("Debian's archive cannot be verified: apt-get install debian-archive-keyring")

    def unpack(suite: str) -> None:
        commands.say(f"{name}: unpacking it from Debian {suite} into {paths.INTERPRETERS / name}")
        _unpack(name, recipe, suite)

    in_turn(recipe.suites, unpack)


def in_turn(suites: Iterable[str], attempt: Callable[[str], None]) -> None:
    """Try a suite of Debian's archive after the other, until one succeeds. Raises `Problem` if none does."""
    reasons = []
    for suite in suites:
        try:
            attempt(suite)
        except commands.Problem as problem:
            reasons.append(f"Debian {suite}: {str(problem).splitlines()[0]}")
        else:
            return
    raise commands.Problem("; ".join(reasons))


def mirror(sources: str | None = None) -> str:
    """The Debian mirror: ``CSIDE_DEBIAN_MIRROR``, else the one that apt uses."""
    if os.environ.get("CSIDE_DEBIAN_MIRROR"):
        return os.environ["CSIDE_DEBIAN_MIRROR"]
    if sources is None:
        files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
        kept = [file for file in files if file.suffix in {".list", ".sources"} and file.is_file()]
        sources = "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in kept)
    found = re.search(r"^(?:URIs:|deb(?:\s+\[[^]]*\])?)\s+(https?://\S+/debian)/?(?:\s|$)", sources, re.MULTILINE)
    if found is None:
        raise commands.Problem("no Debian mirror in apt's sources (CSIDE_DEBIAN_MIRROR names one)")
    return found[1]


def apt_configuration(folder: Path, suite: str, *, kind: str = "deb") -> Path:
    """Configure apt for one suite, with lists, cache and an empty state in ``folder`` instead of the system's.

    ``kind`` is ``deb`` for packages, ``deb-src`` for their sources.
    """
    for name in ("lists/partial", "cache/archives/partial", "debs", "parts"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    sources = folder / "sources.list"
    sources.write_text(f"{kind} [signed-by={KEYRING}] {mirror()} {suite} main\n", encoding="utf-8")
    machine = commands.output(["dpkg", "--print-architecture"]).strip()
    options = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": folder / "parts",
        "Dir::Etc::PreferencesParts": folder / "parts",
        "Dir::State::Lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "APT::Architecture": machine,
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
        "Debug::NoLocking": "true",
    }
    configuration = folder / "apt.conf"
    configuration.write_text("".join(f'{key} "{value}";\n' for key, value in options.items()), encoding="utf-8")
    return configuration


def _unpack(name: str, recipe: Recipe, suite: str) -> None:
    target = paths.INTERPRETERS / name
    beside = paths.INTERPRETERS / f"{name}.partial"
    paths.INTERPRETERS.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(beside, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="cside-apt-") as temporary:
        folder = Path(temporary)
        env = commands.environment(APT_CONFIG=str(apt_configuration(folder, suite)))
        commands.run(["apt-get", "-q", "update"], log=f"debian-{name}-update", env=env, timeout=300)
        plan = commands.output(["apt-get", "-s", "install", *recipe.whole], env=env, timeout=120)
        packages = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
        download = ["apt-get", "-q", "download", *packages, *recipe.alone]
        commands.run(download, log=f"debian-{name}-download", env=env, cwd=folder / "debs", timeout=900)
        beside.mkdir()
        for archive in sorted((folder / "debs").glob("*.deb")):
            commands.run(["dpkg-deb", "-x", archive, beside], log=f"debian-{name}-unpack", env=env)
    _settle(beside, target, recipe.program)
    shutil.rmtree(target, ignore_errors=True)
    beside.rename(target)
    executable = target / "usr" / "bin" / recipe.program
    try:
        commands.output([executable, "-c", "import sys, ssl, ctypes, zlib, sqlite3"])
    except commands.Problem:
        shutil.rmtree(target, ignore_errors=True)
        raise
    paths.write_json(target / "cside.json", {"suite": suite, "program": recipe.program})


def _settle(prefix: Path, target: Path, program: str) -> None:
    """Change the files in ``prefix`` so that the interpreter runs once they are in ``target``."""
    libraries = next(iter(sorted((prefix / "usr" / "lib").glob("*-linux-*"))), None)
    loader = next(iter(sorted(libraries.glob("ld-linux*.so.*"))), None) if libraries else None
    if libraries is None or loader is None:
        raise commands.Problem("no loader among the unpacked files")
    home = target / "usr" / "lib" / libraries.name
    # RPATH, unlike RUNPATH, also holds for what the executable loads, so the newer C library stays private to it
    change = ["--set-interpreter", home / loader.name, "--force-rpath", "--set-rpath", home]
    commands.run([tools.patchelf(), *change, prefix / "usr" / "bin" / program], log=f"debian-{target.name}-patchelf")
    # Debian's pyconfig.h refers to one in a folder per architecture, which a compiler outside Debian's layout
    # cannot find without seeing the newer C library's headers too
    for header in (prefix / "usr" / "include").glob("*-linux-*/python3*/pyconfig.h"):
        flat = prefix / "usr" / "include" / header.parent.name / "pyconfig.h"
        if flat.parent.exists():
            flat.unlink(missing_ok=True)
            shutil.copyfile(header, flat)
    # Debian leaves out the C source that PyPy's _testcapi compiles when imported: without the module too, the standard
    # library's tests see an ImportError, which they expect, and not a FileNotFoundError
    for module in (prefix / "usr" / "lib").glob("pypy3*/_testcapi.py"):
        if not module.with_name("_testcapimodule.c").exists():
            module.unlink()
