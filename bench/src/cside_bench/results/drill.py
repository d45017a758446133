# SPDX-License-Identifier: Apache-2.0
"""Schema, checking, writing and reading of ``drill.json``.

A drill is kept in ``results/drills/<stamp>/``, with the output of its processes and compilers in ``logs/``.
``results/drills/latest`` is a link to the newest drill that covers all interpreters, bindings and changes.
"""

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.results import outcomes
from cside_bench.results.files import DRILL_FILE

DRILLS: Final = "drills"
LATEST: Final = "latest"
FILE: Final = DRILL_FILE

LIBRARY = "library"
"""Name of the pass in which the changed library replaces the old one and the binding stays as it is."""
REBUILT = "rebuilt"
"""Name of the pass in which the binding is rebuilt from unchanged sources against the changed header and library."""
PASSES: Final = (LIBRARY, REBUILT)


class DrillError(Exception):
    """The drill itself failed, so there is no outcome to record; the message gives the reason."""


def schema() -> dict[str, Any]:
    """Return the JSON schema of ``drill.json``."""
    return outcomes.shipped("drill.schema.json")


def check(document: Mapping[str, Any]) -> None:
    """Raise `DrillError` unless the document fits its schema and has one outcome for every cell of the table."""
    axes: dict[str, outcomes.Axis] = {
        "interpreter": lambda it: [each["label"] for each in it["interpreters"]],
        "binding": lambda it: it["bindings"],
        "change": lambda it: [each["id"] for each in it["changes"]],
        "pass": lambda _: PASSES,
    }
    try:
        outcomes.check(document, FILE, schema(), axes)
    except outcomes.IncompleteError as error:
        raise DrillError(str(error)) from error


def write(folder: Path, document: Mapping[str, Any], logs: Mapping[str, str]) -> Path:
    """Check the document, write it and its logs into a new folder, and return the path of the document."""
    check(document)
    (folder / "logs").mkdir(parents=True)
    for name, text in logs.items():
        (folder / "logs" / f"{name}.txt").write_text(text, encoding="utf-8")
    target = folder / FILE
    write_json(target, document, indent=1)
    return target


def newest(results: Path) -> Path | None:
    """Return the path of the newest drill's document below ``results``, or ``None`` if there is no drill."""
    path = results / DRILLS / LATEST / FILE
    return path.resolve() if path.is_file() else None


def of_run(folder: Path, library: str | None) -> Path | None:
    """Return the path of the drill that counts for a run, or ``None`` if there is none.

    It is the newest drill beside the run, whenever it was made, unless the run's folder has a drill of the run's own
    library (``library`` is its SHA-256) and the newest drill used another one.
    """
    newest_, kept = newest(folder.parent), folder / FILE
    if newest_ is None or not kept.is_file():
        return newest_ or (kept if kept.is_file() else None)
    return newest_ if _library(newest_) == library or _library(kept) != library else kept


def _library(path: Path) -> str | None:
    try:
        found: str | None = json.loads(path.read_text(encoding="utf-8")).get("library")
    except (OSError, ValueError):
        return None
    return found


def changes() -> list[str]:
    """Return the ids of the changes that a drill makes today.

    They are data of the room ``drill``, read as a file since rooms that read a drill do not import the one that makes
    it.
    """
    text = files("cside_bench").joinpath("drill", "changes.toml").read_text(encoding="utf-8")
    return [each["id"] for each in tomllib.loads(text)["change"]]


def misfits(document: Mapping[str, Any], library: str | None) -> list[str]:
    """Return how a drill differs from the run that it is used for, each as a sentence; empty if it fits.

    Approaches that a drill lacks are not told here: what follows from that depends on who reads it.
    """
    found = []
    name = f"The drill of {document['created'][:10]}" if document.get("created") else "The drill"
    if library is not None and document.get("library") not in (None, library):
        found.append(f"{name} was made with another build of the library than the run; to make it again: nox -s drill.")
    drilled = {each["id"] for each in document.get("changes", ())}
    gone, new = sorted(drilled - set(changes())), sorted(set(changes()) - drilled)
    if gone or new:
        told = [f"it has {', '.join(gone)}, which are made no more"] if gone else []
        told += [f"it lacks {', '.join(new)}"] if new else []
        found.append(
            f"{name} has other changes than a drill makes today: {'; '.join(told)}. To make it again: nox -s drill."
        )
    return found


def load(path: Path) -> dict[str, Any]:
    """Read a drill's document. Raises `DrillError` if it cannot be read or is incomplete."""
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DrillError(f"{path} cannot be read: {error}") from error
    check(document)
    return document
