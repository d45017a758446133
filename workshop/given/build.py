# SPDX-License-Identifier: Apache-2.0
"""Compile what stands in this folder: ``python build.py``, or ``python build.py with_cython.pyx``.

A file's name says what it is:

NAME.c with NAME.h  a C library, libNAME
with_cext.c         a C extension
build_cffi.py       a cffi module in API mode; it writes _with_cffi.c
with_cython.pyx     a Cython module
with_swig.i         a SWIG module

Each command is printed before it runs; with ``--quiet`` only those that fail, with their last lines. What is newer than
its sources is not built again.
"""

import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import cside_native

HERE = Path(__file__).resolve().parent
MAC = sys.platform == "darwin"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
CC = shlex.split(os.environ.get("CC", "cc"))
LIBRARY = ["-dynamiclib"] if MAC else ["-shared", "-fPIC"]
MODULE = ["-bundle", "-undefined", "dynamic_lookup"] if MAC else ["-shared", "-fPIC"]


def libraries() -> list[Path]:
    """The C sources of this folder that have a header."""
    return sorted(file for file in HERE.glob("*.c") if file.with_suffix(".h").exists())


def library(source: Path) -> Path:
    """Where the library of a source is built."""
    return source.with_name(f"lib{source.stem}.{'dylib' if MAC else 'so'}")


def module(source: str, name: str) -> list[str]:
    """The command that compiles a C file into an extension module, linked to the libraries here and to libcside."""
    linked = [library(each) for each in libraries()] + [cside_native.library()]
    found = [f"-Wl,-rpath,{folder}" for folder in dict.fromkeys(each.parent for each in linked)]
    headers = ["-I", sysconfig.get_path("include"), "-I", str(cside_native.include_dir()), "-I", "."]
    return [*CC, "-O1", "-Wall", "-Wno-unused-function", *MODULE, *headers, source, "-o", f"{name}{SUFFIX}",
            *map(str, linked), *found]  # fmt: skip


def recipes() -> Iterator[tuple[list[str], str, list[list[str]]]]:
    """For each thing to build: its sources, the file that comes out, and the commands."""
    own = [name for source in libraries() for name in (source.name, source.with_suffix(".h").name)]
    for source in libraries():
        made = library(source)
        named = ["-install_name", f"@rpath/{made.name}"] if MAC else []
        yield (
            [source.name, f"{source.stem}.h"],
            made.name,
            [[*CC, "-O1", "-Wall", *LIBRARY, *named, source.name, "-o", made.name]],
        )
    beside = Path(sys.executable).parent
    for source, name, before in (
        ("with_cext.c", "with_cext", []),
        ("build_cffi.py", "_with_cffi", [sys.executable, "build_cffi.py"]),
        ("with_cython.pyx", "with_cython", [sys.executable, "-m", "cython", "-3", "with_cython.pyx"]),
        ("with_swig.i", "_with_swig", [str(beside / "swig"), "-python", "with_swig.i"]),
    ):
        if (HERE / source).exists():
            c_file = {"build_cffi.py": "_with_cffi.c", "with_swig.i": "with_swig_wrap.c"}.get(source, f"{name}.c")
            yield [source, *own], f"{name}{SUFFIX}", [*([before] if before else []), module(c_file, name)]


def is_new(made: str, sources: list[str]) -> bool:
    """Whether a file was made after its sources."""
    target = HERE / made
    return target.exists() and all((HERE / each).stat().st_mtime <= target.stat().st_mtime for each in sources)


def run(command: list[str], quiet: bool) -> bool:
    """Run a command and return whether it succeeded."""
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    if not quiet or done.returncode:
        print("$", shlex.join(command))
        lines = (done.stdout + done.stderr).strip().splitlines()[-10 if quiet else 0 :]
        print(*lines, sep="\n", end="\n" if lines else "")
    return done.returncode == 0


def main() -> int:
    """Build what is named, or everything; return 1 if something could not be built."""
    words = sys.argv[1:]
    quiet = "--quiet" in words
    named = {Path(word).name for word in words if word != "--quiet"}
    failed = False
    for sources, made, commands in recipes():
        if (named and not named & set(sources)) or is_new(made, sources):
            continue
        (HERE / made).unlink(missing_ok=True)  # what is left of an older build would hide that this one fails
        failed = not all(run(command, quiet) for command in commands) or failed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
