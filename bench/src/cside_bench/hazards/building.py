# SPDX-License-Identifier: Apache-2.0
"""Builds the small library of the hazards, and a module of each compiled approach, as users build them by hand.

A mistake that a compiler or a generator may refuse has a file of its own in ``<approach>/alone/``, which becomes a
module of its own: a build that fails is the outcome of this mistake. Any other build has to succeed.
"""

import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cside_bench.hazards.outcomes import shortened, tail
from cside_bench.hazards.prepared import Interpreter
from cside_bench.results.hazards import HazardError

WHOLE: Final = {
    "cext": "_hz_cext.c",
    "cython": "with_cython.pyx",
    "swig": "hz_swig.i",
    "cffi": "mistakes.cdef",
}
"""The file of each compiled approach that has all mistakes that build."""

MESSAGE: Final = re.compile(r"(?:error|warning|Warning \d+|Error \d*): ?(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Built:
    """The result of one build."""

    problem: str
    """The first error; empty where the build succeeded."""
    warned: str
    """The first warning; empty where there is none."""


def library(sources: Path, folder: Path) -> Path:
    """Build the small library; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "libhz.so"
    _must(_run([*_compiler(), "-std=c11", str(sources / "native" / "hz.c"), "-o", str(target), "-lpthread"]), "libhz")
    return target


def modules(sources: Path, folder: Path, interpreter: Interpreter, workers: int = 2) -> dict[tuple[str, str], Built]:
    """Build all modules of an interpreter into ``folder``; return the builds of single mistakes by approach and id."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    alone = {
        (approach, source.stem): source
        for approach in WHOLE
        for source in sorted((sources / approach / "alone").glob("*.*"))
    }
    with ThreadPoolExecutor(workers) as pool:
        whole = {
            approach: pool.submit(module, approach, "", sources / approach / file, folder, interpreter)
            for approach, file in WHOLE.items()
        }
        single = {
            (approach, name): pool.submit(module, approach, name, source, folder, interpreter)
            for (approach, name), source in alone.items()
        }
        for approach, job in whole.items():
            if job.result().problem:
                raise HazardError(f"{interpreter.label}: {approach} does not build: {job.result().problem}")
        return {key: job.result() for key, job in single.items()}


def module(approach: str, alone: str, source: Path, folder: Path, interpreter: Interpreter) -> Built:
    """Build one module; ``alone`` names the mistake if the module has it alone."""
    own = f"alone_{approach}_{alone}"
    name = f"_{own}" if alone else {"cython": "with_cython", "swig": "_hz_swig"}.get(approach, f"_hz_{approach}")
    generated = folder / f"{name}.c"
    python = str(interpreter.python)
    said = ""
    if approach == "cython":
        copy = folder / f"{name}.pyx"  # Cython names the module after the file
        shutil.copy2(source, copy)
        command = [python, "-m", "cython", str(copy), "-o", str(generated)]
    elif approach == "swig":
        swig = str(interpreter.python.with_name("swig"))
        command = [swig, "-python", "-outdir", str(folder), "-o", str(generated), str(source)]
    elif approach == "cffi":
        command = [python, str(source.parents[1 if alone else 0] / "emit.py"), str(source), name, str(generated)]
    else:
        generated, command = source, []
    if command:
        done = _run(command)
        if done.returncode:
            return Built(_first(done.stderr, "error"), "")
        said = done.stderr
    native = source.parents[2 if alone else 1] / "native"
    target = folder / f"{name}{interpreter.suffix}"
    words = [*_compiler(), f"-I{interpreter.include}", f"-I{native}", str(generated), "-o", str(target)]
    done = _run([*words, f"-L{folder.parent}", "-lhz", f"-Wl,-rpath,{folder.parent}"])
    if done.returncode:
        return Built(_first(done.stderr, "error"), "")
    said += done.stderr
    return Built("", _first(said, "warning") if "warning" in said.lower() else "")


def _compiler() -> list[str]:
    return [*shlex.split(os.environ.get("CC", "cc")), "-O2", "-shared", "-fPIC"]


def _run(words: list[str]) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(words, capture_output=True, text=True, check=False, env={**kept, "LC_ALL": "C"})


def _must(done: "subprocess.CompletedProcess[str]", what: str) -> None:
    if done.returncode:
        raise HazardError(f"{what} does not build: {tail(done.stderr)}")


def _first(text: str, kind: str) -> str:
    """The first message of a kind, without the place, which has a path of this machine."""
    for line in text.splitlines():
        found = MESSAGE.search(line)
        if found is not None and kind in line.lower():
            return shortened(re.sub(r"\S*/", "…/", found[1]))
    return tail(re.sub(r"\S*/", "…/", text))
