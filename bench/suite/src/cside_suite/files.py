# SPDX-License-Identifier: Apache-2.0
"""Files that are written whole or not at all: no reader and no interruption sees half of one."""

import json
import os
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 beside ``path`` and put it in its place; the folder is made where it is missing.

    Raises `OSError`; what was at ``path`` before is then still there.
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
    """Write a value as JSON, without spaces or with an indent, and with a newline at its end; see :func:`write_text`."""
    separators = (",", ":") if indent is None else None
    write_text(path, json.dumps(value, indent=indent, separators=separators, ensure_ascii=False) + "\n")


def point(link: Path, target: str) -> None:
    """Make ``link`` a symbolic link to ``target``, in the place of another link where there is one."""
    beside = link.with_name(f".{link.name}.{os.getpid()}.tmp")
    beside.symlink_to(target)
    beside.replace(link)
