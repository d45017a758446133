# SPDX-License-Identifier: Apache-2.0
"""The table of what sanitizers tried and found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """What the tests of one build did."""

    build: str
    compiler: str
    tests: int
    skipped: tuple[str, ...]
    failed: tuple[str, ...]
    seconds: float
    repeated: tuple[str, ...] = ()
    """Tests that were run again, because the first time the sanitizer itself gave up."""


def table(rows: Sequence[Row], finds: Mapping[str, str]) -> str:
    """What was tried and what was found, in columns; ``finds`` has what each kind of build finds, by its first word."""
    lines = [("build", "compiler", "finds", "tests", "seconds", "skipped", "run again", "failed")]
    lines += [
        (
            row.build,
            row.compiler,
            finds[row.build.partition(":")[0]],
            str(row.tests),
            f"{row.seconds:.0f}",
            ", ".join(row.skipped) or "none",
            ", ".join(row.repeated) or "none",
            ", ".join(row.failed) or "none",
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
