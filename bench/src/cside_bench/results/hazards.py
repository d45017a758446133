# SPDX-License-Identifier: Apache-2.0
"""Schema, checking, writing and reading of ``hazards.json``, and the outcomes that ship with cside.

A run of the hazards is kept in ``results/hazards/<stamp>/``. ``results/hazards/latest`` is a link to the newest one
that was not narrowed. ``hazards_reference.json`` beside this module was made by the same command, and says when and
with what.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.results import outcomes

FOLDER: Final = "hazards"
LATEST: Final = "latest"
FILE: Final = "hazards.json"
REFERENCE: Final = "hazards_reference.json"

OUTCOMES: Final = ("crash", "silent", "leak", "raised", "import", "build", "harmless", "impossible")
"""Outcomes, the worst first."""


class HazardError(Exception):
    """The run itself failed, so there is no outcome to record; the message gives the reason."""


def schema() -> dict[str, Any]:
    """Return the JSON schema of ``hazards.json``."""
    return outcomes.shipped("hazards.schema.json")


def reference() -> dict[str, Any]:
    """Return the outcomes that ship with cside; they were measured on another machine, which they name."""
    return outcomes.shipped(REFERENCE)


def check(document: Mapping[str, Any]) -> None:
    """Raise `HazardError` unless the document fits its schema and has one outcome for every cell of the table."""
    axes: dict[str, outcomes.Axis] = {
        "interpreter": lambda it: [each["label"] for each in it["interpreters"]],
        "approach": lambda it: it["approaches"],
        "hazard": lambda it: [each["id"] for each in it["hazards"]],
    }
    try:
        outcomes.check(document, FILE, schema(), axes)
    except outcomes.IncompleteError as error:
        raise HazardError(str(error)) from error


def write(folder: Path, document: Mapping[str, Any]) -> Path:
    """Check the document, write it into a new folder, and return its path."""
    check(document)
    folder.mkdir(parents=True)
    target = folder / FILE
    write_json(target, document, indent=1)
    return target


def newest(results: Path) -> Path | None:
    """Return the path of the newest document below ``results``, or ``None`` if there is none."""
    path = results / FOLDER / LATEST / FILE
    return path.resolve() if path.is_file() else None


def load(path: Path) -> dict[str, Any]:
    """Read a document. Raises `HazardError` if it cannot be read or is incomplete."""
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise HazardError(f"{path} cannot be read: {error}") from error
    check(document)
    return document
