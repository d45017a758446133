# SPDX-License-Identifier: Apache-2.0
"""``drill.json``: written whole or not at all, checked, and found again.

A drill lies in ``results/drills/<stamp>/``, with what processes and compilers said in ``logs/``;
``results/drills/latest`` is the newest that was not narrowed.
"""

import itertools
import json
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jsonschema

from cside_suite.files import point, write_json
from cside_bench.results.files import DRILL_FILE


LIBRARY = "library"
"""Pass: the changed library takes the place of the old one, and the binding stays as it is."""


REBUILT = "rebuilt"
"""Pass: the binding is built again, from its unchanged sources, against the changed header and library."""


class DrillError(Exception):
    """The drill itself failed; what it met is no outcome. The text says what."""



DRILLS: Final = "drills"
LATEST: Final = "latest"
FILE: Final = DRILL_FILE

PASSES: Final = (LIBRARY, REBUILT)


def schema() -> dict[str, Any]:
    """The schema of the document."""
    found: dict[str, Any] = json.loads(
        files("cside_bench.results").joinpath("drill.schema.json").read_text(encoding="utf-8")
    )
    return found


def check(document: Mapping[str, Any]) -> None:
    """Raise `DrillError` unless the document fits its schema and every cell of the table has one outcome."""
    try:
        jsonschema.validate(document, schema())
    except jsonschema.ValidationError as error:
        raise DrillError(f"{FILE} does not fit its schema: {error.message}") from error
    wanted = set(
        itertools.product(
            (each["label"] for each in document["interpreters"]),
            document["bindings"],
            (each["id"] for each in document["changes"]),
            PASSES,
        )
    )
    found = [(each["interpreter"], each["binding"], each["change"], each["pass"]) for each in document["outcomes"]]
    if len(found) != len(set(found)) or set(found) != wanted:
        unknown = sorted(wanted - set(found))
        raise DrillError(f"{FILE} has {len(found)} outcomes for {len(wanted)} cells; unknown: {unknown[:3]}")


def write(folder: Path, document: Mapping[str, Any], logs: Mapping[str, str]) -> Path:
    """Check the document and write it with its logs into a new folder; its path."""
    check(document)
    (folder / "logs").mkdir(parents=True)
    for name, text in logs.items():
        (folder / "logs" / f"{name}.txt").write_text(text, encoding="utf-8")
    target = folder / FILE
    write_json(target, document, indent=1)
    return target


def newest(results: Path) -> Path | None:
    """The document of the newest drill below the folder of results, or ``None`` where there is none."""
    path = results / DRILLS / LATEST / FILE
    return path.resolve() if path.is_file() else None


def load(path: Path) -> dict[str, Any]:
    """Read a document. Raises `DrillError` where it is none, or an incomplete one."""
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DrillError(f"{path} cannot be read: {error}") from error
    check(document)
    return document
