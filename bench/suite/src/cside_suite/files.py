# SPDX-License-Identifier: Apache-2.0
"""Atomic writing of files: a reader sees the old or the new content, never a part of it."""

import json
import os
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 to a temporary file beside ``path`` and rename it; make the folder if it is missing.

    Raises `OSError` if that fails; a file that was at ``path`` before is then unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_json(path: Path, value: Any, *, indent: int | None = None) -> None:
    """Write a value as JSON with a newline at the end, as :func:`write_text` does.

    Without ``indent`` the JSON is one line without spaces.
    """
    separators = (",", ":") if indent is None else None
    write_text(path, json.dumps(value, indent=indent, separators=separators, ensure_ascii=False) + "\n")


def point(link: Path, target: str) -> None:
    """Make ``link`` a symbolic link to ``target``; an existing link is replaced."""
    beside = link.with_name(f".{link.name}.{os.getpid()}.tmp")
    beside.symlink_to(target)
    beside.replace(link)
