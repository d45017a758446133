# SPDX-License-Identifier: Apache-2.0
"""The comparisons of a run: one family per interpreter.

The family has every cell compared with the reference binding's cell of the same workload, every pair of whole bindings
in a workload, from which ranks are computed, every partial variant compared with its own binding, every twin of a
binding with its original, and the delayed control compared with the control that is not. Of the intervals that decide,
at most 5 % are wrong. In the headline rows the intervals of whole bindings against the reference hold all at once, at
95 %.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from cside_suite.subjects.names import AA, DELAYED, RELINKED, TWIN, twinned

from cside_bench.results import headline
from cside_bench.results.rounds import Array, Key, Process, Sample
from cside_bench.statistics.intervals import (
    Comparison,
    expected_spread,
    logarithms,
    margin,
    ranks,
    verdict,
)
from cside_bench.statistics.selective import selective

NOTHING = Comparison(float("nan"))
"""Stands for a comparison that was not made."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two subjects at one workload; the ratio is that of the first to the second."""

    workload: str
    first: str
    second: str


@dataclass(slots=True)
class Comparisons:
    """The comparisons of one interpreter."""

    reference: str
    found: dict[Pair, Comparison] = field(default_factory=dict)
    margin: float = 0.0
    """Margin of equivalence."""
    size: int = 0
    """Number of comparisons in the family."""

    def of(self, key: Key) -> Comparison:
        """Return the comparison of a cell with the reference."""
        return self.found.get(Pair(*key, self.reference), NOTHING)

    def ranks(self, workload: str, names: Iterable[str]) -> dict[str, int]:
        """Return the shared ranks of the bindings that were compared at a workload."""
        pairwise = {
            (pair.first, pair.second): verdict(compared, self.margin)
            for pair, compared in self.found.items()
            if pair.workload == workload
        }
        return ranks(list(names), pairwise)


def paired(process: Process, key: Key, reference: Key) -> Array:
    """Return the ratios of the rounds of one process; empty if the rounds are not paired."""
    mine, other = process.net.get(key), process.net.get(reference)
    if mine is None or other is None or not process.paired or len(mine) != len(other):
        return np.empty(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(mine / other, dtype=np.float64)


def pairs_of(sample: Sample, reference: str, ranked: frozenset[str]) -> list[Pair]:
    """Return the pairs to compare: valid, steady cells with the reference's, ranked ones with each other, variants with
    bindings.
    """
    keys = sample.cells()
    valid = [key for key in keys if sample.usable(key)]
    by_workload: dict[str, list[str]] = {}
    for workload, subject in valid:
        by_workload.setdefault(workload, []).append(subject)
    found = []
    for workload, subjects in by_workload.items():
        if reference in subjects:
            found += [Pair(workload, subject, reference) for subject in subjects if subject != reference]
        for subject in subjects:  # a partial variant is compared with the binding whose setting it changes
            whole = subject.partition(".")[0]
            if whole not in (subject, reference) and subject not in ranked and whole in ranked and whole in subjects:
                found.append(Pair(workload, subject, whole))
        if DELAYED in subjects and TWIN in subjects:
            found.append(Pair(workload, DELAYED, TWIN))
        for subject in subjects:
            if (original := twinned(subject)) is not None and original in subjects:
                found.append(Pair(workload, subject, original))
        others = [subject for subject in subjects if subject in ranked and subject != reference]
        found += [Pair(workload, *two) for two in combinations(others, 2)]
    return found


def mean_ratio(logs: Array) -> float:
    """Return the geometric mean of ratios over processes; NaN if no process has one."""
    there = logs[np.isfinite(logs)]
    return float(np.exp(there.mean())) if len(there) else math.nan


def compare(sample: Sample, reference: str, ranked: frozenset[str]) -> Comparisons:
    """Make the comparisons of one interpreter; ``ranked`` are the bindings and variants with the whole contract."""
    pairs = pairs_of(sample, reference, ranked)
    table, spread = [], []
    for pair in pairs:
        key, other = (pair.workload, pair.first), (pair.workload, pair.second)
        table.append(logarithms([process.ratio(key, other) for process in sample.processes]))
        spread.append(expected_spread([paired(process, key, other) for process in sample.processes]))
    result = Comparisons(reference)
    means = {pair: mean_ratio(row) for pair, row in zip(pairs, table, strict=True) if pair.first in AA}
    relinked = [ratio for pair, ratio in means.items() if pair.first == RELINKED]
    result.margin = margin(relinked if np.isfinite(relinked).any() else list(means.values()))
    if pairs:
        shown = {row["workload"] for row in headline.rows()}
        together = [it.workload in shown and it.second == reference and it.first in ranked for it in pairs]
        found = selective(np.vstack(table), result.margin, expected=spread, together=together)
        result.found = dict(zip(pairs, found, strict=True))
    result.size = sum(math.isfinite(it.adjusted_low) for it in result.found.values())
    return result
