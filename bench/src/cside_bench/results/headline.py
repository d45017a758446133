# SPDX-License-Identifier: Apache-2.0
"""The short table: which workloads it has, and what a reader sees them called."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from cside_bench.results.files import LIBRARY_FILE, NATIVE_FILE


@cache
def rows() -> list[dict[str, str]]:
    """The rows of ``headline.toml`` in their order: ``workload`` and ``label``."""
    return [{"workload": row["workload"], "label": row["label"]} for row in _read()]


def of_run(folder: Path) -> list[dict[str, str]]:
    """The rows for a run: those of :func:`rows` or, of a run on a user's library, each of its workloads.

    The label of the latter has C's own time, where it is known: the least of all interpreters.
    """
    library = folder / LIBRARY_FILE
    if not library.exists():
        return rows()
    found = json.loads(library.read_text(encoding="utf-8"))
    start = f"{found['name']}."
    native = folder / NATIVE_FILE
    times = json.loads(native.read_text(encoding="utf-8")).values() if native.exists() else ()
    named = []
    for it in found["workloads"]:
        known = [own[it["name"]] for own in times if own.get(it["name"]) is not None]
        in_c = f" ({min(known):,.3g} ns in C)" if known else ""
        named.append({"workload": it["name"], "label": it["name"].removeprefix(start) + in_c})
    return named


def readme() -> frozenset[str]:
    """The workloads that the table of the README shows."""
    return frozenset(row["workload"] for row in _read() if row.get("readme"))


def _read() -> list[dict[str, Any]]:
    text = files(__package__).joinpath("headline.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["row"])
