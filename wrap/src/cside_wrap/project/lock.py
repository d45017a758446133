# SPDX-License-Identifier: Apache-2.0
"""cside.lock: what was read when the user looked at it, so that a changed header is told before anything is bound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cside_wrap.errors import WrapError

__all__ = ["NAME", "changes", "read", "write"]

NAME = "cside.lock"
VERSION = 1


def write(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write the file."""
    path = folder / NAME
    path.write_text(json.dumps({"version": VERSION, **content}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read(folder: Path) -> dict[str, Any]:
    """Read the file. Raises `WrapError` where it is missing, damaged or newer."""
    path = folder / NAME
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        version = found["version"]
    except FileNotFoundError:
        raise WrapError(f"there is no {path}", "Make it: cside init --update.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise WrapError(f"{path} is damaged: {error}", "Make it anew: cside init --update.") from error
    if version != VERSION:
        raise WrapError(f"{path} is of version {version}", "Make it anew: cside init --update.")
    return dict(found)


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is different in two contents: files, libraries, and each function that came, went or changed."""
    said = []
    for what in ("headers", "libraries"):
        old, new = before.get(what, {}), now[what]
        said += [f"{name} has changed" for name in new if name in old and old[name] != new[name]]
        said += [f"{name} is new" for name in new if name not in old]
        said += [f"{name} is gone" for name in old if name not in new]
    old, new = before.get("functions", {}), now["functions"]
    said += [f"function {name} is gone" for name in old if name not in new]
    said += [f"function {name} is new" for name in new if name not in old]
    said += [f"{old[name]} is now {new[name]}" for name in new if name in old and old[name] != new[name]]
    return said
