# SPDX-License-Identifier: Apache-2.0
"""Prices two backends behind one interface, where interpreters or users' compilers differ.

One of the two is the approach that leads. The other serves the second family of interpreters, or the users who have no
compiler. Both are written and kept, unless they are two modes of one binding, which share their declarations.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from cside_bench.recommend.flips import significant
from cside_bench.recommend.packaging import base_of
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules, Technique
from cside_bench.recommend.scoring import Array, Scoring
from cside_bench.recommend.situation import Filter

FIRST: Final = slice(0, 1)
"""Rows of the estimates: two backends are priced by these alone."""
LEAST_GAIN: Final = 0.005
"""Least share of the running time that a second backend has to gain where interpreters differ."""
NAMES: Final = {"cpython": "CPython", "pypy": "PyPy"}


@dataclass(frozen=True, slots=True)
class Part:
    """The users whom one of two backends serves."""

    profile: Profile
    where: str
    """Who they are, as worded after the name of the approach."""
    labels: tuple[str, ...]
    """Interpreters that they use, of those that the answer rests on."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Two backends, with their price and their gain against the best single one."""

    subjects: tuple[str, str]
    wheres: tuple[str, str]
    overall: float
    """Overall cost, relative to that of the approach that leads."""
    lines: float
    """Lines written beyond those of the approach that leads; not a number if no lines were counted."""
    time: float
    """Running time for the users of the one that does not lead, relative to that with the leading one."""
    other: int
    """Position of the one that does not lead."""


def parts(profile: Profile, labels: list[str]) -> list[tuple[Part, Part]]:
    """Return the ways in which a profile's users fall into two kinds."""
    found = []
    families = {name: tuple(it for it in labels if it.partition("-")[0] == name) for name in NAMES}
    if all(families.values()):
        pair = []
        for name, members in families.items():
            asked = {it: share for it, share in profile.interpreters.items() if it.partition("-")[0] == name}
            total = sum(asked.values())
            mine = replace(profile, interpreters={it: share / total for it, share in asked.items()})
            pair.append(Part(mine, f"on {NAMES[name]}", members))
        found.append((pair[0], pair[1]))
    if profile.choices["compiler_at_install"] == "sometimes":
        compiled = profile.with_choice("compiler_at_install", "yes")
        bare = profile.with_choice("compiler_at_install", "no").with_choice("wheels", "none")
        every = tuple(labels)
        found.append(
            (
                Part(compiled, "where there is a wheel or a compiler", every),
                Part(bare, "where there is neither", every),
            )
        )
    return found


