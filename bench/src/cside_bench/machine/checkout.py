# SPDX-License-Identifier: Apache-2.0
"""Find the checkout that a command was started in, whichever of its folders that is, and read what lies at its top."""

import json
import os
import re
import shutil
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

RESULTS: Final = "results"
STATE: Final = ".cside"
MANIFEST: Final = "environments.json"
"""The file in :data:`STATE` that says what nox built last; ``cside run --environments`` is given its path."""
MEASURED: Final = re.compile(r"[a-z]+-\d+\.\d+t?")
"""The labels of environments in which bindings are measured, as ``cpython-3.13``. Others hold tools or serve the drill.
"""


def declared() -> dict[str, dict[str, Any]]:
    """What the folders of ``bindings/`` declare, by the name of each binding and variant.

    ``distribution``, ``description``, ``version``, ``target`` (the package) and ``partial`` (whether it is a partial
    variant).
    """
    top = root()
    found: dict[str, dict[str, Any]] = {}
    for path in [] if top is None else sorted((top / "bindings").glob("*/pyproject.toml")):
        project = read_toml(path).get("project", {"name": path.parent.name})
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


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a TOML file; empty where the file is missing or damaged."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; empty where the file is missing or damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_checkout(folder: Path) -> bool:
    """Whether a folder is the top of a checkout of cside."""
    return (folder / "noxfile.py").is_file() and (folder / "bench" / "src" / "cside_bench").is_dir()


def root() -> Path | None:
    """The top of the checkout that the current folder is in; else of that in which this Python's environment lies."""
    for start in (Path.cwd(), Path(sys.prefix)):
        for folder in (start, *start.parents):
            if is_checkout(folder):
                return folder
    return None


def results() -> Path:
    """The folder of runs: ``results`` at the top of the checkout; without a checkout, in the current folder."""
    top = root()
    return Path(RESULTS) if top is None else top / RESULTS


def manifest() -> dict[str, Any]:
    """What nox built last, as ``provision/manifest.py`` describes it; empty where nox has built nothing yet."""
    top = root()
    return {} if top is None else read_json(top / STATE / MANIFEST)


def environments() -> dict[str, Path]:
    """The interpreter of each environment in which bindings are measured, by label, as ``cpython-3.13``.

    These are all environments that nox has built and that are still there. The manifest names only those of the last
    call.
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
    """The command that runs nox: by this Python, else from the PATH, else from the checkout's ``.venv``; else None."""
    if find_spec("nox") is not None:
        return [sys.executable, "-m", "nox"]
    found = shutil.which("nox")
    top = root()
    if found is None and top is not None:
        scripts = top / ".venv" / ("Scripts" if os.name == "nt" else "bin")
        found = shutil.which("nox", path=str(scripts))
    return None if found is None else [found]
