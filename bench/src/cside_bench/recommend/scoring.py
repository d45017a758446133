# SPDX-License-Identifier: Apache-2.0
"""Computes scores from costs, and the probability of being best from random draws.

Costs are kept as base-2 logarithms, so that one point is a factor of two. The first row of an array has the
estimates, the other rows have one draw each; columns are the run's approaches.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend import draws
from cside_bench.recommend.facts import Facts, base_of
from cside_bench.recommend.prediction import Prediction
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules, Technique

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


class Scoring:
    """Computes the costs of all approaches for any profile on the interpreters ``shares``."""

    def __init__(
        self, facts: Facts, prediction: Prediction, rules: Rules, shares: dict[str, float], seed: int, rows: int
    ) -> None:
        self.facts = facts
        self.prediction = prediction
        self.rules = rules
        self.shares = shares
        self.subjects = prediction.subjects
        self._seed, self._draws = seed, rows

    def running(self, profile: Profile, rows: slice) -> Running:
        """Return the shares of the program's own time that calls and imports add."""
        found = Running({}, {})
        rate, nbytes = profile.numbers["calls_per_second"], profile.numbers["bytes_per_call"]
        for label in self.shares:
            start, stop, _ = rows.indices(self._draws + 1)
            overhead = sum(
                share * self.prediction.overhead(label, self.rules.idioms[name], self._bytes(name, nbytes), start, stop)
                for name, share in profile.idioms.items()
            )
            found.share[label] = np.asarray(rate * 1e-9 * overhead)
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

    @staticmethod
    def _filled(values: Array) -> Array:
        """Impute missing costs with the others' geometric mean."""
        if not np.isnan(values).any():
            return values
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(values)
        known = np.isfinite(logs[0])
        middle = logs[:, known].mean(axis=1, keepdims=True)
        return np.asarray(np.exp(np.where(np.isfinite(logs), logs, middle)))

    def time(self, profile: Profile, rows: slice) -> Array:
        """Return log2 of the program's time relative to its time if calls were as cheap as in C."""
        running = self.running(profile, rows)
        free = self.rules.scale.free_share
        logs = []
        for label in self.shares:
            taken = running.share[label] + running.start.get(label, 0.0)
            logs.append(np.log2(1 + np.maximum(0.0, taken - free)))
        if profile.worst:
            return np.asarray(np.max(logs, axis=0))
        return np.asarray(np.average(logs, axis=0, weights=list(self.shares.values())))

    @cached_property
    def lines_per_function(self) -> Array | None:
        """Lines written by hand per function (rows x approaches); None if no lines were counted.

        The three nouns are three libraries. How approaches compare on a fourth library is drawn from how they compare
        on these. The level, which is common to all approaches, is that of the three libraries together.
        """
        lines = self.facts.lines_per_function(self.subjects)
        if not lines:
            return None
        bases = {base_of(subject): values for subject, values in lines.items()}
        level = np.mean([np.log(values) for values in bases.values()], axis=0)
        functions = np.array(list(self.rules.scale.functions.values()))
        common = float(np.average(level, weights=functions))
        deviates = self.prediction.deviates("lines", len(functions))
        columns = {base: deviates.means(np.log(values) - level, ahead=True) + common for base, values in bases.items()}
        nothing = np.full(self._draws + 1, np.nan)
        return self._filled(np.exp(np.column_stack([columns.get(base_of(it), nothing) for it in self.subjects])))

    def lines(self, profile: Profile, rows: slice) -> Array | None:
        """Return the lines to write for the interface (rows x approaches); None if no lines were counted."""
        each = self.lines_per_function
        return None if each is None else np.asarray(each[rows] * profile.numbers["functions"])

    def effort(self, profile: Profile, rows: slice) -> Array | None:
        """Return log2 of 1 + lines written and revised / lines that any binding takes; None if none were counted."""
        lines, scale = self.lines(profile, rows), self.rules.scale
        if lines is None:
            return None
        over = 1 + scale.years * scale.touched * profile.numbers["changes_per_year"]
        return np.asarray(np.log2(1 + lines * over / scale.base_lines))

    @cached_property
    def wrong(self) -> Array | None:
        """Share of the drill's changes with a wrong outcome (rows x approaches); None without a drill.

        An approach that was not drilled gets the mean of the others. This holds for variants too, since a variant may
        lack the compiler errors that its binding gets.
        """
        found = self.facts.wrong(self.subjects)
        if not found:
            return None
        table = np.column_stack(list(found.values()))
        columns = draws.shares("drill", self._seed, self._draws, table)
        drawn: dict[str, Array] = {name: columns[:, n] for n, name in enumerate(found)}
        mean: Array = columns.mean(axis=1)
        return np.column_stack([drawn.get(it, mean) for it in self.subjects])

    def safety(self, profile: Profile, rows: slice) -> Array | None:
        """Return log2 of 1 + weighted number of changes per year with a wrong outcome; None without a drill."""
        if self.wrong is None:
            return None
        weight = self.rules.scale.crash_weight[profile.choices["crashes"]]
        return np.asarray(np.log2(1 + weight * profile.numbers["changes_per_year"] * self.wrong[rows]))

    def wheels(self, profile: Profile) -> Array:
        """Return log2 of 1 + wheels per release / cost of any release in wheels."""
        base = self.rules.scale.base_wheels
        return np.array([np.log2(1 + self.facts.wheels(it, profile).total / base) for it in self.subjects])

    def seconds(self, profile: Profile) -> Array | None:
        """Return the seconds of a build after an edit, scaled to the interface; None if no build was measured."""
        part = profile.numbers["functions"] / sum(self.rules.scale.functions.values())
        known = [self.facts.rebuild_seconds(it) for it in self.subjects]
        measured = [it for it in known if it is not None]
        if not measured:
            return None
        middle = sum(measured) / len(measured)
        return np.array([middle if it is None else it for it in known]) * part

    def build(self, profile: Profile) -> Array | None:
        """Return log2 of 1 + seconds of a build / seconds to try an edit; None if no build was measured."""
        seconds = self.seconds(profile)
        return None if seconds is None else np.asarray(np.log2(1 + seconds / self.rules.scale.base_seconds))

    def loss(self, technique: Technique, profile: Profile) -> float:
        """Return the doublings for the skills that a technique needs.

        A skill that nobody has counts in full, a skill that the maintainers have counts by the share that is forgotten.
        An unknown technique gets the median of the known ones.
        """
        rules = self.rules
        if not technique.known:
            known = sorted(self.loss(it, profile) for it in rules.techniques.values())
            return known[len(known) // 2]
        kept = rules.scale.forgotten[profile.choices["maintained_by"]]
        return sum(rules.skills[it].loss * (kept if it in profile.knows else 1.0) for it in technique.skills)

    def knowledge(self, profile: Profile) -> Array:
        """Return log2 of the cost of learning, which is :meth:`loss`, by approach."""
        return np.array([self.loss(self.rules.technique(it), profile) for it in self.subjects])

    def costs(self, profile: Profile, rows: slice = slice(None)) -> dict[str, Array]:
        """Return log2 costs (rows x approaches) by criterion, if the run has data and the weight is above 0."""
        time = self.time(profile, rows)
        found: dict[str, Array | None] = {
            "time": time,
            "effort": self.effort(profile, rows),
            "safety": self.safety(profile, rows),
            "wheels": self.wheels(profile),
            "build": self.build(profile),
            "knowledge": self.knowledge(profile),
        }
        stated = profile.weight_of(self.rules)
        return {
            name: np.broadcast_to(values, time.shape)
            for name, values in found.items()
            if values is not None and stated.get(name, 0.0) > 0
        }

    def missing(self, profile: Profile) -> dict[str, float]:
        """Return, for each criterion that has a weight and no evidence, the log2 of its greatest possible cost.

        The least is 0, and each approach alone may have any cost in between.
        """
        scale, numbers = self.rules.scale, profile.numbers
        revised = 1 + scale.years * scale.touched * numbers["changes_per_year"]
        built = scale.most_seconds * numbers["functions"] / sum(scale.functions.values())
        most = {
            "effort": scale.most_lines * numbers["functions"] * revised / scale.base_lines,
            "safety": scale.crash_weight[profile.choices["crashes"]] * numbers["changes_per_year"],
            "build": built / scale.base_seconds,
        }
        known, stated = self.costs(profile, slice(0, 1)), profile.weight_of(self.rules)
        return {
            name: float(np.log2(1 + value)) for name, value in most.items() if stated[name] > 0 and name not in known
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
