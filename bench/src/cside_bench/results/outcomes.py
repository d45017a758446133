# SPDX-License-Identifier: Apache-2.0
"""Documents that are tables of outcomes, with one outcome for every cell: those of the drill and of the hazards."""

import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any

Axis = Callable[[Mapping[str, Any]], Iterable[str]]
"""Reads the values of one axis of a table from a document."""


class IncompleteError(Exception):
    """A document does not fit its schema, or has not one outcome for every cell; the message says which."""


def shipped(name: str) -> dict[str, Any]:
    """Return a JSON document that lies beside this module."""
    found: dict[str, Any] = json.loads(files("cside_bench.results").joinpath(name).read_text(encoding="utf-8"))
    return found


def in_lines(document: Mapping[str, Any]) -> str:
    """Return a document as JSON with a line for each field, and for each entry of a list.

    So a difference of two versions shows the outcomes that changed, in a file of a few hundred lines.
    """
    lines = []
    for name, value in document.items():
        if isinstance(value, list):
            entries = ",\n  ".join(json.dumps(each, ensure_ascii=False) for each in value)
            lines.append(f" {json.dumps(name)}: [\n  {entries}\n ]")
        else:
            lines.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def check(document: Mapping[str, Any], file: str, schema: Mapping[str, Any], axes: Mapping[str, Axis]) -> None:
    """Raise `IncompleteError` unless a document fits its schema and has one outcome for every cell of its table.

    ``axes`` reads the values of each field that identifies an outcome from a document that fits its schema; ``file`` is
    the document's name in the message.
    """
    import jsonschema  # the import takes longer than an answer that only reads a document

    try:
        jsonschema.validate(document, schema)
    except jsonschema.ValidationError as error:
        raise IncompleteError(f"{file} does not fit its schema: {error.message}") from error
    wanted = set(itertools.product(*(values(document) for values in axes.values())))
    found = [tuple(each[name] for name in axes) for each in document["outcomes"]]
    if len(found) != len(set(found)) or set(found) != wanted:
        without = sorted(wanted - set(found))
        raise IncompleteError(
            f"{file} has {len(found)} outcomes for {len(wanted)} cells; cells without an outcome: {without[:3]}"
        )
