# SPDX-License-Identifier: Apache-2.0
"""Matches a profile with a run: the interpreters, the approaches that fit, or why the run cannot answer."""

from dataclasses import dataclass, replace

from cside_bench.recommend import flips, wording
from cside_bench.recommend.constraints import Exclusion, exclusions, unjudged
from cside_bench.recommend.facts import Facts, Interpreters, interpreters
from cside_bench.recommend.prediction import Prediction, Unmeasured
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules
from cside_bench.recommend.scoring import Scoring
from cside_bench.results.evidence import Run


@dataclass(frozen=True, slots=True)
class Situation:
    """The match of a profile with a run, before anything is scored."""

    asked: Profile
    profile: Profile
    """The profile asked, without the kinds of call that the run did not measure."""
    found: Interpreters
    excluded: list[Exclusion]
    scoring: Scoring | None
    """The costs of all approaches; None if the run cannot answer."""
    refusals: list[str]
    fits: list[int]
    """Columns of the approaches that no rule excludes."""


class Filter:
    """Matches any number of profiles with one run; ``seed`` determines all draws."""

    def __init__(self, run: Run, rules: Rules, seed: int) -> None:
        self.run, self.rules, self.seed = run, rules, seed
        self.facts = Facts(run, rules)
        self.prediction = Prediction(run, rules.deciding.draws, seed)
        self._scorings: dict[tuple[tuple[str, float], ...], Scoring] = {}

    def situation(self, profile: Profile) -> Situation:
        """Return the match of a profile with the run."""
        found = interpreters(self.run, profile, self.rules.deciding.bias)
        labels = list(found.shares)
        refusals, notes = list(found.refusals), list(found.notes)
        asked, missing = profile, self.missing(labels, profile)
        lost = sum(profile.idioms[name] for name in missing)
        if lost > self.rules.deciding.missing_share:
            refusals += list(dict.fromkeys(map(wording.sentence, missing.values())))
        elif missing:
            left = {name: share / (1 - lost) for name, share in profile.idioms.items() if name not in missing}
            profile = replace(profile, idioms=left)
            notes += [f"{wording.sentence(why)} The other kinds of call stand for it." for why in missing.values()]
        found = replace(found, notes=notes)
        excluded = exclusions(profile, labels, self.facts, self.prediction, self.rules)
        out = {it.subject for it in excluded}
        fits = [n for n, subject in enumerate(self.prediction.subjects) if subject not in out]
        scoring = None
        if not refusals:
            key = tuple(found.shares.items())
            if key not in self._scorings:
                self._scorings[key] = Scoring(
                    self.facts, self.prediction, self.rules, found.shares, self.seed, self.rules.deciding.draws
                )
            scoring = self._scorings[key]
            stated = profile.weight_of(self.rules)
            used = sum(stated[name] for name in (scoring.costs(profile, slice(0, 1)) if fits else stated))
            if used < self.rules.deciding.least_weight * sum(stated.values()):
                held, needed = used / sum(stated.values()), self.rules.deciding.least_weight
                refusals.append(
                    f"the criteria that it can judge have {wording.percent(held)} of the weight, and at least "
                    f"{wording.percent(needed)} is needed."
                )
        return Situation(asked, profile, found, excluded, scoring, refusals, fits)

    def missing(self, labels: list[str], profile: Profile) -> dict[str, str]:
        """Return the kinds of call that no approach was measured with on some interpreter, each with a message."""
        found: dict[str, str] = {}
        for label in labels:
            for name in profile.idioms:
                try:
                    self.prediction.workloads(label, self.rules.idioms[name], profile.numbers["bytes_per_call"])
                except Unmeasured as error:
                    found.setdefault(name, str(error))
        return found

    def lead(self, profile: Profile) -> str | None:
        """Return the approach that leads by the estimates; empty if none fits, None if the run cannot answer."""
        its = self.situation(profile)
        if not its.fits:
            return ""
        if its.scoring is None or its.refusals or unjudged(its.profile, self.facts):
            return None
        return its.scoring.subjects[its.fits[flips.leader(its.scoring, its.profile, its.fits)]]
