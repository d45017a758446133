# SPDX-License-Identifier: Apache-2.0
"""Reads ``shapes.toml``, the shape of each workload in the terms of a call's cost, and the costs of a run."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_bench.results.evidence import Run
from cside_bench.results.files import read_document

FILE: Final = "shapes.json"
"""Name of a run's file with the costs that were fitted to it."""
FORMAT: Final = 1
"""Version of the format of ``shapes.json``."""
RELEASED: Final = "released"
"""The term that counts only in cells of an approach that chooses between holding and releasing the GIL."""

Shape = dict[str, float]
"""How often each term occurs in a call, for the terms that do."""


@dataclass(frozen=True, slots=True)
class Term:
    """One part of the cost of a call."""

    name: str
    title: str
    says: str
    like: str = ""
    """The term that stands for this one on an interpreter on which no measured call has it; empty for none."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The content of ``shapes.toml``."""

    terms: tuple[Term, ...]
    fitted: dict[str, Shape]
    """Shapes of the workloads to which costs are fitted, by key."""
    held_out: dict[str, Shape]
    """Shapes of the workloads that are predicted and never fitted, by key."""
    left_out: dict[str, str]
    """Reasons why a workload is in neither."""

    def key(self, workload: str) -> str | None:
        """Return the key of a workload in one of the three tables; None if there is none."""
        tables = {**self.fitted, **self.held_out, **self.left_out}
        return next((key for key in keys(workload) if key in tables), None)


def keys(workload: str) -> list[str]:
    """Return the keys under which a workload may stand, the longest first.

    ``pkcs11.find[10-token]`` may stand as that, as ``pkcs11.find[10]``, without the module, or as ``pkcs11.find``.
    """
    base, _, parameters = workload.rstrip("]").partition("[")
    found = [workload]
    if base.startswith("pkcs11.") and "-" in parameters:
        found.append(f"{base}[{parameters.rpartition('-')[0]}]")
    return [*found, base] if parameters else found


def kind(workload: str) -> str:
    """Return the function or program that a workload calls: its name without parameters.

    Workloads of one kind differ in sizes and values. They are no independent tries of a prediction.
    """
    return workload.partition("[")[0]


@lru_cache(maxsize=1)
def load() -> Shapes:
    """Read ``shapes.toml``. Raises `ValueError` where a shape has a term that is not declared."""
    table: dict[str, Any] = tomllib.loads(
        files("cside_bench.results").joinpath("shapes.toml").read_text(encoding="utf-8")
    )
    terms = tuple(Term(name, **it) for name, it in table["term"].items())
    known = {it.name for it in terms}
    for key, shape in {**table["fitted"], **table["held_out"]}.items():
        if unknown := set(shape) - known:
            raise ValueError(f"shapes.toml: {key} has terms that are not declared: {', '.join(sorted(unknown))}")
    return Shapes(terms, table["fitted"], table["held_out"], table["left_out"])


def document(run: Run) -> dict[str, Any]:
    """Return the content of a run's ``shapes.json``, with no kinds and no interpreters if it has no such file."""
    try:
        found = _read(run.folder / FILE, _changed(run.folder))
    except FileNotFoundError:
        found = {}
    return found if found.get("format") == FORMAT else {"kinds": [], "interpreters": []}


def of(run: Run, label: str) -> dict[str, Any]:
    """Return an interpreter's part of ``shapes.json``; empty if an older version of cside wrote the run's files."""
    found: dict[str, Any] = next((it for it in document(run)["interpreters"] if it["label"] == label), {})
    return found


def _changed(folder: Path) -> int:
    """Return when the file was written last, packed or not; 0 if there is none."""
    return max((path.stat().st_mtime_ns for path in folder.glob(f"{FILE}*")), default=0)


@lru_cache(maxsize=8)
def _read(path: Path, _written: int) -> dict[str, Any]:
    return read_document(path)
