# SPDX-License-Identifier: Apache-2.0
"""The short table: which workloads it has, and what a reader sees them called."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def rows() -> list[dict[str, str]]:
    """The rows of ``headline.toml`` in their order: ``workload`` and ``label``."""
    return [{"workload": row["workload"], "label": row["label"]} for row in _read()]


def readme() -> frozenset[str]:
    """The workloads that the table of the README shows."""
    return frozenset(row["workload"] for row in _read() if row.get("readme"))


def _read() -> list[dict[str, Any]]:
    text = files(__package__).joinpath("headline.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["row"])
