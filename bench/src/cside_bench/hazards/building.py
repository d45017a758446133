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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cside_bench.hazards.catalogue import Approach
from cside_bench.hazards.outcomes import shortened, tail
from cside_bench.hazards.prepared import Interpreter
from cside_bench.results.hazards import HazardError

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


def modules(
    sources: Path, folder: Path, interpreter: Interpreter, approaches: Sequence[Approach], workers: int = 2
) -> dict[tuple[str, str], Built]:
    """Build all modules of an interpreter into ``folder``; return the builds of single mistakes by approach and id."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compiled = [each for each in approaches if each.file]
    with ThreadPoolExecutor(workers) as pool:
        whole = {each.name: pool.submit(module, each, "", sources, folder, interpreter) for each in compiled}
        single = {
            (each.name, file.stem): pool.submit(module, each, file.stem, sources, folder, interpreter)
            for each in compiled
            for file in sorted((sources / each.name / "alone").glob("*.*"))
        }
        for name, job in whole.items():
            if job.result().problem:
                raise HazardError(f"{interpreter.label}: {name} does not build: {job.result().problem}")
        return {key: job.result() for key, job in single.items()}


def module(approach: Approach, alone: str, sources: Path, folder: Path, interpreter: Interpreter) -> Built:
    """Build one module, of all mistakes that build, or of the mistake ``alone``."""
    here = sources / approach.name
    file = here / "alone" / f"{alone}{Path(approach.file).suffix}" if alone else here / approach.file
    name = f"_alone_{approach.name}_{alone}" if alone else approach.module
    source = folder / f"{name}{file.suffix}"  # a generator may name the module after the file
    shutil.copy2(file, source)
    generated = source.with_suffix(".c")
    said = ""
    if approach.generate:
        values = {
            "python": interpreter.python,
            "scripts": interpreter.python.parent,
            "here": here,
            "source": source,
            "folder": folder,
            "name": name,
            "c": generated,
        }
        done = _run([word.format_map(values) for word in approach.generate])
        if done.returncode:
            return Built(_first(done.stderr, "error"), "")
        said = done.stderr
    target = folder / f"{name}{interpreter.suffix}"
    words = [*_compiler(), f"-I{interpreter.include}", f"-I{sources / 'native'}", str(generated), "-o", str(target)]
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
