# SPDX-License-Identifier: Apache-2.0
"""Evidence as rows: what one cell of a run says to a claim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cside_bench.claims.bounds import Bound
from cside_bench.results.digits import number

FOR: Final = "for"
AGAINST: Final = "against"
UNCLEAR: Final = "unclear"
ALL: Final = ""
"""In the place of an interpreter: what does not depend on one."""


def side(position: int) -> str:
    """1 is for a claim, -1 against it, 0 neither."""
    return {1: FOR, -1: AGAINST}.get(position, UNCLEAR)


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of evidence. ``interpreter`` and ``workload`` are empty where it is about none."""

    interpreter: str
    workload: str
    subject: str
    against: str
    bound: Bound | None
    unit: str
    """Of the value and its bounds: ``ratio``, ``ns``, ``bytes``, ``share``, ``lines``, ``wheels``; empty for none."""
    supports: str
    what: str
    """The same in words, with the numbers."""
    topic: str = ""
    """What rows are grouped by where several are told of at once."""

    def plain(self) -> dict[str, Any]:
        """As in ``claims.json``."""
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
            "what": self.what,
        }


@dataclass(slots=True)
class Found:
    """What a run holds for a claim."""

    rows: list[Row] = field(default_factory=list)
    absent: str = ""
    """Why there are no rows, where there are none."""
    notes: list[str] = field(default_factory=list)
    """What a reader of the verdict has to know beside the counts."""


def counts(rows: Iterable[Row]) -> Mapping[str, int]:
    """How many rows are for, against and unclear."""
    found = {FOR: 0, AGAINST: 0, UNCLEAR: 0}
    for row in rows:
        found[row.supports] += 1
    return found
