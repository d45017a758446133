# SPDX-License-Identifier: Apache-2.0
"""Ranks the approaches for a profile: scores, probabilities, and whether they give a recommendation or a tie."""

from typing import Any, Final

import numpy as np

from cside_bench.recommend import backends, flips, remarks, wording
from cside_bench.recommend.constraints import unjudged
from cside_bench.recommend.packaging import from_sources
from cside_bench.recommend.rules import Rules
from cside_bench.recommend.scoring import Scoring, probabilities
from cside_bench.recommend.situation import Filter, Situation

SAFETY: Final = "safety"
BREAKERS: Final = 3
"""Number of facts that are named of those that break a tie; the nearest come first."""
EVIDENCE: Final = 5
"""Number of cells that are shown as evidence; those with the largest part of the difference come first."""


def _number(value: float | None) -> float | None:
    """Round to five significant digits; None for an unbounded value."""
    return None if value is None or not np.isfinite(value) else float(f"{value:.5g}")


def unranked(rules: Rules, subject: str) -> dict[str, Any]:
    """Return a candidate without numbers."""
    return {
        "subject": subject,
        "title": rules.title(subject),
        "probability": None,
        "probability_if_weights_doubted": None,
        "tied": False,
        "score": None,
        "score_low": None,
        "score_high": None,
        "contributions": [],
    }


