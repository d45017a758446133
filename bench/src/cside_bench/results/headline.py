# SPDX-License-Identifier: Apache-2.0
"""The short table: which workloads it has, and what a reader sees them called."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def rows() -> list[dict[str, str]]:
    """The rows of ``headline.toml`` in their order: ``workload`` and ``label``."""
    text = files(__package__).joinpath("headline.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["row"])