class Backends:
    """Prices pairs of approaches for one situation that a run can rank."""

    def __init__(self, advisor: Filter, scoring: Scoring, profile: Profile) -> None:
        self.advisor, self.scoring, self.profile = advisor, scoring, profile
        self.costs = scoring.costs(profile, FIRST)
        self.weights = scoring.weights(profile, list(self.costs))
        self.logs = {label: scoring.logs(profile, FIRST)[label][0] for label in scoring.shares}

    def offers(self, lead: str) -> list[Offer]:
        """Return at most one offer for each way in which users differ, of which ``lead`` is one part."""
        return [it for pair in parts(self.profile, list(self.scoring.shares)) if (it := self._best(pair, lead))]

    def _best(self, pair: tuple[Part, Part], lead: str) -> Offer | None:
        subjects = self.scoring.subjects
        fits = [{subjects[n] for n in self.advisor.situation(part.profile).fits} for part in pair]
        by_compiler = pair[0].labels == pair[1].labels
        offers = []
        for one in sorted(fits[0]):
            for two in sorted(fits[1]):
                if one == two or lead not in (one, two):
                    continue
                if not by_compiler and base_of(one) == base_of(two):  # two modes of one binding serve alike
                    continue
                if by_compiler and not self.scoring.release(one, pair[0].profile).compiled:
                    continue
                offers.append(self._priced((one, two), pair, lead))
        best = min(offers, key=lambda it: it.overall, default=None)
        return best if best is not None and (by_compiler or best.time < 1 - LEAST_GAIN) else None

    def _priced(self, names: tuple[str, str], pair: tuple[Part, Part], lead: str) -> Offer:
        scoring, scale = self.scoring, self.scoring.rules.scale
        columns = [scoring.subjects.index(it) for it in names]
        first = scoring.subjects.index(lead)
        once = base_of(names[0]) == base_of(names[1])
        time = self._time(columns, pair)
        together: dict[str, float] = {"time": time}
        lines = scoring.lines(self.profile, FIRST)
        more = float("nan")
        if lines is not None:
            shared = self.profile.kept_lines or 0.0  # both are generated from these
            both = float(max(lines[0, columns]) if once else sum(lines[0, columns]) - shared)
            more = both - float(lines[0, first])
            together["effort"] = float(np.log2(1 + both * scoring.revised(self.profile) / scale.base_lines))
        if "safety" in self.costs:
            together["safety"] = float(np.mean(self.costs["safety"][0, columns]))
        if "mistakes" in self.costs:
            made = 2.0 ** self.costs["mistakes"][0, columns] - 1
            together["mistakes"] = float(np.log2(1 + (made.max() if once else made.sum())))
        wheels = sum(self._built(it, part.profile) for it, part in zip(names, pair, strict=True))
        together["wheels"] = float(np.log2(1 + wheels / scale.base_wheels))
        if "build" in self.costs:
            seconds = 2.0 ** self.costs["build"][0, columns] - 1
            together["build"] = float(np.log2(1 + seconds.sum()))
        both_of = self._technique(names)
        together["knowledge"] = scoring.loss(both_of, self.profile)
        together["tools"] = scoring.needed(both_of)
        overall = sum(self.weights[name] * (together[name] - float(self.costs[name][0, first])) for name in self.costs)
        other = 1 if names[0] == lead else 0
        faster = [self.logs[label][columns[other]] - self.logs[label][first] for label in pair[other].labels]
        wheres = (pair[0].where, pair[1].where)
        return Offer(names, wheres, float(2.0**overall), more, float(2.0 ** np.mean(faster)), other)

    def _time(self, columns: list[int], pair: tuple[Part, Part]) -> float:
        """Return log2 of the running time: each interpreter with the approach that serves it, by the profile's rule."""
        by_label: dict[str, list[float]] = {}
        for column, part in zip(columns, pair, strict=True):
            for label in part.labels:
                by_label.setdefault(label, []).append(float(self.logs[label][column]))
        means: Array = np.array([np.mean(values) for values in by_label.values()])
        if self.profile.worst:
            return float(means.max())
        return float(np.average(means, weights=[self.scoring.shares[label] for label in by_label]))

    def _built(self, name: str, part: Profile) -> float:
        """Return the wheels that are built of one of two backends, for the interpreters of its users."""
        mine = replace(self.profile, interpreters=part.interpreters)
        return self.scoring.built(self.scoring.release(name, mine), mine)

    def _technique(self, names: tuple[str, str]) -> Technique:
        """Return a technique that needs what either of two needs."""
        one, two = (self.scoring.rules.technique(it) for it in names)
        return replace(
            one,
            skills=tuple(sorted({*one.skills, *two.skills})),
            tools=tuple(sorted({*one.tools, *two.tools})),
            known=one.known and two.known,
        )


def pays(offer: Offer, rules: Rules) -> bool:
    """Return whether two backends cost so little more overall that they are an answer too."""
    return offer.overall <= 1 + rules.deciding.second


def says(offer: Offer, lead: str, scoring: Scoring) -> str:
    """Return the sentences of an offer."""
    rules = scoring.rules
    one, two = (f"{rules.title(it)} {where}" for it, where in zip(offer.subjects, offer.wheres, strict=True))
    where, alone = offer.wheres[offer.other], rules.title(lead)
    if offer.other == 1 and not where.startswith("on "):
        gain = f"{where[0].upper()}{where[1:]}, {alone} cannot be installed"
    else:
        gain = f"{where[0].upper()}{where[1:]}, the program takes {offer.time:.2f} times as long as with {alone}"
    more = np.isfinite(offer.lines) and offer.lines >= 1
    price = f"about {significant(offer.lines)} more lines, and every change" if more else "every change is"
    overall = f"overall they cost {offer.overall:.2f} times as much as {alone} alone: {price} made and tested twice"
    if pays(offer, rules):
        return f"Two backends are an answer too: {one}, and {two}; {overall}. {gain}."
    return f"A second backend does not pay by these weights: with {one}, and {two}, {overall}. {gain}."


def entries(advisor: Filter, scoring: Scoring, profile: Profile, lead: str) -> list[dict[str, Any]]:
    """Return the offers beside ``lead`` as entries of ``recommendations.json``."""
    return [
        {
            "subjects": list(it.subjects),
            "where": list(it.wheres),
            "overall": round(it.overall, 4),
            "lines": round(it.lines, 1) if np.isfinite(it.lines) else None,
            "time": round(it.time, 4),
            "pays": pays(it, scoring.rules),
            "says": says(it, lead, scoring),
        }
        for it in Backends(advisor, scoring, profile).offers(lead)
    ]
