# SPDX-License-Identifier: Apache-2.0
"""Computes the costs beside running time: effort, safety, mistakes, wheels, builds, what has to be learnt.

Costs are base-2 logarithms. The first row of an array has the estimates, the other rows have one draw each; columns
are the run's approaches.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend import draws
from cside_bench.recommend.facts import PASSES, Facts
from cside_bench.recommend.packaging import Wheels, base_of, from_sources, needs_layer, skills_of
from cside_bench.recommend.prediction import Prediction
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules, Technique

Array = NDArray[np.float64]


class Costs:
    """The costs of all approaches of a run that do not depend on the times of calls."""

    def __init__(self, facts: Facts, prediction: Prediction, rules: Rules, seed: int, rows: int) -> None:
        self.facts, self.prediction, self.rules = facts, prediction, rules
        self.subjects = prediction.subjects
        self._seed, self._draws = seed, rows
        self._wrong: dict[str, Array | None] = {}
        self._mistaken: dict[tuple[str, ...], Array | None] = {}
        self._each: dict[str, Array | None] = {}

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

    def lines_per_function(self, profile: Profile) -> Array | None:
        """Return the lines written by hand per function (rows x approaches); None if no lines were counted.

        The three nouns are three libraries; declarations are generated for one of them, and the profile says which
        kind counts. How approaches compare on a further library is drawn from how they compare on all three. The
        level, which is common to all approaches, is that of the nouns that count. A binding that leaves out a noun is
        compared on the others.
        """
        kind = profile.choices["declarations"]
        if kind not in self._each:
            self._each[kind] = self._lines_of(kind)
        return self._each[kind]

    def _lines_of(self, kind: str) -> Array | None:
        lines = self.facts.lines_per_function(self.subjects)
        if not lines:
            return None
        bases = {base_of(subject): values for subject, values in lines.items()}
        level = np.nanmean([np.log(values) for values in bases.values()], axis=0)
        scale = self.rules.scale
        functions = np.array(list(scale.functions.values()))
        used = np.array([(noun in scale.generated) == (kind == "generated") for noun in scale.functions])
        common = float(np.average(level[used], weights=functions[used]))
        deviates = self.prediction.deviates("lines", len(functions))
        columns = {}
        for base, values in bases.items():
            above = np.log(values) - level
            drawn = deviates.means(above, ahead=True)
            counted = above[used & np.isfinite(above)]
            columns[base] = drawn - drawn[0] + float(counted.mean() if counted.size else drawn[0]) + common
        nothing = np.full(self._draws + 1, np.nan)
        return self._filled(np.exp(np.column_stack([columns.get(base_of(it), nothing) for it in self.subjects])))

    def layer(self, subject: str, profile: Profile) -> float:
        """Return the lines per function of a layer in C, which an approach needs that cannot call C++."""
        return self.rules.scale.layer_lines if needs_layer(self.rules.technique(subject), profile) else 0.0

    def lines(self, profile: Profile, rows: slice) -> Array | None:
        """Return the lines to write for the interface (rows x approaches); None if no lines were counted.

        Where bindings are generated these are the lines that they are generated from, and those of the functions that
        are left to be written by hand.
        """
        each = self.lines_per_function(profile)
        if each is None:
            return None
        layers = np.array([self.layer(it, profile) for it in self.subjects])
        if profile.kept_lines is not None:
            return np.asarray(profile.kept_lines + (each[rows] + layers) * profile.functions_by_hand)
        return np.asarray((each[rows] + layers) * profile.numbers["functions"])

    def effort(self, profile: Profile, rows: slice) -> Array | None:
        """Return log2 of 1 + lines written and revised / lines that any binding takes; None if none were counted."""
        lines, scale = self.lines(profile, rows), self.rules.scale
        if lines is None:
            return None
        return np.asarray(np.log2(1 + lines * self.revised(profile) / scale.base_lines))

    def revised(self, profile: Profile) -> float:
        """Return how often a line is written over the years, the first time included."""
        return 1 + self.rules.scale.years * self.rules.scale.touched * profile.numbers["changes_per_year"]

    def wrong(self, profile: Profile) -> Array | None:
        """Return the share of the drill's changes with a wrong outcome (rows x approaches); None without a drill.

        The passes count that a user may meet, by where the library is from. An approach that was not drilled gets the
        mean of the others. This holds for variants too, since a variant may lack the compiler errors that its binding
        gets.
        """
        library = profile.choices["library"]
        if library not in self._wrong:
            passes = PASSES[library]
            found = self.facts.wrong(self.subjects, passes) if passes else {}
            drawn = None if not found else self._shares("drill", found)
            self._wrong[library] = np.zeros((self._draws + 1, len(self.subjects))) if not passes else drawn
        return self._wrong[library]

    def _shares(self, name: str, found: dict[str, Array]) -> Array:
        columns = draws.shares(name, self._seed, self._draws, np.column_stack(list(found.values())))
        drawn: dict[str, Array] = {subject: columns[:, n] for n, subject in enumerate(found)}
        mean: Array = columns.mean(axis=1)
        return np.column_stack([drawn.get(it, mean) for it in self.subjects])

    def safety(self, profile: Profile, rows: slice) -> Array | None:
        """Return log2 of 1 + weighted number of changes per year with a wrong outcome; None without a drill."""
        wrong = self.wrong(profile)
        if wrong is None:
            return None
        weight = self.rules.scale.crash_weight[profile.choices["crashes"]]
        return np.asarray(np.log2(1 + weight * profile.numbers["changes_per_year"] * wrong[rows]))

    def mistaken(self, profile: Profile) -> Array | None:
        """Return the share of the mistakes that apply which end wrong (rows x approaches); None if none was tried."""
        ids = tuple(self.rules.mistakes(profile.idioms, profile.choices["threads"], self.tried))
        if ids not in self._mistaken:
            found = self.facts.mistakes(self.subjects, ids)
            self._mistaken[ids] = self._shares("mistakes", found) if found else None
        return self._mistaken[ids]

    @cached_property
    def tried(self) -> tuple[str, ...]:
        """Mistakes that the hazards tried."""
        return tuple(it["id"] for it in self.facts.hazards["hazards"])

    def mistakes(self, profile: Profile, rows: slice) -> Array | None:
        """Return log2 of 1 + weighted number of mistakes that end wrong; None if none was tried."""
        share, scale = self.mistaken(profile), self.rules.scale
        if share is None:
            return None
        made = profile.numbers["functions"] * scale.mistakes_per_function
        return np.asarray(np.log2(1 + scale.crash_weight[profile.choices["crashes"]] * made * share[rows]))

    def wheels(self, profile: Profile, *, stable: bool = False) -> Array:
        """Return log2 of 1 + wheels per year / cost of any release in wheels.

        ``stable`` asks for the form for the stable ABI, of those approaches that have one.
        """
        has = [stable and self.facts.releases.has_stable(it) for it in self.subjects]
        releases = [
            self.facts.releases.wheels(subject, profile, stable=one)
            for subject, one in zip(self.subjects, has, strict=True)
        ]
        return np.array([np.log2(1 + self.built(it, profile) / self.rules.scale.base_wheels) for it in releases])

    def built(self, wheels: Wheels, profile: Profile) -> float:
        """Return the work of a release in wheels, with those for the Pythons that come out in a year.

        Where all users have a compiler, a release is one archive of sources.
        """
        if from_sources(profile):
            return 1.0
        scale = self.rules.scale
        later = scale.pythons_per_year * len(profile.platforms) if wheels.per_version else 0.0
        return wheels.total + later + wheels.platforms * scale.platform_wheels

    def seconds(self, profile: Profile) -> Array | None:
        """Return the seconds of a build after an edit, scaled to the interface; None if no build was measured."""
        part = profile.numbers["functions"] / sum(self.rules.scale.functions.values())
        known = [self.facts.rebuild_seconds(it) for it in self.subjects]
        measured = [it for it in known if it is not None]
        if not any(measured):  # what is not compiled takes none, and was not measured
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
        needed = skills_of(technique, profile)
        return sum(rules.skills[it].loss * (kept if it in profile.knows else 1.0) for it in needed)

    def knowledge(self, profile: Profile) -> Array:
        """Return log2 of the cost of learning, which is :meth:`loss`, by approach."""
        return np.array([self.loss(self.rules.technique(it), profile) for it in self.subjects])

    def needed(self, technique: Technique) -> float:
        """Return the doublings for the tools and packages that a technique depends on.

        An unknown technique gets the median of the known ones.
        """
        if not technique.known:
            known = sorted(self.needed(it) for it in self.rules.techniques.values())
            return known[len(known) // 2]
        return sum(self.rules.scale.tool[it] for it in technique.tools)

    def tools(self) -> Array:
        """Return log2 of the cost of what an approach depends on, which is :meth:`needed`, by approach."""
        return np.array([self.needed(self.rules.technique(it)) for it in self.subjects])
