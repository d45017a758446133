# SPDX-License-Identifier: Apache-2.0
"""What is compared with what in a run, and what came of it: one family of comparisons per interpreter.

The family holds every cell against the reference binding's of the same workload, every pair of whole bindings in a
workload, which ranks are made from, and every partial variant against its own binding. All intervals of an interpreter
hold at once, at 95 %.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from cside_suite.subjects.names import AA

from cside_bench.results.rounds import Array, Key, Process, Sample
from cside_bench.statistics.intervals import (
    Comparison,
    expected_spread,
    logarithms,
    margin,
    ranks,
    simultaneous,
    verdict,
)

NOTHING = Comparison(float("nan"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two subjects on one workload; the ratio is of the first to the second."""

    workload: str
    first: str
    second: str


@dataclass(slots=True)
class Comparisons:
    """Those of one interpreter."""

    reference: str
    found: dict[Pair, Comparison] = field(default_factory=dict)
    margin: float = 0.0
    size: int = 0
    """Of the family."""

    def of(self, key: Key) -> Comparison:
        """A cell against the reference."""
        return self.found.get(Pair(*key, self.reference), NOTHING)

    def ranks(self, workload: str, names: Iterable[str]) -> dict[str, int]:
        """Shared ranks of the bindings that were compared on a workload."""
        pairwise = {
            (pair.first, pair.second): verdict(compared, self.margin)
            for pair, compared in self.found.items()
            if pair.workload == workload
        }
        return ranks(list(names), pairwise)


def paired(process: Process, key: Key, reference: Key) -> Array:
    """Ratios of the rounds of one process; none where they are not paired."""
    mine, other = process.net.get(key), process.net.get(reference)
    if mine is None or other is None or not process.paired or len(mine) != len(other):
        return np.empty(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(mine / other, dtype=np.float64)


def pairs_of(sample: Sample, reference: str, ranked: frozenset[str]) -> list[Pair]:
    """What is compared: each valid cell with the reference's, and the ranked ones with each other."""
    keys = sample.keys()
    valid = [key for key in keys if key not in sample.void]
    by_workload: dict[str, list[str]] = {}
    for workload, subject in valid:
        by_workload.setdefault(workload, []).append(subject)
    found = []
    for workload, subjects in by_workload.items():
        if reference in subjects:
            found += [Pair(workload, subject, reference) for subject in subjects if subject != reference]
        for subject in subjects:  # a partial variant against the binding whose knob it turns
            whole = subject.partition(".")[0]
            if whole not in (subject, reference) and subject not in ranked and whole in ranked and whole in subjects:
                found.append(Pair(workload, subject, whole))
        others = [subject for subject in subjects if subject in ranked and subject != reference]
        found += [Pair(workload, *two) for two in combinations(others, 2)]
    return found


def compare(sample: Sample, reference: str, ranked: frozenset[str]) -> Comparisons:
    """Judge one interpreter; ``ranked`` are the whole bindings and variants."""
    pairs = pairs_of(sample, reference, ranked)
    table, spread = [], []
    for pair in pairs:
        key, other = (pair.workload, pair.first), (pair.workload, pair.second)
        table.append(logarithms([process.ratio(key, other) for process in sample.processes]))
        spread.append(expected_spread([paired(process, key, other) for process in sample.processes]))
    result = Comparisons(reference)
    if pairs:
        result.found = dict(zip(pairs, simultaneous(np.vstack(table), expected=spread), strict=True))
    result.margin = margin([it.value for pair, it in result.found.items() if pair.first in AA])
    result.size = sum(math.isfinite(it.adjusted_low) for it in result.found.values())
    return result
