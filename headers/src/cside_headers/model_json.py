# SPDX-License-Identifier: Apache-2.0
"""Converts the model to JSON, for tools in other languages, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from cside_headers.model import Argument, Callback, Constant, Field, Function, Model, Role, Struct, Typedef

__all__ = ["FORMAT", "dumps", "loads"]

FORMAT = 1
"""Version of the format. It is incremented by a change that a reader of the old format would misread."""


def dumps(model: Model, indent: int | None = 1) -> str:
    """The model as a JSON object with the fields of :class:`~cside_headers.model.Model` and the member ``format``."""
    return json.dumps({"format": FORMAT, **asdict(model)}, indent=indent, ensure_ascii=False)


def loads(text: str) -> Model:
    """The model from its JSON. Raise `ValueError` for another format."""
    data = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"not a model in format {FORMAT}")
    major, minor = data["version"]
    return Model(
        functions=tuple(
            Function(f["name"], _arguments(f), (f["version"][0], f["version"][1]), f["doc"]) for f in data["functions"]
        ),
        structs=tuple(
            Struct(**{**struct, "fields": tuple(Field(**field) for field in struct["fields"])})
            for struct in data["structs"]
        ),
        typedefs=tuple(Typedef(**typedef) for typedef in data["typedefs"]),
        callbacks=tuple(Callback(c["name"], _arguments(c), c["returns"]) for c in data["callbacks"]),
        constants=tuple(Constant(**constant) for constant in data["constants"]),
        version=(major, minor),
        sources=tuple(data["sources"]),
    )


def _arguments(owner: dict[str, Any]) -> tuple[Argument, ...]:
    return tuple(Argument(**{**argument, "role": Role(argument["role"])}) for argument in owner["arguments"])
