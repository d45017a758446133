# SPDX-License-Identifier: Apache-2.0
"""The width of what commands print, and the form in which they print a path."""

import os
import sys
from pathlib import Path

from rich.console import Console

PLAIN_WIDTH = 100
"""Columns of what is printed to a file or a pipe."""


def make_console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal; to a file or a pipe it prints 100 columns."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr) if stream.isatty() else Console(stderr=stderr, width=PLAIN_WIDTH)


def shown(path: Path) -> str:
    """A path as the user would type it: relative where it lies below the current folder."""
    return os.path.relpath(path) if path.resolve().is_relative_to(Path.cwd()) else str(path)
