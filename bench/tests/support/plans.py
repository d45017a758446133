# SPDX-License-Identifier: Apache-2.0
"""Plans of runs that were not made."""

from typing import Any

from cside_bench.results.plan import Plan, Tier
from cside_bench.run.prepare import make_plan

LABELS = ["cpython-3.11", "cpython-3.13", "pypy-3.11"]


def manifest(sha256: str = "0" * 64, wheel: str = "1" * 64) -> dict[str, Any]:
    """What nox would hand over."""
    builds = {"some-binding": {"sha256": wheel}}
    return {
        "interpreters": [{"label": label, "python": "python", "builds": builds} for label in LABELS],
        "missing": [{"label": "cpython-3.14", "reason": "not found", "install": "install it"}],
        "native": {"sha256": sha256},
    }


def plan(tier: str = "quick", **changes: Any) -> Plan:
    """A plan on the interpreters of :func:`manifest`."""
    options: dict[str, Any] = {"seed": 7, "python": (), "binding": (), "only": ()} | changes
    return make_plan(manifest(), Tier.named(tier), **options)
