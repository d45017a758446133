# SPDX-License-Identifier: Apache-2.0
"""Small text files in which the operating system describes the machine, as those of /sys, /proc and /etc."""

from pathlib import Path


def read(path: Path) -> str | None:
    """The text of a file without surrounding white space; None where the file is missing or cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
