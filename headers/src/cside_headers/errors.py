# SPDX-License-Identifier: Apache-2.0
"""Places in a header, and the error that shows one."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["HeaderError", "Place", "Source"]


@dataclass(eq=False)
class Source:
    """The text of a header file. All line ends are newlines."""

    path: Path
    text: str
    starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = [0]
        for line in self.text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    @classmethod
    def read(cls, path: Path) -> Source:
        """Read a file.

        Comments may be in any encoding that contains ASCII. Raise :class:`HeaderError` if it cannot be read.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise HeaderError(f"{path}: {error.strerror or error}") from error
        text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        return cls(path, text.removeprefix("\ufeff"))

    def place(self, offset: int) -> Place:
        """The line and column of the character at `offset`."""
        line = bisect_right(self.starts, offset) - 1
        return Place(self, line + 1, offset - self.starts[line] + 1)


@dataclass(frozen=True)
class Place:
    """A line and a column of a source; both count from 1."""

    source: Source
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"

    @property
    def excerpt(self) -> str:
        """The text of the line, and below it a caret at the column."""
        line = self.source.text.split("\n")[self.line - 1]
        margin = "".join("\t" if letter == "\t" else " " for letter in line[: self.column - 1])
        return f"    {line}\n    {margin}^"


class HeaderError(Exception):
    """A header that cannot be read, or a request that does not fit it. The text is written for users."""

    def __init__(self, message: str, place: Place | None = None, advice: str = "") -> None:
        self.message = message
        self.place = place
        self.advice = advice
        head = message if place is None else f"{place}: {message}\n{place.excerpt}"
        super().__init__(f"{head}\n{advice}" if advice else head)
