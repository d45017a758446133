# SPDX-License-Identifier: Apache-2.0
"""The values that workloads pass: distributions that they declare, and draws from these.

One value flatters: a binding may have a fast path for the very value that a benchmark uses. So a workload declares a
class of values, and each process draws :data:`DRAWS` of it, seeded by the process's own seed and the workload's name.
All subjects of the workload get the same draws, in the same order, and take them by turns. Where a class of values
changes the ranking it is a workload of its own, as ``add[i32-small]`` and ``add[i32-large]``.

A class of integers is a range of magnitudes and whether there are negative ones. CPython keeps an integer in digits of
30 bits, and treats those of one digit apart.
"""

import random
import string
from dataclasses import dataclass
from typing import Final

DRAWS: Final = 8
"""Draws of one process, for each workload."""

DIGIT: Final = 1 << 30
"""The first magnitude that needs two digits in CPython."""


@dataclass(frozen=True, slots=True)
class Ints:
    """Integers by magnitude and sign."""

    least: int
    """The smallest magnitude."""
    most: int
    """The first magnitude that is too large."""
    signs: str = "+-"
    """The signs that occur."""

    def one(self, draw: random.Random) -> int:
        """Draw one."""
        magnitude = draw.randrange(self.least, self.most)
        return -magnitude if draw.choice(self.signs) == "-" else magnitude


ADDENDS: Final = {
    "i8": (Ints(0, 1 << 6), Ints(0, 1 << 6)),
    "u8": (Ints(0, 1 << 7, "+"), Ints(0, 1 << 7, "+")),
    "i16": (Ints(0, 1 << 14), Ints(0, 1 << 14)),
    "u16": (Ints(0, 1 << 15, "+"), Ints(0, 1 << 15, "+")),
    "i32-small": (Ints(0, DIGIT >> 1), Ints(0, DIGIT >> 1)),
    "i32-large": (Ints(DIGIT, 1 << 31, "+"), Ints(DIGIT, 1 << 31, "-")),
    "u32-small": (Ints(0, DIGIT >> 1, "+"), Ints(0, DIGIT >> 1, "+")),
    "u32-large": (Ints(DIGIT, 1 << 31, "+"), Ints(DIGIT, 1 << 31, "+")),
    "i64-small": (Ints(0, DIGIT >> 1), Ints(0, DIGIT >> 1)),
    "i64-large": (Ints(DIGIT, 1 << 62), Ints(DIGIT, 1 << 62)),
    "u64-small": (Ints(0, DIGIT >> 1, "+"), Ints(0, DIGIT >> 1, "+")),
    "u64-large": (Ints(1 << 60, 1 << 63, "+"), Ints(1 << 60, 1 << 63, "+")),
}
"""What ``add`` is given, by the type in C and the digits in Python; no sum overflows. ``small`` has one digit, and so
has the sum."""

SMALL: Final = Ints(0, DIGIT >> 1)
"""Integers of one digit and either sign."""

TEXTS: Final = {
    "ascii": string.ascii_letters + string.digits + " ",
    "latin1": string.ascii_letters + "äöüßéèñçåø",
    "ucs2": string.ascii_letters + "αβγδλπωжияш漢字仮名",
}
"""Letters by the kind of ``str`` in which CPython keeps a text of them: one byte (ASCII, which is valid UTF-8 as it
stands), one byte, and two bytes for each letter."""

_LAST: Final = {"ascii": "", "latin1": "é", "ucs2": "λ"}
"""A letter that makes sure of the kind."""


def ints(draw: random.Random, *classes: Ints) -> list[tuple[int, ...]]:
    """Return the draws of as many integers as classes are given."""
    return [tuple(each.one(draw) for each in classes) for _ in range(DRAWS)]


def real(draw: random.Random) -> float:
    """Draw one real number of either sign, a multiple of 1/8 that ``float`` in C holds exactly."""
    return draw.randrange(-(1 << 20), 1 << 20) / 8


def reals(draw: random.Random, count: int) -> list[tuple[float, ...]]:
    """Return the draws of so many real numbers."""
    return [tuple(real(draw) for _ in range(count)) for _ in range(DRAWS)]


def text(draw: random.Random, kind: str, letters: int) -> str:
    """Draw one text of so many letters, of a kind of :data:`TEXTS`."""
    last = _LAST[kind]
    return "".join(draw.choice(TEXTS[kind]) for _ in range(letters - len(last))) + last


def texts(draw: random.Random, kind: str, letters: int) -> list[str]:
    """Return the draws of one text each."""
    return [text(draw, kind, letters) for _ in range(DRAWS)]


def buffers(draw: random.Random, kind: str, nbytes: int) -> list[bytes | bytearray | memoryview]:
    """Return the draws of one buffer each: ``bytes``, ``bytearray``, or a ``memoryview`` that begins at any byte.

    The first two begin where the interpreter puts their bytes, which is aligned.
    """
    found: list[bytes | bytearray | memoryview] = []
    for _ in range(DRAWS):
        data = draw.randbytes(nbytes)
        if kind == "memoryview":
            before = draw.randrange(16)
            found.append(memoryview(bytes(before) + data)[before:])
        else:
            found.append(bytearray(data) if kind == "bytearray" else data)
    return found


def pieces(draw: random.Random, data: bytes, nbytes: int, most_nbytes: int = 1024) -> list[bytes]:
    """Return the draws of one piece of ``data`` each.

    Only one piece is drawn that is longer than ``most_nbytes``: eight would not stay in the fastest cache, where a
    single one does.
    """
    if nbytes > most_nbytes:
        return [data[:nbytes]]
    starts = [draw.randrange(len(data) - nbytes + 1) for _ in range(DRAWS)]
    return [data[start : start + nbytes] for start in starts]


def ones(values: "list[str] | list[bytes] | list[bytes | bytearray | memoryview]") -> list[tuple[object, ...]]:
    """Return the arguments of calls that take one value each."""
    return [(value,) for value in values]
