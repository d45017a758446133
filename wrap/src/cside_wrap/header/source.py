# SPDX-License-Identifier: Apache-2.0
"""The C file, kept in memory, that includes the headers."""

from collections.abc import Iterable
from pathlib import Path

__all__ = ["MAIN", "including"]

MAIN = "cside-main.c"
"""The name of the file."""


def including(headers: Iterable[str | Path]) -> str:
    """The text of a C file that includes headers, one a line."""
    return "".join(f'#include "{header}"\n' for header in headers)
