# SPDX-License-Identifier: Apache-2.0
"""Where the checkout is, in whichever of its folders a command was typed, and what stands at its top."""

import json
import os
import re
import shutil
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final


def declared() -> dict[str, dict[str, Any]]:
    """What the folders of ``bindings/`` declare, by the name of each binding and variant: ``distribution``,
    ``description``, ``version``, ``target`` and ``partial``.
    """
    top = root()
    found: dict[str, dict[str, Any]] = {}
    for path in [] if top is None else sorted((top / "bindings").glob("*/pyproject.toml")):
        try:
            project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        except (OSError, ValueError, KeyError):
            continue
        points = project.get("entry-points", {})
        for group in ("cside.bindings", "cside.variants"):
            for name, target in points.get(group, {}).items():
                found[name] = {
                    "distribution": project["name"],
                    "description": project.get("description", ""),
                    "version": project.get("version", ""),
                    "target": target,
                    "partial": group == "cside.variants",
                }
    return found


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


RESULTS: Final = "results"
STATE: Final = ".cside"
MANIFEST: Final = "environments.json"
"""What nox built last, in :data:`STATE`: the file that ``cside run --environments`` is given."""
MEASURED: Final = re.compile(r"[a-z]+-\d+\.\d+t?")
"""Label of an environment in which bindings are measured, as ``cpython-3.13``; others hold tools, or drills."""


def is_checkout(folder: Path) -> bool:
    """Whether a folder is the top of a checkout of cside."""
    return (folder / "noxfile.py").is_file() and (folder / "bench" / "src" / "cside_bench").is_dir()


def root() -> Path | None:
    """The top of the checkout that the current folder is in, else of the one whose environment runs this; else None."""
    for start in (Path.cwd(), Path(sys.prefix)):
        for folder in (start, *start.parents):
            if is_checkout(folder):
                return folder
    return None


def results() -> Path:
    """Folder of runs: ``results`` at the top of the checkout, or here where there is none."""
    top = root()
    return Path(RESULTS) if top is None else top / RESULTS


def manifest() -> dict[str, Any]:
    """What nox built last: see ``provision/manifest.py``. Empty where there is none, or half of one."""
    top = root()
    if top is None:
        return {}
    try:
        found = json.loads((top / STATE / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def environments() -> dict[str, Path]:
    """Interpreter of each environment in which bindings are measured, by label, as ``cpython-3.13``.

    All that nox has ever built here and that still are there; the manifest names those of its last call only.
    """
    top = root()
    found = {} if top is None else {path.parent.parent.name: path for path in programs(top / STATE / "envs")}
    listed = {entry["label"]: Path(entry["python"]) for entry in manifest().get("interpreters", [])}
    found |= {label: path for label, path in listed.items() if path.exists()}
    return {label: found[label] for label in sorted(found) if MEASURED.fullmatch(label)}


def programs(folder: Path) -> list[Path]:
    """The interpreters of the environments in a folder."""
    return [*folder.glob("*/bin/python"), *folder.glob("*/Scripts/python.exe")]


def nox() -> list[str] | None:
    """The words that run nox: this Python's own, the one on the PATH, that of the checkout's ``.venv``; else None."""
    if find_spec("nox") is not None:
        return [sys.executable, "-m", "nox"]
    found = shutil.which("nox")
    top = root()
    if found is None and top is not None:
        scripts = top / ".venv" / ("Scripts" if os.name == "nt" else "bin")
        found = shutil.which("nox", path=str(scripts))
    return None if found is None else [found]
