# SPDX-License-Identifier: Apache-2.0
"""Composes the answer to one profile, whether the run can rank the approaches or not."""

from typing import Any

from cside_bench.recommend import wording
from cside_bench.recommend.constraints import cheapest_to_drop
from cside_bench.recommend.facts import PASSES
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.ranking import Ranking, unranked
from cside_bench.recommend.situation import Filter, Situation


class Advisor(Filter):
    """Answers any number of profiles from one run."""

    def answer(self, profile: Profile) -> dict[str, Any]:
        """Return the complete answer, as an entry of ``recommendations.json``."""
        its = self.situation(profile)
        if not its.fits:
            return self._nothing(its)
        if its.refusals or its.scoring is None:
            return self._unresolved(its)
        return Ranking(self, its, its.scoring, self._frame(its)).answer()

    def _frame(self, its: Situation) -> dict[str, Any]:
        """Return the keys that all answers have, with the values of an unresolved answer."""
        profile = its.asked
        plain = {"id": profile.id, "title": profile.title, "text": profile.text, "inputs": profile.plain()}
        return {
            "profile": plain,
            "outcome": "unresolved",
            "recommended": [],
            "probability": None,
            "probability_if_weights_doubted": None,
            "indicative": not self.run.judged,
            "another_machine": self.run.shipped,
            "says": "",
            "runner_up": None,
            "interpreters": list(its.found.shares),
            "candidates": [],
            "evidence": [],
            "excluded": [
                {
                    "subject": it.subject,
                    "title": self.rules.title(it.subject),
                    "rule": it.rule,
                    "reason": it.reason,
                }
                for it in its.excluded
            ],
            "flip_points": [],
            "tie_breakers": [],
            "two_backends": [],
            "must_say": [],
            "missing": [],
            "contenders": [],
            "measured_weight": None,
            "rules": list(dict.fromkeys(f"constraint.{it.rule}" for it in its.excluded)),
            "notes": self._notes(its),
        }

    def _notes(self, its: Situation) -> list[str]:
        notes = list(its.found.notes)
        if not self.run.judged:
            notes.append(wording.indicative(self.run))
        if self.facts.missing:
            notes.append(f"This run has no data on lines, builds and wheels: {self.facts.missing}.")
        counts = bool(PASSES[its.profile.choices["library"]])
        notes += self.facts.drill_notes if counts else []
        if counts and not self.facts.drill:
            notes.append(
                "What a change of the header breaks was not measured in this run and is left out; its weight is "
                "distributed over the other criteria. To measure it, run: nox -s drill."
            )
        elif counts and (drilled := self.facts.wrong(self.prediction.subjects)):
            notes += [
                f"{self.rules.title(subject)} was not drilled; the mean of the drilled approaches is used for it."
                for subject in (self.prediction.subjects[n] for n in its.fits)
                if subject not in drilled
            ]
        notes += self.facts.hazards_notes
        for label in its.found.shares:
            for name in its.profile.idioms:
                nbytes = its.profile.numbers["bytes_per_call"]
                idiom = self.rules.idioms[name]
                if name in self.missing([label], its.profile):
                    continue
                if stands := self.prediction.stands_for(label, idiom):
                    notes.append(f"“{idiom.title}” on {label} is represented by {wording.listed(stands)} alone.")
                if aside := self.prediction.set_aside(label, idiom, nbytes):
                    notes.append(wording.set_aside(idiom.title, label, aside, self.rules))
                if (most := self.prediction.beyond(label, idiom, nbytes)) is not None:
                    notes.append(
                        f"“{idiom.title}” was measured up to {most:,} bytes on {label}; larger sizes are "
                        "extrapolated by the line through the last two sizes."
                    )
        apart = [label for label in its.found.shares if self.prediction.misses.table(label) is None]
        if apart:
            notes.append(
                f"On {wording.listed(apart)} the draws do not contain how far your functions are from those measured: "
                "the run predicted too few calls by their shape."
            )
        notes += [
            self.rules.unknown["says"].format(subject=self.prediction.subjects[n])
            for n in its.fits
            if not self.rules.technique(self.prediction.subjects[n]).known
        ]
        free = [it for it in its.profile.interpreters if it.endswith("t")]
        if its.profile.choices["threads"] == "free-threaded" and not free:
            notes.append("Speeds are those measured on builds with the GIL.")
        return notes

    def _nothing(self, its: Situation) -> dict[str, Any]:
        drop = cheapest_to_drop(its.excluded, self.prediction.subjects)
        ways = " and ".join(self.rules.constraints[rule].relax for rule in drop)
        near = wording.listed(
            [
                self.rules.title(subject)
                for subject in self.prediction.subjects
                if {it.rule for it in its.excluded if it.subject == subject} == set(drop)
            ]
        )
        says = f"Nothing fits. To let something fit, {ways}; that admits {near}."
        if "crashes" in drop and self.facts.drill:
            counts = {it: self.facts.wrong_changes(it) for it in self.prediction.subjects}
            least = min((len(it) for it in counts.values() if it is not None), default=0)
            fewest = [self.rules.title(it) for it, wrong in counts.items() if wrong is not None and len(wrong) == least]
            if least:
                says += f" The fewest changes of the drill end wrong with {wording.listed(fewest)}: {least}."
        return {**self._frame(its), "outcome": "nothing fits", "says": says}

    def _unresolved(self, its: Situation) -> dict[str, Any]:
        names = [self.prediction.subjects[n] for n in its.fits]
        says = (
            f"This run cannot rank the approaches: {wording.sentence(its.refusals[0])} These fit, in no order: "
            f"{wording.listed([self.rules.title(name) for name in names])}."
        )
        candidates = [unranked(self.rules, name) for name in names]
        frame = self._frame(its)
        return {**frame, "says": says, "candidates": candidates, "notes": [*its.refusals[1:], *frame["notes"]]}
