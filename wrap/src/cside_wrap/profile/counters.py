# SPDX-License-Identifier: Apache-2.0
"""The file of counters that audit.h describes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Counts", "Sizes", "make", "read"]

BUCKETS = 65
OBJECTS = 1024
PATH = 504
HEADER = 16 + OBJECTS * (8 + PATH)
SIZES = 2 + BUCKETS
RECORD = 4 + 2 * SIZES
"""Numbers of 8 bytes."""


@dataclass
class Sizes:
    """The sizes in bytes of what calls were given, or returned."""

    calls: int = 0
    """Calls whose size is known."""
    total: int = 0
    at_least: dict[int, int] = field(default_factory=dict)
    """Calls by the power of two that their size is at least, and below twice of; 0 for none."""

    @property
    def mean(self) -> float:
        """The mean in bytes, 0 where no size is known."""
        return self.total / self.calls if self.calls else 0.0

    def quantile(self, share: float) -> float:
        """The size in bytes that this share of the calls is below, by straight lines within a bucket."""
        wanted, seen = share * self.calls, 0
        for low, calls in sorted(self.at_least.items()):
            if seen + calls >= wanted:
                return low + low * (wanted - seen) / calls if low > 1 else float(low)
            seen += calls
        return 0.0


@dataclass
class Counts:
    """What one function counted; `ticks` are those of the clock of audit.h."""

    calls: int
    ticks: int
    place: str
    """The file of the library that was called; empty where nothing bound the function."""
    others: int
    """How often a further copy of the function was bound, whose calls are not counted."""
    incoming: Sizes
    outgoing: Sizes


def make(path: Path, functions: int) -> None:
    """Write a file of zeros for this many functions."""
    with path.open("wb") as stream:
        stream.write(struct.pack("=Q", functions))
        stream.truncate(HEADER + functions * RECORD * 8)


def read(path: Path, functions: Sequence[str]) -> tuple[int, list[str], dict[str, Counts]]:
    """How many programs mapped the file, the objects that they loaded, and the counts by function."""
    data = path.read_bytes()
    programs = struct.unpack_from("=Q", data, 8)[0]
    objects = []
    for place in range(OBJECTS):
        start = 16 + place * (8 + PATH)
        if struct.unpack_from("=Q", data, start)[0]:
            objects.append(data[start + 8 : start + 8 + PATH].partition(b"\0")[0].decode("utf-8", "replace"))
    found = {}
    for number, name in enumerate(functions):
        one = struct.unpack_from(f"={RECORD}Q", data, HEADER + number * RECORD * 8)
        calls, ticks, place, others = one[:4]
        where = objects[place - 1] if 0 < place <= len(objects) else ""
        found[name] = Counts(calls, ticks, where, others, _sizes(one[4 : 4 + SIZES]), _sizes(one[4 + SIZES :]))
    return programs, objects, found


def _sizes(numbers: Sequence[int]) -> Sizes:
    buckets = {(1 << place >> 1): calls for place, calls in enumerate(numbers[2:]) if calls}
    return Sizes(numbers[0], numbers[1], buckets)
