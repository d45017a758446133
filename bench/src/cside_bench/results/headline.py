# SPDX-License-Identifier: Apache-2.0
"""The workloads of the short table, and their labels."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def rows() -> list[dict[str, str]]:
    """Return the rows of ``headline.toml`` in their order, each with the keys ``workload`` and ``label``."""
    text = files(__package__).joinpath("headline.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["row"])
