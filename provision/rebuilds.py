# SPDX-License-Identifier: Apache-2.0
"""How long a binding's author waits: for a build from nothing, and for one after an edit, in a folder that is kept.

One build at a time, of the whole wheel by its own build backend, in an environment that holds what it requires: what
isolation and downloads would add is left out. A binding whose ``setup.py`` heeds ``CSIDE_WITHOUT_VARIANTS`` is built
without its variants; how many of their modules were compiled nevertheless is told.
"""

import hashlib
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from provision import commands, tools
from provision.builders import Builder
from provision.linecount import TESTS, VARIANTS, noun_of
from provision.packages import Package, source_files
from provision.wheels import COMPILED

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
"""A declaration that changes nothing and that no tool can skip over; an empty line in any other language."""

WRITTEN_BY_TOOLS: Final = {".c": "C", ".h": "C", ".cpp": "C++", ".cc": "C++", ".py": "Python", ".rs": "Rust"}


def measure(
    package: Package,
    builder: Builder,
    work: Path,
    files: Iterable[Mapping[str, Any]],
    variants: Collection[str] = (),
) -> dict[str, Any]:
    """Seconds of builds, and what the tools wrote during one. ``work`` is a folder of our own, removed afterwards.

    ``files`` are those of `linecount.count`, ``variants`` names of subpackages. Seconds are by the clock, what the
    author waits, and of CPU, of all programs of a build together, which other load moves less; the latter are ``None``
    where the system does not tell. Raises `Problem` where a build fails.
    """
    source, made = work / "source", work / "made"
    shutil.rmtree(work, ignore_errors=True)

    def clean() -> None:
        package.copy_to(source)

    try:
        full = _repeated(package, builder, source, made, clean)
        written = written_by_tools(package, source, variants)
        edited = edited_file(files)
        again: list[Took] = []
        if edited is not None:
            target, edit = source / str(edited["file"]), EDITS.get(str(edited["language"]), "")
            numbers = iter(range(MOST_BUILDS))

            def change() -> None:
                with target.open("a", encoding="utf-8") as text:
                    text.write("\n" + edit.format(next(numbers)) + "\n")

            again = _repeated(package, builder, source, made, change)
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
    """Of all programs that have ended, started by this one and its children."""
    if sys.platform == "win32":
        return None
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _repeated(package: Package, builder: Builder, source: Path, made: Path, prepare: Callable[[], None]) -> list[Took]:
    """Seconds of up to :data:`MOST_BUILDS` builds, each after ``prepare``, which does not count."""
    took: list[Took] = []
    env = commands.environment(first_on_path=tools.scripts(builder.folder), CSIDE_WITHOUT_VARIANTS="1")
    command = [tools.uv(), "build", "--wheel", "--no-build-isolation", "--python", builder.python]
    while len(took) < MOST_BUILDS and sum(each.wall for each in took) < ENOUGH_SECONDS:
        prepare()
        shutil.rmtree(made, ignore_errors=True)
        cpu, began = _cpu_seconds(), time.monotonic()
        commands.run(
            [*command, "--out-dir", made, source],
            log=f"costs-{builder.label}-{package.distribution}",
            env=env,
        )
        wall, cpu_now = time.monotonic() - began, _cpu_seconds()
        used = round(cpu_now - cpu, 3) if cpu_now is not None and cpu is not None else None
        took.append(Took(round(wall, 3), used))
        if not list(made.glob("*.whl")):
            raise commands.Problem(f"{package.distribution}: the build made no wheel")
    return took


def edited_file(files: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The hand-written file to edit: the largest that is compiled, or the largest of Python where none is.

    ``None`` where there is neither. Templates, tests and stubs are none of a build's inputs.
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
    """Number of shared objects of variants in the wheel that was built last."""
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(COMPILED)]
    return sum(noun_of(name, variants) == VARIANTS for name in names)


def written_by_tools(package: Package, source: Path, variants: Collection[str] = ()) -> list[dict[str, Any]]:
    """Source code that a build left in ``source`` and that is no copy of the package's: file, language, lines, bytes.

    What Cython, SWIG and cffi write for the compiler is found so, wherever they put it. Variants' is left out.
    """
    own = {hashlib.sha256(file.read_bytes()).digest() for file in package.files()}
    before = {file.relative_to(package.folder) for file in source_files(package.folder)}
    found = []
    for file in sorted(source.rglob("*")):
        language = WRITTEN_BY_TOOLS.get(file.suffix)
        name = file.relative_to(source)
        if language is None or not file.is_file() or name in before:
            continue
        if noun_of(name.as_posix(), variants) == VARIANTS:
            continue
        content = file.read_bytes()
        if content and (digest := hashlib.sha256(content).digest()) not in own:
            own.add(digest)  # a second copy, as setuptools puts beside the first
            lines = content.count(b"\n")
            found.append({"file": file.name, "language": language, "lines": lines, "bytes": len(content)})
    return found
