# SPDX-License-Identifier: Apache-2.0
"""The comparisons of a run: one family per interpreter.

The family has every cell compared with the reference binding's cell of the same workload, every pair of whole bindings
in a workload, from which ranks are computed, every partial variant compared with its own binding, every twin of a
binding with its original, and the delayed control compared with the control that is not. Of the intervals that decide,
at most 5 % are wrong. In the headline rows the intervals of whole bindings against the reference hold all at once, at
95 %.
"""

import math
from collections.abc import Iterable, Sequence
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
from cside_bench.statistics.placement import NONE, Placement, estimate
from cside_bench.statistics.selective import FALSE_COVERAGE, selective, spent

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
    placement: Placement = NONE
    """What all processes of the run share, as its cells of identical code show it."""

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


@dataclass(frozen=True, slots=True)
class Look:
    """What was decided before a run had all its processes; these cells take no part in the later ones."""

    processes: int
    """Number of the processes that were looked at."""
    of: int
    """Number of the processes that were planned."""
    decided: frozenset[Key]
    """The cells of which every pair was decided."""

    @property
    def level(self) -> float:
        """False coverage rate of the look."""
        return spent(self.processes / self.of)

    def ends(self, pair: Pair) -> bool:
        """Whether a pair has no more than the processes that were looked at, since one of its cells is decided."""
        return not self.decided.isdisjoint({(pair.workload, pair.first), (pair.workload, pair.second)})


def compare(sample: Sample, reference: str, ranked: frozenset[str], look: Look | None = None) -> Comparisons:
    """Make the comparisons of one interpreter; ``ranked`` are the bindings and variants with the whole contract.

    Pairs with a cell that was decided at a ``look`` have the intervals of that look, and the others those of all
    processes, at what the look has left of the false coverage rate.
    """
    pairs = pairs_of(sample, reference, ranked)
    result = Comparisons(reference)
    observed = [observe(it, sample.processes) for it in pairs]
    result.margin = margin_of(pairs, observed)
    result.placement = placement_of(pairs, observed, reference)
    if look is None:
        result.found = judge(pairs, observed, reference, ranked, result.margin, FALSE_COVERAGE, result.placement)
    else:
        first = [observe(it, sample.processes[: look.processes]) for it in pairs]
        early = judge(pairs, first, reference, ranked, result.margin, look.level, result.placement)
        rest = [at for at, it in enumerate(pairs) if not look.ends(it)]
        late = judge(
            [pairs[at] for at in rest],
            [observed[at] for at in rest],
            reference,
            ranked,
            result.margin,
            FALSE_COVERAGE - look.level,
            result.placement,
        )
        result.found = {it: late.get(it, early[it]) for it in pairs}
    result.size = sum(math.isfinite(it.adjusted_low) for it in result.found.values())
    return result


def margin_of(pairs: Sequence[Pair], observed: Sequence[tuple[Array, float]]) -> float:
    """Return the margin of equivalence, from the relinked reference or, where there is none, from its twin."""
    means = {it: mean_ratio(row) for it, (row, _) in zip(pairs, observed, strict=True) if it.first in AA}
    relinked = [ratio for it, ratio in means.items() if it.first == RELINKED]
    return margin(relinked if np.isfinite(relinked).any() else list(means.values()))


def placement_of(pairs: Sequence[Pair], observed: Sequence[tuple[Array, float]], reference: str) -> Placement:
    """Return the variance that processes share, from the comparisons of identical code among the pairs."""
    identical = [at for at, pair in enumerate(pairs) if pair.first in AA and pair.second == reference]
    return estimate([observed[at][0] for at in identical], [observed[at][1] for at in identical])


def observe(pair: Pair, processes: Sequence[Process]) -> tuple[Array, float]:
    """Return the log ratio of a pair in each process, and the spread that the rounds predict."""
    key, other = (pair.workload, pair.first), (pair.workload, pair.second)
    logs = logarithms([process.ratio(key, other) for process in processes])
    return logs, expected_spread([process.rounds_of(key, other) for process in processes])


def judge(
    pairs: Sequence[Pair],
    observed: Sequence[tuple[Array, float]],
    reference: str,
    ranked: frozenset[str],
    margin: float,
    level: float,
    placement: Placement,
) -> dict[Pair, Comparison]:
    """Return the comparison of each pair, in one family."""
    if not pairs:
        return {}
    together = [it.workload in shown() and it.second == reference and it.first in ranked for it in pairs]
    apart = np.array([(it.first, it.second) != (DELAYED, TWIN) for it in pairs])  # these two are one binary
    found = selective(
        np.vstack([row for row, _ in observed]),
        margin,
        expected=[spread for _, spread in observed],
        together=together,
        level=level,
        placement=placement.where(apart),
    )
    return dict(zip(pairs, found, strict=True))


def shown() -> frozenset[str]:
    """Return the workloads of the headline rows, whose intervals against the reference hold all at once."""
    return frozenset(row["workload"] for row in headline.rows())
