# SPDX-License-Identifier: Apache-2.0
"""Reads a whole project: header, library, proof, drafts, rules."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler, exports
from cside_wrap.header import read as header_read
from cside_wrap.header.model import Header
from cside_wrap.header.proof import Proof, prove
from cside_wrap.project import lock, overrides, settings
from cside_wrap.roles.draft import draft_all
from cside_wrap.roles.form import Library
from cside_wrap.roles.plans import library
from cside_wrap.roles.refusals import refusals
from cside_wrap.roles.rules import apply
from cside_wrap.roles.vocabulary import Described, State

__all__ = ["Project", "check_lock", "read"]


@dataclass
class Project:
    """All that is known of a project."""

    folder: Path
    settings: settings.Settings
    overrides: overrides.Overrides
    header: Header
    proof: Proof
    libraries: tuple[Path, ...]
    described: dict[str, Described]
    not_exported: int
    """Functions that the headers declare and no library exports."""
    notes: list[str]
    seconds: float

    def states(self) -> Counter[State]:
        """How many functions are bound, asked and refused."""
        return Counter(one.state for one in self.described.values())

    def form(self) -> Library:
        """The intermediate form."""
        return library(self.described.values(), self.header)

    def sonames(self) -> tuple[str, ...]:
        """What a program loads each library by: its name where the loader finds it, else its path."""
        named = zip(self.settings.libraries, self.libraries, strict=True)
        return tuple(str(path) if Path(one).is_file() else exports.soname(path) for one, path in named)

    def unlinked(self) -> tuple[str, ...]:
        """The libraries that the loader would not find by the name that the linker takes from them.

        No file beside them has that name, so that a program has to load them by their path first.
        """
        named = zip(self.settings.libraries, self.libraries, strict=True)
        return tuple(
            str(path)
            for one, path in named
            if Path(one).is_file() and not (path.parent / exports.soname(path)).exists()
        )

    def lock(self) -> dict[str, Any]:
        """The content of cside.lock. Files have no folders, since these differ from machine to machine."""
        files = {Path(one.file) for one in self.header.functions.values()}
        return {
            "cside": _version("cside-wrap"),
            "libclang": _version("libclang"),
            "compiler": compiler.version(),
            "headers": {path.name: exports.sha256(path) for path in sorted(files)},
            "libraries": {exports.soname(path): exports.sha256(path) for path in self.libraries},
            "proven": dict(sorted(self.proof.proven.items())),
            "functions": {name: one.declaration for name, one in sorted(self.header.functions.items())},
        }


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def read(folder: Path, its: settings.Settings | None = None) -> Project:
    """Read the project in `folder`, or one with other settings. Raises `WrapError` where something is wrong."""
    started = time.perf_counter()
    its = its or settings.read(folder)
    decided = overrides.read(folder / overrides.NAME)
    flags = its.flags(folder)
    headers = its.header_paths(folder)
    libraries = tuple(exports.find(one, its.library_folders()) for one in its.libraries)
    exported = set().union(*(exports.functions(path) for path in libraries))
    header = header_read.read(headers, flags, exported)
    bindable = [one for one in header.functions.values() if one.name in exported]
    if not bindable:
        raise WrapError(
            f"{', '.join(one.name for one in libraries)} exports none of the functions that "
            f"{', '.join(its.headers)} declares",
            "Is it the library of this header? A C++ library exports mangled names, which are refused.",
        )
    proof = prove(header, headers, flags)
    for name in proof.names("value"):
        header.constants.pop(name, None)
    described = draft_all(header, refusals(header, proof.names("prototype", "size", "offset"), exported))
    notes = apply(described.values(), decided.rules, header)
    elapsed = time.perf_counter() - started
    return Project(folder, its, decided, header, proof, libraries, described, header.not_exported, notes, elapsed)


def check_lock(project: Project) -> list[str]:
    """What has changed since the lock file was written; empty where nothing did."""
    return lock.changes(lock.read(project.folder), project.lock())
