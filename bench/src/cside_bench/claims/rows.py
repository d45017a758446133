# SPDX-License-Identifier: Apache-2.0
"""Evidence as rows: each row says whether one cell of a run is for or against a claim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cside_bench.claims.bounds import Bound
from cside_bench.results.digits import number

FOR: Final = "for"
AGAINST: Final = "against"
UNCLEAR: Final = "unclear"
ALL: Final = ""
"""The label of rows that do not depend on an interpreter."""


def side(position: int) -> str:
    """Return the name of a side: 1 is for a claim, -1 is against it, and 0 is unclear."""
    return {1: FOR, -1: AGAINST}.get(position, UNCLEAR)


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of evidence. ``interpreter`` and ``workload`` are empty if it is about none."""

    interpreter: str
    workload: str
    subject: str
    against: str
    bound: Bound | None
    unit: str
    """The unit of the value and its bounds: ratio, ns, bytes, share, lines, wheels, or empty."""
    supports: str
    what: str
    """The evidence as a sentence with the numbers."""
    topic: str = ""
    """The topic by which rows are grouped in a summary."""
    leans: str = ""
    """The side of the value alone, without its bounds, which decides nothing; empty where it is not told."""

    def plain(self) -> dict[str, Any]:
        """Return the row as ``claims.json`` has it."""
        value, low, high = (None, None, None)
        if self.bound is not None:
            value, low, high = (number(it) for it in (self.bound.value, self.bound.low, self.bound.high))
        return {
            "interpreter": self.interpreter or None,
            "workload": self.workload or None,
            "subject": self.subject,
            "against": self.against or None,
            "ratio": value if self.unit == "ratio" else None,
            "value": value,
            "unit": self.unit or None,
            "low": low,
            "high": high,
            "supports": self.supports,
            "leans": self.leans or None,
            "what": self.what,
        }


@dataclass(slots=True)
class Found:
    """The evidence that a run has for a claim."""

    rows: list[Row] = field(default_factory=list)
    absent: str = ""
    """The reason why there are no rows, if there are none."""
    notes: list[str] = field(default_factory=list)
    """What the reader of a verdict has to know in addition to the counts."""


def counts(rows: Iterable[Row]) -> Mapping[str, int]:
    """Return the number of rows that are for, against and unclear."""
    found = {FOR: 0, AGAINST: 0, UNCLEAR: 0}
    for row in rows:
        found[row.supports] += 1
    return found