class Ranking:
    """Composes the answer if the run can rank. ``frame`` has the keys that all answers share."""

    def __init__(self, advisor: Filter, its: Situation, scoring: Scoring, frame: dict[str, Any]) -> None:
        self.advisor, self.scoring, self.frame = advisor, scoring, frame
        self.rules, self.profile, self.fits = advisor.rules, its.profile, its.fits
        self.subjects = [scoring.subjects[n] for n in its.fits]
        self.costs = scoring.costs(its.profile)
        self.weights = scoring.weights(its.profile, list(self.costs))
        self.overall = scoring.overall(its.profile, its.fits)
        self.probability = probabilities(self.overall[1:])
        self.doubted = probabilities(scoring.doubted(its.profile, its.fits))
        self.tied: set[int] = set()
        """Positions of the approaches that tie for the lead; they have one probability together."""
        self.withheld = False
        """Whether the ranking is no answer, since a criterion without evidence could turn it."""
        self.order = sorted(range(len(self.fits)), key=lambda n: (self.overall[0, n], self.subjects[n]))

    @property
    def margin(self) -> float:
        """Difference of overall costs, as log2, that is no difference."""
        return float(np.log2(1 + self.rules.deciding.close))

    def answer(self) -> dict[str, Any]:
        """Return the entry of ``recommendations.json``."""
        first = self.order[0]
        rules = self.rules
        gaps = self.overall[0] - self.overall[0, first]
        tied = [n for n in self.order if gaps[n] <= self.margin]
        sure = self.probability[first] >= rules.deciding.sure
        if len(tied) > 1:  # what differs by less than the margin is no race: the tied have one probability together
            for shares in (self.probability, self.doubted):
                shares[tied] = shares[tied].sum()
            self.tied = set(tied)
        answer = self.frame
        names = [self.subjects[n] for n in self.order]
        led = [first]
        if len(tied) > 1:
            led = tied
            close, equal, what = self._simplest_first(tied)
            answer["outcome"], answer["recommended"] = "tie", [self.subjects[n] for n in close]
            within = float(np.mean(np.ptp(self.overall[1:, tied], axis=1) <= self.margin))
            answer["says"] = wording.tie(rules, answer["recommended"], equal, what, self.margin, within)
            others = [self.subjects[n] for n in self.order if n not in tied]
            answer["runner_up"] = others[0] if others else None
            answer["tie_breakers"] = self._breakers(tied)
            answer["says"] += f" {answer['tie_breakers'][0]}"
        elif not sure:
            between = self._between()
            likely = [float(self.probability[n]) for n in between]
            answer["contenders"] = [self.subjects[n] for n in between]
            answer["says"] = wording.open_choice(rules, answer["contenders"], likely)
        else:
            answer["outcome"], answer["recommended"] = "recommended", [names[0]]
            answer["runner_up"] = names[1] if len(names) > 1 else None
            answer["says"] = self._recommended(names)
        self._weigh_missing(led)
        self._offer()
        answer["must_say"] = [*remarks.language(self.scoring, self.profile), *remarks.untrusted(self.scoring)]
        answer["says"] += "".join(f" {it}" for it in answer["must_say"])
        if without := self._without_number():
            titles = wording.listed([rules.title(it) for it in without])
            answer["says"] += f" For want of a number, and by no constraint, this leaves out {titles}."
        answer["probability"] = round(float(self.probability[first]), 4)
        answer["probability_if_weights_doubted"] = round(float(self.doubted[first]), 4)
        answer["candidates"] = [self._candidate(n) for n in self.order]
        answer["evidence"] = self._evidence(names[0], names[1]) if len(names) > 1 else []
        answer["flip_points"] = self._flips(set(led))
        if self.withheld:  # the ranking by the other criteria is shown, and neither its odds nor what would turn it
            answer["flip_points"], answer["evidence"] = [], []
            for it in (answer, *answer["candidates"]):
                it["probability"] = it["probability_if_weights_doubted"] = None
        measured = sum(it for name, it in self.weights.items() if rules.criteria[name].kind == "measured")
        answer["measured_weight"] = round(measured, 4)
        answer["rules"] += [f"criterion.{name}" for name in self.costs]
        answer["rules"] += ["decide.simpler"] if answer["outcome"] == "tie" else ["decide.sure"]
        answer["notes"] += remarks.assumed(self.scoring, self.profile, answer["recommended"] or answer["contenders"])
        answer["notes"] += [*self._overload(), *self._without_drill(led), *self._weights_notes()]
        return answer

    def _between(self) -> list[int]:
        """Return the fewest approaches of which one is best with the probability that a recommendation needs."""
        likely = sorted(self.order, key=lambda n: -self.probability[n])
        enough = int(np.searchsorted(np.cumsum(self.probability[likely]), self.rules.deciding.sure)) + 1
        return likely[:enough]

    def _offer(self) -> None:
        """Add two backends to the answer, where interpreters or users' compilers differ."""
        answer = self.frame
        lead = [*answer["recommended"], *(answer["contenders"] if not self.withheld else [])][:1]
        if lead:
            answer["two_backends"] = backends.entries(self.advisor, self.scoring, self.profile, lead[0])
            answer["says"] += "".join(f" {it['says']}" for it in answer["two_backends"])

    def _without_number(self) -> list[str]:
        """Return the approaches that nothing but a void or missing cell leaves out."""
        rules_of: dict[str, set[str]] = {}
        for it in self.frame["excluded"]:
            rules_of.setdefault(it["subject"], set()).add(it["rule"])
        return [subject for subject, by in rules_of.items() if by == {"unmeasured"}]

    def _could_lead(self, led: list[int]) -> dict[int, set[str]]:
        """Return the approaches not in ``led`` that lead or tie by some values of the criteria without evidence.

        Each comes with the criteria of which one alone, or all together, suffice for it.
        """
        missing = self.scoring.missing(self.profile)
        stated = self.profile.weight_of(self.rules)
        known = sum(stated[name] for name in self.costs)
        spans = {name: stated[name] * most for name, most in missing.items()}
        found: dict[int, set[str]] = {}
        for n in self.order:
            if n in led:
                continue
            gap = known * float(self.overall[0, n] - self.overall[0, led].min())
            reach = {
                name: self.margin * (known + stated[name]) + span if span > 0 else 0.0 for name, span in spans.items()
            }
            alone = {name for name, far in reach.items() if gap <= far}
            whole = self.margin * (known + sum(stated[name] for name in missing)) + sum(spans.values())
            if alone or (any(spans.values()) and gap <= whole):
                found[n] = alone or {name for name, span in spans.items() if span > 0}
        return found

    def _weigh_missing(self, led: list[int]) -> None:
        """Take the answer back if a criterion without evidence could turn it; else say that none could."""
        answer, rules = self.frame, self.rules
        missing = list(self.scoring.missing(self.profile))
        could = self._could_lead(led)
        turning = [name for name in missing if any(name in by for by in could.values())]
        vetoed = unjudged(self.profile, self.advisor.facts)
        answer["missing"] = [
            {
                "criterion": name,
                "title": rules.criteria[name].title,
                "settled_by": rules.criteria[name].settled_by,
                "turns": name in turning or (vetoed and name == SAFETY),
            }
            for name in missing
        ]
        self.withheld = bool(vetoed or turning)
        if not self.withheld:
            if missing:
                answer["says"] += wording.stands(rules, missing)
            return
        contenders = [self.subjects[n] for n in self.order if n in led or n in could]
        if vetoed:
            contenders = [self.subjects[n] for n in self.order]
        answer["says"] = wording.veto_missing(rules) if vetoed else wording.missing(rules, turning[0], contenders)
        answer |= {"outcome": "unresolved", "recommended": [], "runner_up": None, "contenders": contenders}
        answer["tie_breakers"] = []
        self.tied = set()

    def _breakers(self, tied: list[int]) -> list[str]:
        """Return sentences on what breaks a tie: a criterion without evidence first, then the nearest inputs."""
        rules, found = self.rules, []
        stated = self.profile.weight_of(rules)
        for name, most in self.scoring.missing(self.profile).items():
            if stated[name] * most > self.margin * (sum(stated[it] for it in self.costs) + stated[name]):
                it = rules.criteria[name]
                found.append(f"Measuring “{it.title}” may break it: {it.settled_by}.")
        columns = [self.fits[n] for n in tied]
        for _, condition, then in sorted(flips.breaking(self.scoring, self.profile, columns, self.margin, rules)):
            found.append(f"The tie breaks in favour of {rules.title(then)} if {condition}.")
        if not found:
            found.append("No value of an input, of those that were searched, breaks the tie: take either.")
        return found[:BREAKERS]

    def _recommended(self, names: list[str]) -> str:
        first, rules = self.order[0], self.rules
        if len(names) == 1:
            return f"{rules.title(names[0])}: the only approach that fits."
        second = self.order[1]
        ratio = 2.0 ** float(self.overall[0, second] - self.overall[0, first])
        parts = {name: self.weights[name] * self._gap(name, first, second) for name in self.costs}
        most = max(parts, key=lambda name: parts[name])
        return (
            f"{rules.title(names[0])}, with probability {wording.chance(float(self.probability[first]))}: overall, "
            f"{rules.title(names[1])} costs {ratio:.2f} times as much, most of it for "
            f"{rules.criteria[most].title}."
        )

    def _gap(self, name: str, first: int, second: int) -> float:
        costs = self.costs[name]
        return float(costs[0, self.fits[second]] - costs[0, self.fits[first]])

    def _simplest_first(self, tied: list[int]) -> tuple[list[int], int, str]:
        """Return the tied approaches, simplest first, the number of equally simple ones, and what sets them apart."""
        rules, facts = self.rules, self.advisor.facts
        lines = self.scoring.lines_per_function(self.profile)
        keys: dict[int, tuple[float, ...]] = {}
        for n in tied:
            wheels = self.scoring.release(self.subjects[n], self.profile)
            each = 0.0 if lines is None else float(lines[0, self.fits[n]])
            needs = float(facts.needed_to_run(self.subjects[n]))
            built = 0 if from_sources(self.profile) else wheels.per_platform
            keys[n] = (float(wheels.compiled), float(built), needs, round(each, 1))
        order = sorted(tied, key=lambda n: (keys[n], self.subjects[n]))
        first = keys[order[0]]
        equal = sum(keys[n] == first for n in order)
        if equal == len(order):
            return order, equal, ""
        following = keys[order[equal]]
        what = next(it for it, a, b in zip(rules.deciding.simpler, first, following, strict=True) if a != b)
        return order, equal, what

    def _candidate(self, n: int) -> dict[str, Any]:
        subject = self.subjects[n]
        best = {name: float(values[0, self.fits].min()) for name, values in self.costs.items()}
        base = sum(self.weights[name] * it for name, it in best.items())
        scores = 1 + base - self.overall[:, n]
        low, high = np.quantile(scores[1:], [0.025, 0.975])
        contributions = []
        for name, weight in self.weights.items():
            points = 1 + best[name] - self.costs[name][:, self.fits[n]]
            ends = np.quantile(points[1:], [0.025, 0.975])
            contributions.append(
                {
                    "criterion": name,
                    "title": self.rules.criteria[name].title,
                    "kind": self.rules.criteria[name].kind,
                    "weight": round(weight, 4),
                    "points": round(float(points[0]), 4),
                    "points_low": round(float(ends[0]), 4),
                    "points_high": round(float(ends[1]), 4),
                    "says": wording.contribution(self.scoring, self.profile, name, self.fits[n]),
                    "cells": self._cells(subject) if name == "time" else [],
                }
            )
        return {
            **unranked(self.rules, subject),
            "probability": round(float(self.probability[n]), 4),
            "probability_if_weights_doubted": round(float(self.doubted[n]), 4),
            "tied": n in self.tied,
            "score": round(float(scores[0]), 4),
            "score_low": round(float(low), 4),
            "score_high": round(float(high), 4),
            "contributions": contributions,
        }

    def _used(self) -> list[tuple[str, str, float]]:
        """Return the cells behind the running time: label, workload, share of the work."""
        found = []
        nbytes = self.profile.numbers["bytes_per_call"]
        for label, part in self.scoring.shares.items():
            of_all = 1.0 if self.profile.worst else part
            for name, share in self.profile.idioms.items():
                idiom = self.rules.idioms[name]
                workloads = self.advisor.prediction.nearest(label, idiom, nbytes)
                found += [(label, it, of_all * share / len(workloads) / idiom.each) for it in workloads]
        return found

    def _cells(self, subject: str) -> list[list[str]]:
        cells = [[label, workload, subject] for label, workload, _ in self._used()]
        run = self.advisor.run
        return cells + [[it, "import", subject] for it in self.scoring.shares if run.cell(it, "import", subject)]

    def _evidence(self, first: str, second: str) -> list[dict[str, Any]]:
        """Return cells of the leader against the next; those with the largest part of the time difference first."""
        run, prediction, found = self.advisor.run, self.advisor.prediction, []
        columns = [prediction.subjects.index(first), prediction.subjects.index(second)]
        for label, workload, share in self._used():
            pair = run.pair(label, workload, first, second)
            if pair is None:
                continue
            one, two = prediction.cell(label, workload)[0][0, columns]
            adjusted = pair.low is not None and pair.high is not None
            row = {
                "interpreter": label,
                "workload": workload,
                "subject": first,
                "against": second,
                "ratio": _number(pair.value),
                "low": _number(pair.low if adjusted else pair.alone_low),
                "high": _number(pair.high if adjusted else pair.alone_high),
                "verdict": pair.verdict,
                "ns": [float(f"{one:.4g}"), float(f"{two:.4g}")],
            }
            found.append((-abs(share * (one - two)), label, workload, row))
        return [row for *_, row in sorted(found, key=lambda it: it[:3])][:EVIDENCE]

    def _flips(self, led: set[int]) -> list[dict[str, Any]]:
        """Return the flip points at which an approach not in ``led`` leads."""
        rules, names = self.rules, {self.subjects[n] for n in led}
        found = list(flips.numeric(self.scoring, self.profile, self.fits, led, rules))
        found += flips.categorical(self.profile, names, rules, self.advisor.run.labels, self.advisor.lead)
        return [
            {
                "variable": it.variable,
                "unit": it.unit,
                "now": it.now,
                "at": it.at,
                "low": it.low,
                "high": it.high,
                "direction": it.direction,
                "then": it.then or None,
                "says": f"If {it.if_}, then {rules.title(it.then) if it.then else 'nothing fits'}.",
            }
            for it in found
        ]

    def _without_drill(self, led: list[int]) -> list[str]:
        """Return a note on how many wrong outcomes of changes would reverse the answer, if no drill measured them."""
        stated = self.profile.weight_of(self.rules).get(SAFETY, 0.0)
        others = [n for n in self.order if n not in led]
        changes = self.profile.numbers["changes_per_year"]
        if SAFETY in self.costs or stated == 0 or not others or changes == 0:
            return []
        first, second = led[0], others[0]
        total = sum(self.profile.weight_of(self.rules)[name] for name in self.costs)
        gap = total * float(self.overall[0, second] - self.overall[0, first])
        share = (2 ** (gap / stated) - 1) / (self.rules.scale.crash_weight[self.profile.choices["crashes"]] * changes)
        one, two = (self.rules.title(self.subjects[n]) for n in (first, second))
        if share > 1:
            return [
                f"Even if every change of the header went wrong with {one} and none with {two}, the former would lead."
            ]
        return [
            f"That may matter: if more than {wording.percent(share)} of the header's changes ended in a wrong result "
            f"or a crash with {one}, and none with {two}, the latter would lead."
        ]

    def _overload(self) -> list[str]:
        """Return a note if a profile asks for more calls than C alone could do."""
        native = self.scoring.native(self.profile)
        if native <= 1:
            return []
        return [
            f"In C alone these calls take {flips.significant(native)} s per second of the program's own work, which "
            "cannot be: state fewer calls per second, or the calls of one process."
        ]

    def _weights_notes(self) -> list[str]:
        stated = self.profile.weight_of(self.rules)
        left = [name for name, weight in stated.items() if weight > 0 and name not in self.costs and name != SAFETY]
        notes = []
        if left:
            what = wording.listed([self.rules.criteria[name].title for name in left])
            notes.append(
                f"Left out, since this run has no data: {what}. Their weight is distributed over the other criteria."
            )
        judged = sum(it for name, it in self.weights.items() if self.rules.criteria[name].kind == "judgement")
        notes.append(
            f"Measured costs have {100 * (1 - judged):.0f} % of the weight, judged costs {100 * judged:.0f} %; "
            "the weights and the scales of all costs are themselves judgement (rules.toml)."
        )
        return notes
