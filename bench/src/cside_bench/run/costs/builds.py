# SPDX-License-Identifier: Apache-2.0
"""How long a binding's author waits for a build from nothing, and for a build after an edit in a folder that is kept.

Builds run one at a time. Each builds the whole wheel by its own build backend, in an environment that already holds
what the backend requires, so that the time for isolation and downloads is left out. A binding whose ``setup.py`` reads
``CSIDE_WITHOUT_VARIANTS`` is built without its variants; how many modules of variants were compiled nevertheless is
recorded. The command that builds a wheel comes from the manifest, which nox writes.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_bench.run.costs.lines import TESTS, VARIANTS, noun_of
from cside_bench.run.costs.sources import CostError, Sources

COMPILED: Final = (".so", ".pyd", ".dylib", ".dll")
MOST_BUILDS: Final = 3
ENOUGH_SECONDS: Final = 5.0
"""No further build of a kind is begun once those before it took this long together."""

INTERPRETED: Final = "Python"
EDITS: Final = {
    "C": "typedef int cside_edited_{};",
    "C++": "typedef int cside_edited_{};",
    "SWIG": "typedef int cside_edited_{};",
    "Cython": "ctypedef int cside_edited_{}",
    "Python": "_edited_{} = None",
}
"""The edit, by language: a declaration that changes nothing and that no tool can skip."""

CMAKE_OWN: Final = "CMakeFiles"
"""Folder of CMake's own files in a build, which become no part of a module."""

WRITTEN_BY_TOOLS: Final = {".c": "C", ".h": "C", ".cpp": "C++", ".cc": "C++", ".py": "Python", ".rs": "Rust"}


@dataclass(frozen=True, slots=True)
class Builder:
    """How a wheel is built for the interpreter that build times are measured on."""

    interpreter: str
    """The interpreter's label."""
    command: tuple[str, ...]
    """The command, to which ``--out-dir FOLDER SOURCE`` is appended."""
    path: str
    """The folder of the build environment's programs, which is put first on the ``PATH``."""

    def build(self, source: Path, made: Path) -> None:
        """Build the wheel of the package in ``source`` into the folder ``made``. Raises :class:`CostError`."""
        path = os.pathsep.join([self.path, os.environ.get("PATH", "")])
        log = made.parent.with_suffix(".log")  # beside the working folder, which is removed
        with log.open("wb") as sink:
            try:
                child = subprocess.Popen(
                    [*self.command, "--out-dir", str(made), str(source)],
                    stdin=subprocess.DEVNULL,
                    stdout=sink,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, "PATH": path, "CSIDE_WITHOUT_VARIANTS": "1"},
                    start_new_session=True,
                )
            except OSError as error:
                raise CostError(f"cannot run {self.command[0]}: {error}") from error
            try:
                code = child.wait()
            finally:
                if child.poll() is None:  # after Ctrl-C: end the build with the compilers that it started
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
        if code:
            last = (log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["no output"])[-1]
            raise CostError(f"the build ended with exit code {code}: {last}")
        if not list(made.glob("*.whl")):
            raise CostError("the build made no wheel")


def measure(
    sources: Sources,
    builder: Builder,
    work: Path,
    files: Iterable[Mapping[str, Any]],
    variants: Collection[str] = (),
) -> dict[str, Any]:
    """Measure seconds of builds, and list what the tools wrote during a build.

    ``files`` is the result of `lines.count`; ``variants`` are names of subpackages; ``work`` is a folder that is
    removed afterwards. Each build has two times. Wall-clock seconds are what the author waits. CPU seconds, of all
    programs of the build together, depend less on other load; they are ``None`` where the system does not tell. Raises
    :class:`CostError` where a build fails.
    """
    source, made = work / "source", work / "made"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)

    def clean() -> None:
        sources.copy_to(source)

    try:
        full = _repeated(builder, source, made, clean)
        written = written_by_tools(sources, source, variants)
        edited = edited_file(files)
        again: list[Took] = []
        if edited is not None:
            target, edit = source / str(edited["file"]), EDITS.get(str(edited["language"]), "")
            numbers = iter(range(MOST_BUILDS))

            def change() -> None:
                with target.open("a", encoding="utf-8") as text:
                    text.write("\n" + edit.format(next(numbers)) + "\n")

            again = _repeated(builder, source, made, change)
        compiled = variants_compiled(made, variants)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return {
        "clean_seconds": [each.wall for each in full],
        "clean_cpu_seconds": [each.cpu for each in full],
        "rebuild_seconds": [each.wall for each in again],
        "rebuild_cpu_seconds": [each.cpu for each in again],
        "variants_compiled": compiled,
        "rebuild_edited": edited["file"] if edited is not None else None,
        "written_by_tools": written,
    }


@dataclass(frozen=True)
class Took:
    """Seconds of one build."""

    wall: float
    cpu: float | None


def _cpu_seconds() -> float | None:
    """CPU seconds of all programs that this process started, directly or not, and that have ended."""
    if sys.platform == "win32":
        return None
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _repeated(builder: Builder, source: Path, made: Path, prepare: Callable[[], None]) -> list[Took]:
    """Time up to :data:`MOST_BUILDS` builds. ``prepare`` runs before each and is not timed."""
    took: list[Took] = []
    while len(took) < MOST_BUILDS and sum(each.wall for each in took) < ENOUGH_SECONDS:
        prepare()
        shutil.rmtree(made, ignore_errors=True)
        cpu, began = _cpu_seconds(), time.monotonic()
        builder.build(source, made)
        wall, cpu_now = time.monotonic() - began, _cpu_seconds()
        used = round(cpu_now - cpu, 3) if cpu_now is not None and cpu is not None else None
        took.append(Took(round(wall, 3), used))
    return took


def edited_file(files: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Choose the file to edit: the largest hand-written one that is compiled, or of Python where none is compiled.

    Templates, tests and stubs are left out, since they are no input of a build. ``None`` where no file is left.
    """
    inputs = [
        each
        for each in files
        if each["origin"] == "written"
        and not each["template"]
        and each["noun"] not in {TESTS, VARIANTS}
        and each["language"] in EDITS
    ]
    return max(
        inputs,
        key=lambda each: (each["language"] != INTERPRETED, each["code_lines"], str(each["file"])),
        default=None,
    )


def variants_compiled(made: Path, variants: Collection[str]) -> int:
    """How many shared objects of variants the wheel in ``made`` holds."""
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(COMPILED)]
    return sum(noun_of(name, variants) == VARIANTS for name in names)


def written_by_tools(sources: Sources, source: Path, variants: Collection[str] = ()) -> list[dict[str, Any]]:
    """List the source code that a build left in ``source`` beside the binding's own: file, language, lines, bytes.

    This finds what Cython, SWIG and cffi write for the compiler, wherever they put it. Files of variants are left out,
    and those by which CMake tries out the compiler.
    """
    own = {hashlib.sha256((sources.folder / name).read_bytes()).digest() for name in sources.files}
    found = []
    for file in sorted(source.rglob("*")):
        language = WRITTEN_BY_TOOLS.get(file.suffix)
        name = file.relative_to(source).as_posix()
        if language is None or not file.is_file() or name in sources.files or noun_of(name, variants) == VARIANTS:
            continue
        if CMAKE_OWN in file.relative_to(source).parts:
            continue
        content = file.read_bytes()
        if content and (digest := hashlib.sha256(content).digest()) not in own:
            own.add(digest)  # setuptools leaves a second copy beside the first
            lines = content.count(b"\n")
            found.append({"file": file.name, "language": language, "lines": lines, "bytes": len(content)})
    return found
