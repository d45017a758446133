# SPDX-License-Identifier: Apache-2.0
"""Selects the interpreters, workloads and subjects of a run that a hypothesis is about, by their patterns.

Patterns are those of :mod:`fnmatch`, as in ``tiers.toml``: a bracket in a workload's name is written ``[[]``.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from cside_bench.claims.catalogue import AT, Workloads
from cside_bench.results.evidence import Run


def matching(names: Iterable[str], patterns: Iterable[str]) -> list[str]:
    """Return the names that match any of the patterns, in their order."""
    wanted = list(patterns)
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in wanted)]


def workloads(
    names: Iterable[str], patterns: Iterable[str], without: Iterable[str], sets: Mapping[str, Workloads]
) -> list[str]:
    """Return the workloads that patterns and sets select, in their order, except those that ``without`` matches."""
    known = list(names)
    found: set[str] = set()
    for pattern in patterns:
        found |= set(_one(known, pattern, sets))
    for pattern in without:
        found -= set(_one(known, pattern, sets))
    return [name for name in known if name in found]


def _one(names: list[str], pattern: str, sets: Mapping[str, Workloads]) -> list[str]:
    if not pattern.startswith(AT):
        return matching(names, [pattern])
    chosen = sets[pattern.removeprefix(AT)]
    left = set(matching(names, chosen.without))
    return [name for name in matching(names, chosen.patterns) if name not in left]


def subjects(run: Run, patterns: Iterable[str]) -> list[str]:
    """Return subjects by name. A pattern with a wildcard selects whole bindings only: ``*`` selects each of them."""
    found: list[str] = []
    for pattern in patterns:
        wild = any(char in pattern for char in "*?[")
        found += [it for it in (matching(run.bindings, [pattern]) if wild else [pattern]) if it not in found]
    return found
