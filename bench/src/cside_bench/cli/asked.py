# SPDX-License-Identifier: Apache-2.0
"""What ``--only``, ``--binding`` and ``--handicap`` ask for: a name that matches nothing is refused.

This is done before anything is built, and before a run has a folder.
"""

import difflib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Final

from cside_suite.process import inventory
from cside_suite.subjects import bindings as installed
from cside_suite.subjects.names import CONTROLS, REFERENCES

from cside_bench.machine import checkout
from cside_bench.results.plan import PlanError, Tier

SHOWN: Final = 5
"""Most names that an error suggests."""


def workloads(tier: Tier, only: Sequence[str], handicaps: Iterable[tuple[str, str, float]] = ()) -> list[str]:
    """Return the names of the workloads that a run measures.

    Raises :class:`PlanError` where a text of ``only`` is in the name of no workload or only of such as the tier leaves
    out, or where a handicap names no workload.
    """
    known = [row["name"] for row in inventory.workloads()]
    kept = [name for name in known if not any(fnmatchcase(name, pattern) for pattern in tier.skip)]
    for text in only:
        if any(text in name for name in kept):
            continue
        if left_out := [name for name in known if text in name]:
            raise PlanError(
                f"--only {text}: the tier {tier.name} leaves out {some(left_out)}; --rigorous measures every workload"
            )
        raise PlanError(
            f"--only {text}: no workload has this in its name{nearest(text, known)}; to see all: cside list workloads"
        )
    for workload, _, _ in handicaps:
        if workload not in kept:
            raise PlanError(f"--handicap: {workload} is no workload of the tier {tier.name}{nearest(workload, kept)}")
    return [name for name in kept if not only or any(text in name for text in only)]


def check_bindings(wanted: Iterable[str]) -> None:
    """Raise :class:`PlanError` for the name of a binding that the checkout, or without one this environment, lacks."""
    known = set(checkout.declared()) or {one.name for one in installed.discover(partial=True)}
    for name in wanted:
        if name not in {*known, *CONTROLS, *REFERENCES}:
            raise PlanError(
                f"--binding {name}: there is no such binding{nearest(name, known)}; there are: {some(known, most=20)}"
            )


def nearest(text: str, known: Iterable[str]) -> str:
    """Return the known names that are like ``text``, as the end of an error's sentence; empty if there are none."""
    names = sorted(known if "[" in text else {name.partition("[")[0] for name in known})
    last = {name.rpartition(".")[2]: name for name in reversed(names)}
    like = difflib.get_close_matches(text, names, n=SHOWN) or [
        last[name] for name in difflib.get_close_matches(text, last, n=SHOWN)
    ]
    return f"; the nearest: {', '.join(like)}" if like else ""


def some(names: Iterable[str], most: int = SHOWN) -> str:
    """Return the first names, and how many more there are."""
    listed = sorted(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more
