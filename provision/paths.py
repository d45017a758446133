# SPDX-License-Identifier: Apache-2.0
"""Where things are kept. All of it can be deleted at any time, and is then made again."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STATE = ROOT / ".cside"

TOOLS = STATE / "tools"
INTERPRETERS = STATE / "interpreters"
BUILDERS = STATE / "builders"
BUILD = STATE / "build"
WHEELS = STATE / "wheels"
ENVIRONMENTS = STATE / "envs"
LOGS = STATE / "logs"
MANIFEST = STATE / "environments.json"


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; empty where the file is missing or damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write a JSON file in one step, so that no reader sees half of it and no interruption leaves half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    beside.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(beside, path)


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the checkout's lock, so that two nox runs do not build at the same time. It is free when its holder ends."""
    STATE.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":  # Windows has no flock; there the user has to start one run at a time
        yield
        return
    import fcntl

    with (STATE / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("cside: another nox run in this checkout is building; waiting for it", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
