# SPDX-License-Identifier: Apache-2.0
"""Converts rows to columns, so that a page has each name once and numbers without names."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

DIGITS: Final = 5
"""Significant digits of the numbers that figures draw."""


def rounded(value: float | None, digits: int = DIGITS) -> float | int | None:
    """Round to significant digits, with whole numbers as int; None for infinities, NaN and None."""
    if value is None or not math.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def column(values: Sequence[Any]) -> Any:
    """Encode a column: ``{"all": value}`` for equal values, ``{"names", "at"}`` for repeated texts, else a list."""
    plain = [
        rounded(value) if isinstance(value, float) else value  # bool and int stay unchanged
        for value in values
    ]
    if plain and all(value == plain[0] and type(value) is type(plain[0]) for value in plain):
        return {"all": plain[0]}
    if all(value is None or isinstance(value, str) for value in plain):
        names = list(dict.fromkeys(plain))
        if len(names) < len(plain):
            at = {name: number for number, name in enumerate(names)}
            return {"names": names, "at": [at[value] for value in plain]}
    return plain


def columnar(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Convert rows to ``{"length", "columns": {name: column}}``; a name that a row lacks is null there."""
    known = list(rows)
    names = list(dict.fromkeys(name for row in known for name in row))
    return {"length": len(known), "columns": {name: column([row.get(name) for row in known]) for name in names}}


def embedded(document: Any) -> str:
    """Return JSON without spaces that is safe within a ``<script>`` element of a page."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
