# SPDX-License-Identifier: Apache-2.0
"""Builds the small library of the hazards, and a module of each compiled approach, as users build them by hand.

A mistake that a compiler or a generator may refuse has a file of its own in ``<approach>/alone/``, which becomes a
module of its own: a build that fails is the outcome of this mistake. Any other build has to succeed.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cside_bench.hazards.catalogue import Approach
from cside_bench.hazards.outcomes import shortened, tail
from cside_bench.hazards.prepared import Interpreter
from cside_bench.results.hazards import HazardError

MESSAGE: Final = re.compile(r"(?:error|warning|Warning \d+|Error \d*): ?(.*)", re.IGNORECASE)
OPTIONS: Final = ("-O2", "-fPIC")

Compilers = Mapping[str, Sequence[str]]
"""The command of the compiler for each suffix of source files."""


@dataclass(frozen=True, slots=True)
class Built:
    """The result of one build."""

    problem: str
    """The first error; empty where the build succeeded."""
    warned: str
    """The first warning; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where, of what, and with which compilers the modules of one interpreter are built."""

    sources: Path
    """The folder of the catalogue."""
    folder: Path
    """The folder of the modules; that above it has the small library."""
    interpreter: Interpreter
    compilers: Compilers

    def filled(self, words: Sequence[str], approach: Approach, **more: object) -> list[str]:
        """Return words of an approach with what their braces stand for."""
        values = {
            "python": self.interpreter.python,
            "scripts": self.interpreter.python.parent,
            "packages": self.interpreter.packages,
            "here": self.sources / approach.name,
            "folder": self.folder,
            **more,
        }
        return [word.format_map(values) for word in words]


def library(sources: Path, folder: Path, compilers: Compilers) -> Path:
    """Build the small library; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = sources / "native" / "hz.c", folder / "libhz.so"
    done = _run([*compilers[".c"], *OPTIONS, "-shared", "-std=c11", source, "-o", target, "-lpthread"])
    _must(done, "libhz")
    return target


def modules(place: Place, approaches: Sequence[Approach], workers: int = 2) -> dict[tuple[str, str], Built]:
    """Build all modules of an interpreter; return the builds of single mistakes by approach and id."""
    shutil.rmtree(place.folder, ignore_errors=True)
    place.folder.mkdir(parents=True)
    compiled = [each for each in approaches if each.file]
    with ThreadPoolExecutor(workers) as pool:
        shared = dict(pool.map(lambda each: (each.name, objects(each, place)), compiled))
        whole = {each.name: pool.submit(module, each, "", place, shared[each.name]) for each in compiled}
        single = {
            (each.name, file.stem): pool.submit(module, each, file.stem, place, shared[each.name])
            for each in compiled
            for file in sorted((place.sources / each.name / "alone").glob("*.*"))
        }
        for name, job in whole.items():
            if job.result().problem:
                raise HazardError(f"{place.interpreter.label}: {name} does not build: {job.result().problem}")
        return {key: job.result() for key, job in single.items()}


def objects(approach: Approach, place: Place) -> list[Path]:
    """Compile what goes into each module of an approach; return the paths of the object files."""
    made = []
    for source in map(Path, place.filled(approach.sources, approach)):
        target = place.folder / f"{approach.name}_{source.stem}.o"
        done = _run([*_compiling(approach, place, source), "-c", source, "-o", target])
        _must(done, f"{place.interpreter.label}: {source.name} of {approach.name}")
        made.append(target)
    return made


def module(approach: Approach, alone: str, place: Place, shared: Sequence[Path] = ()) -> Built:
    """Build one module, of all mistakes that build, or of the mistake ``alone``; object files ``shared`` go into it."""
    here = place.sources / approach.name
    file = here / "alone" / f"{alone}{Path(approach.file).suffix}" if alone else here / approach.file
    name = f"_alone_{approach.name}_{alone}" if alone else approach.module
    source = place.folder / f"{name}{file.suffix}"  # a generator may name the module after the file
    shutil.copy2(file, source)
    said = ""
    if approach.generate:
        generated = source.with_suffix(".c")
        done = _run(place.filled(approach.generate, approach, source=source, name=name, c=generated))
        if done.returncode:
            return Built(_first(done.stderr, "error"), "")
        said = done.stderr
        source = generated
    target = place.folder / f"{name}{place.interpreter.suffix}"
    words: list[str | Path] = [*_compiling(approach, place, source), "-shared", source, *shared, "-o", target]
    library_folder = place.folder.parent
    done = _run([*words, f"-L{library_folder}", "-lhz", f"-Wl,-rpath,{library_folder}"])
    if done.returncode:
        return Built(_first(done.stderr, "error"), "")
    said += done.stderr
    return Built("", _first(said, "warning") if "warning" in said.lower() else "")


def _compiling(approach: Approach, place: Place, source: Path) -> list[str]:
    """Return the compiler's command for a source file, up to what it is to do."""
    includes = (f"-I{place.interpreter.include}", f"-I{place.sources / 'native'}")
    return [*place.compilers[source.suffix], *OPTIONS, *place.filled(approach.options, approach), *includes]


def _run(words: Sequence[str | Path]) -> "subprocess.CompletedProcess[str]":
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
