# SPDX-License-Identifier: Apache-2.0
"""What commands print for people: how wide it may be, and how a path is written."""

import os
import sys
from pathlib import Path

from rich.console import Console

PLAIN_WIDTH = 100
"""Columns of what goes to a file or a pipe."""


def make_console() -> Console:
    """A console of the terminal's width; tables that go to a file or a pipe get 100 columns."""
    return Console() if sys.stdout.isatty() else Console(width=PLAIN_WIDTH)


def shown(path: Path) -> str:
    """A path as the user would type it."""
    return os.path.relpath(path) if path.resolve().is_relative_to(Path.cwd()) else str(path)
