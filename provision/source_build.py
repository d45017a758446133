# SPDX-License-Identifier: Apache-2.0
"""Build a free-threaded CPython from the source of Debian's archive into ``.cside/interpreters``.

Few systems have a package of one. The archive has the sources of the ordinary build; apt verifies them by the archive's
signature, as it verifies packages. They are built as CPython's developers published them, without Debian's changes.
"""

import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from provision import commands, debian, paths, toolchain

SOURCES = {"3.13t": ("python3.13", ("forky", "trixie"))}
"""The source package of an interpreter, and the suites that have it, of which the first that answers is used."""

OPTIONS = ("--disable-gil", "--disable-test-modules", "--with-ensurepip=no")
"""No optimised build (``--enable-optimizations``), which takes three times as long: it is for tests only."""

NEEDED = ("_ctypes", "_ssl", "_sqlite3", "zlib", "_lzma", "_bz2")
"""Modules that the suite and its tools import, and that are left out where the headers of a library are missing."""

SECONDS = 3 * 3600


def obtain(name: str) -> None:
    """Build the interpreter ``name``. Raises `Problem` where that is not possible on this machine."""
    if name not in SOURCES:
        raise commands.Problem("there is no recipe for building it")
    lacking = [program for program in ("apt-get", "make") if not shutil.which(program)]
    if sys.platform != "linux" or lacking or not debian.KEYRING.exists():
        raise commands.Problem(
            "it can be built on Debian-like machines with make and debian-archive-keyring only"
            + (f" (missing: {', '.join(lacking)})" if lacking else "")
        )
    toolchain.check()
    package, suites = SOURCES[name]
    debian.in_turn(suites, lambda suite: _build(name, package, suite))


def _build(name: str, package: str, suite: str) -> None:
    """Fetch, build and install; the interpreter appears in its folder in one step, after it has run."""
    target = paths.INTERPRETERS / name
    work = paths.BUILD / "interpreters" / name
    shutil.rmtree(work, ignore_errors=True)
    source = work / "source"
    source.mkdir(parents=True)
    began = time.monotonic()
    archive = _fetch(name, package, suite, work)
    commands.say(f"{name}: building {archive.name} with {_jobs()} jobs; this takes a while, once")
    commands.run(["tar", "-C", source, "--strip-components=1", "-xf", archive], log=f"source-{name}-unpack")
    prefix = target / "usr"
    log = f"source-{name}"
    commands.run(
        [source / "configure", f"--prefix={prefix}", *OPTIONS], log=f"{log}-configure", cwd=source, timeout=SECONDS
    )
    commands.run(["make", f"-j{_jobs()}"], log=f"{log}-make", cwd=source, timeout=SECONDS)
    destination = work / "installed"
    commands.run(["make", "install", f"DESTDIR={destination}"], log=f"{log}-install", cwd=source, timeout=SECONDS)
    made = destination / target.relative_to(target.anchor)
    executable = made / "usr" / "bin" / f"python{name.rstrip('t')}"
    check = f"import sys, {', '.join(NEEDED)}; assert not sys._is_gil_enabled()"
    commands.output([executable, "-I", "-c", check])
    paths.write_json(made / "cside.json", {"suite": suite, "program": executable.name, "built_from": archive.name})
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    made.rename(target)
    shutil.rmtree(work, ignore_errors=True)
    commands.say(f"{name}: built in {(time.monotonic() - began) / 60:.0f} min")


def _fetch(name: str, package: str, suite: str, folder: Path) -> Path:
    """Let apt download the source package; return the archive of CPython's own source in it."""
    with tempfile.TemporaryDirectory(prefix="cside-apt-") as temporary:
        configuration = debian.apt_configuration(Path(temporary), suite, kind="deb-src")
        env = commands.environment(APT_CONFIG=str(configuration))
        commands.say(f"{name}: fetching the source of {package} from Debian {suite}")
        commands.run(["apt-get", "-q", "update"], log=f"source-{name}-update", env=env, timeout=300)
        download = ["apt-get", "-q", "source", "--download-only", package]
        commands.run(download, log=f"source-{name}-download", env=env, cwd=folder, timeout=900)
    found = [file for file in folder.iterdir() if re.fullmatch(rf"{re.escape(package)}_.*\.orig\.tar\.\w+", file.name)]
    if len(found) != 1:
        raise commands.Problem(f"the source package holds {len(found)} archives of CPython's source")
    return found[0]


def _jobs() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
