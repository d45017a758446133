# SPDX-License-Identifier: Apache-2.0
"""Computes scores from costs, and the probability of being best from random draws.

Costs are kept as base-2 logarithms, so that one point is a factor of two. The first row of an array has the
estimates, the other rows have one draw each; columns are the run's approaches.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend import draws
from cside_bench.recommend.costs import Costs
from cside_bench.recommend.facts import Facts
from cside_bench.recommend.packaging import Wheels, from_sources
from cside_bench.recommend.prediction import Prediction
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules

Array = NDArray[np.float64]

SAME: Final = 1e-12
"""Difference of overall costs, in log2, up to which two approaches cost the same."""


@dataclass(frozen=True, slots=True)
class Running:
    """The running time that calls and imports add, by interpreter; rows x approaches."""

    share: dict[str, Array]
    """Overhead of the calls, as a share of the program's own time."""
    start: dict[str, Array]
    """Time of the import, as a share of the program's own time."""


class Scoring(Costs):
    """Computes all costs of all approaches for any profile on the interpreters ``shares``."""

    def __init__(
        self, facts: Facts, prediction: Prediction, rules: Rules, shares: dict[str, float], seed: int, rows: int
    ) -> None:
        super().__init__(facts, prediction, rules, seed, rows)
        self.shares = shares
        self._has_stable = np.array([facts.releases.has_stable(it) for it in self.subjects])
        self._takes_loops = np.array([rules.technique(it).takes_loops for it in self.subjects])

    def prices(self, label: str) -> Array:
        """Return what calls take with the form for the stable ABI, as a factor, by approach."""
        return np.array([self.facts.releases.price(label, it)[0] for it in self.subjects])

    def running(self, profile: Profile, rows: slice, stable: Array | None = None) -> Running:
        """Return the shares of the program's own time that calls and imports add.

        ``stable`` tells for each approach whether its form for the stable ABI is taken; None takes those that
        :meth:`stable` chooses. Where the caller's loop is over arrays, an approach that takes the loop in pays its
        overhead once for each loop; the others also pay what the interpreter's own loop takes, on CPython.
        """
        found = Running({}, {})
        taken = self.stable(profile) if stable is None else stable
        nbytes = profile.numbers["bytes_per_call"]
        elements = profile.numbers["elements_per_loop"]
        calls = np.where(self._takes_loops, 1 / elements, 1.0)
        outside = np.where(self._takes_loops, 0.0, 1 - 1 / elements)
        for label in self.shares:
            rate = profile.numbers["calls_per_second"] * calls * np.where(taken, self.prices(label), 1.0)
            start, stop, _ = rows.indices(self._draws + 1)
            overhead = sum(
                share * self.prediction.overhead(label, self.rules.idioms[name], self._bytes(name, nbytes), start, stop)
                for name, share in profile.idioms.items()
            )
            each = self.rules.scale.element_ns if label.startswith("cpython") else 0.0
            loop = profile.numbers["calls_per_second"] * outside * each
            found.share[label] = np.asarray(1e-9 * (rate * overhead + loop))
            imported = self.prediction.start(label)
            if imported is not None:
                found.start[label] = self._filled(imported[rows]) * 1e-9 / profile.numbers["process_seconds"]
        return found

    def native(self, profile: Profile) -> float:
        """Return the share of the program's own time that the calls take in C, the largest over the interpreters.

        A share above 1 is impossible.
        """
        nbytes, rate = profile.numbers["bytes_per_call"], profile.numbers["calls_per_second"]
        return max(
            rate
            * 1e-9
            * sum(
                share * self.prediction.native(label, self.rules.idioms[name], self._bytes(name, nbytes))
                for name, share in profile.idioms.items()
            )
            for label in self.shares
        )

    def _bytes(self, name: str, nbytes: float) -> float:
        return nbytes if self.rules.idioms[name].sized else 0.0

    def stable(self, profile: Profile) -> Array:
        """Return for each approach whether it is taken in its form for the stable ABI.

        It is where the profile asks for one wheel or for Pythons that are not out yet; elsewhere it is where that form
        costs less by the estimates, with fewer wheels and slower calls both weighted.
        """
        asked = profile.choices["wheels"] == "one" or profile.choices["new_pythons"] == "work"
        if asked and not from_sources(profile):
            return self._has_stable
        nothing, first = np.zeros(len(self.subjects), dtype=bool), slice(0, 1)
        if not self._has_stable.any():
            return nothing
        weight = profile.weight_of(self.rules)
        own, other = (self.time(profile, first, it)[0] for it in (nothing, self._has_stable))
        wheels, fewer = (self.wheels(profile, stable=it) for it in (False, True))
        less = weight["time"] * (other - own) < weight["wheels"] * (wheels - fewer)
        return np.asarray(self._has_stable & less)

    def packaged(self, profile: Profile) -> Array:
        """Return log2 of the cost of wheels, in the form that is taken, by approach."""
        return np.where(self.stable(profile), self.wheels(profile, stable=True), self.wheels(profile))

    def release(self, subject: str, profile: Profile) -> Wheels:
        """Return the wheels of a release of an approach, in the form that is taken."""
        taken = bool(self.stable(profile)[self.subjects.index(subject)])
        return self.facts.releases.wheels(subject, profile, stable=taken)

    def time(self, profile: Profile, rows: slice, stable: Array | None = None) -> Array:
        """Return log2 of the program's time relative to its time if calls were as cheap as in C."""
        logs = list(self.logs(profile, rows, stable).values())
        if profile.worst:
            return np.asarray(np.max(logs, axis=0))
        return np.asarray(np.average(logs, axis=0, weights=list(self.shares.values())))

    def logs(self, profile: Profile, rows: slice, stable: Array | None = None) -> dict[str, Array]:
        """Return log2 of the program's relative time, by interpreter."""
        running = self.running(profile, rows, stable)
        free = self.rules.scale.free_share
        return {
            label: np.log2(1 + np.maximum(0.0, running.share[label] + running.start.get(label, 0.0) - free))
            for label in self.shares
        }

    def costs(self, profile: Profile, rows: slice = slice(None)) -> dict[str, Array]:
        """Return log2 costs (rows x approaches) by criterion, if the run has data and the weight is above 0."""
        time = self.time(profile, rows)
        found: dict[str, Array | None] = {
            "time": time,
            "effort": self.effort(profile, rows),
            "safety": self.safety(profile, rows),
            "mistakes": self.mistakes(profile, rows),
            "wheels": self.packaged(profile),
            "build": self.build(profile),
            "knowledge": self.knowledge(profile),
            "tools": self.tools(),
        }
        stated = profile.weight_of(self.rules)
        return {
            name: np.broadcast_to(values, time.shape)
            for name, values in found.items()
            if values is not None and stated.get(name, 0.0) > 0
        }

    def missing(self, profile: Profile) -> dict[str, float]:
        """Return, for each criterion of some weight that has no evidence, the log2 of its greatest possible cost.

        The least is 0, and each approach alone may have any cost in between.
        """
        scale, numbers = self.rules.scale, profile.numbers
        built = scale.most_seconds * numbers["functions"] / sum(scale.functions.values())
        most = {
            "effort": scale.most_lines * numbers["functions"] * self.revised(profile) / scale.base_lines,
            "safety": scale.crash_weight[profile.choices["crashes"]] * numbers["changes_per_year"],
            "build": built / scale.base_seconds,
        }
        known, stated = self.costs(profile, slice(0, 1)), profile.weight_of(self.rules)
        minor = self.rules.deciding.minor
        return {
            name: float(np.log2(1 + value))
            for name, value in most.items()
            if stated[name] > minor and name not in known
        }

    def weights(self, profile: Profile, used: list[str]) -> dict[str, float]:
        """Return the weights of the criteria ``used``, scaled to the sum 1."""
        stated = profile.weight_of(self.rules)
        total = sum(stated[name] for name in used)
        return {name: stated[name] / total for name in used}

    def overall(self, profile: Profile, fits: list[int], rows: slice = slice(None)) -> Array:
        """Return log2 of the overall costs (rows x ``fits``), the sum over criteria weighted as stated."""
        costs = self.costs(profile, rows)
        weights = self.weights(profile, list(costs))
        return np.asarray(sum(weight * costs[name][:, fits] for name, weight in weights.items()))

    def doubted(self, profile: Profile, fits: list[int]) -> Array:
        """Return log2 of the overall costs (draws x ``fits``) with weights that are drawn too."""
        costs = self.costs(profile, slice(1, None))
        stated = np.array(list(self.weights(profile, list(costs)).values()))
        drawn = draws.weights(self._seed, self._draws, stated, self.rules.deciding.concentration)
        return np.asarray(sum(drawn[:, [n]] * values[:, fits] for n, values in enumerate(costs.values())))


def probabilities(overall: Array) -> Array:
    """Return the share of draws in which each approach costs least; approaches of equal cost divide a draw."""
    best = overall <= overall.min(axis=1, keepdims=True) + SAME
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))
