# SPDX-License-Identifier: Apache-2.0
"""The subjects of a run on a user's library: the packages of a project, and its workloads, as a file says them.

:mod:`cside_bench.library.staging` writes the file. Everything in it is data: which package each technique has, where it
is installed, which file of the library is to be loaded, and for each workload the calls that prepare its values and the
call that is timed. Values are written as

- ``null``, numbers, ``{"text": "…"}``, ``{"bytes": BASE64}``, ``{"buffer": BASE64}`` for a writable one
- ``{"step": N, "result": M}``: what the step N returned, or the value M of several
- ``{"make": CLASS, "values": {…}}``: an object of a class of the package
- ``{"callback": null}``: a function that takes anything and returns 0
"""

import base64
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from cside_suite.subjects.bindings import BindingError, Implementation


@dataclass(frozen=True, slots=True, order=True)
class Package(Implementation):
    """The package of one technique, which has all functions at its top level."""

    single: str = field(default="", compare=False)
    """Why the technique cannot load it twice; empty where it can."""

    @property
    def nouns(self) -> tuple[str, ...]:
        """The package itself."""
        return ("",)

    @property
    def features(self) -> frozenset[str]:
        """None: what a technique lacks was left out of its package, and of the workloads."""
        return frozenset()

    @property
    def gaps(self) -> Mapping[str, str]:
        """That it cannot be loaded twice, where the technique cannot do so, and nothing else."""
        return {"second-copy": self.single} if self.single else {}


@dataclass(frozen=True, slots=True)
class Workload:
    """A call of one function of the library."""

    name: str
    function: str
    says: str
    steps: list[dict[str, Any]]
    """Calls that are made once, each ``{"function": NAME, "arguments": […]}``."""
    arguments: list[Any]
    varies: bool
    """Whether results differ from call to call, so that they are not compared."""

    def prepared(self, package: ModuleType) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Return the function of a package and its arguments, after the steps."""
        results: list[Any] = []
        for step in self.steps:
            function = getattr(package, step["function"])
            results.append(function(*(value(it, package, results) for it in step["arguments"])))
        return getattr(package, self.function), tuple(value(it, package, results) for it in self.arguments)


def value(written: Any, package: ModuleType, results: list[Any]) -> Any:
    """Return the Python value of one that is written as above."""
    if not isinstance(written, dict):
        return written
    if "text" in written:
        return written["text"]
    if "bytes" in written:
        return base64.b64decode(written["bytes"])
    if "buffer" in written:
        return bytearray(base64.b64decode(written["buffer"]))
    if "step" in written:
        found = results[written["step"]]
        return found if written["result"] is None else found[written["result"]]
    if "make" in written:
        made = getattr(package, written["make"])
        return made(**{name: value(it, package, results) for name, it in written["values"].items()})
    return _callback


def _callback(*_: object) -> int:
    return 0


@dataclass(frozen=True)
class LibrarySet:
    """All subjects and workloads of one library."""

    name: str
    stem: str
    """The name of the library's file up to the first dot."""
    sha256: str
    files: list[str]
    """The library's files, which the driver has the dynamic linker load first: an interpreter may bring others."""
    paths: dict[str, list[str]]
    """The folders with the packages, by the interpreter's label."""
    packages: dict[str, dict[str, str]]
    """The importable name of each package by technique, by the interpreter's label."""
    single: dict[str, str]
    """The reason of each technique that cannot load a package twice."""
    entries: list[dict[str, Any]] = field(repr=False)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read the file."""
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        own = {name: found[name] for name in ("name", "stem", "sha256", "files", "paths", "packages")}
        return cls(**own, single=found.get("single", {}), entries=found["workloads"])

    @cached_property
    def workloads(self) -> dict[str, Workload]:
        """The workloads by name."""
        return {it["name"]: Workload(**{key: it[key] for key in Workload.__slots__}) for it in self.entries}

    def discover(self, label: str, names: list[str]) -> list[Implementation]:
        """Return the packages for an interpreter, or those of these techniques. Raises `BindingError` for others."""
        sys.path.extend(path for path in self.paths[label] if path not in sys.path)
        known = self.packages[label]
        if strange := [name for name in names if name not in known]:
            raise BindingError(f"{self.name} has no package of {', '.join(strange)}; there is: {', '.join(known)}")
        return [
            Package(name, target, target, single=self.single.get(name, ""))
            for name, target in sorted(known.items())
            if not names or name in names
        ]
