# SPDX-License-Identifier: Apache-2.0
"""Tries the recommendation on decisions that projects made in public, and judges each answer by what experts say.

An answer leads with the approach that it recommends, with those that tie, or, where the measurements do not settle it,
with those that it is between. It *matches* if it leads with one or two approaches, the preferred one among them, or if
it names the very two that the project uses, and they pay. It *embarrasses* if any of those that it leads with would.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from cside_bench.recommend import decisions
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.decisions import Decision

EMBARRASSING: Final = "embarrassing"
MATCH: Final = "match"
DEFENSIBLE: Final = "defensible"
CONTESTED: Final = "contested"
OTHER: Final = "other"
NO_ANSWER: Final = "no answer"
VERDICTS: Final = (MATCH, DEFENSIBLE, CONTESTED, OTHER, NO_ANSWER, EMBARRASSING)
MOST: Final = 2
"""Most approaches with which an answer may lead so that it counts as a match."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The answer to one decision, and its verdict."""

    decision: Decision
    answer: dict[str, Any]
    leads: tuple[str, ...]
    verdict: str
    turned: str
    """What turned the answer away from the preferred approach; empty if nothing did."""

    def plain(self) -> dict[str, Any]:
        """Return the trial as plain data."""
        return {
            "name": self.decision.name,
            "chosen": list(self.decision.now),
            "defensible": list(self.decision.defensible),
            "contested": list(self.decision.contested),
            "embarrassing": list(self.decision.embarrassing),
            "leads": list(self.leads),
            "verdict": self.verdict,
            "turned": self.turned,
            "source": list(self.decision.source),
            "answer": self.answer,
        }


def leads(answer: dict[str, Any]) -> tuple[str, ...]:
    """Return the approaches that an answer leads with; none where a criterion without evidence could turn it."""
    if any(it["turns"] for it in answer["missing"]):
        return ()
    return tuple(answer["recommended"] or answer["contenders"])


def verdict(decision: Decision, answer: dict[str, Any]) -> str:
    """Return the verdict on an answer."""
    led = leads(answer)
    both = [set(it["subjects"]) for it in answer["two_backends"] if it["pays"]]
    if set(led) & set(decision.embarrassing):
        return EMBARRASSING
    if not led:
        return NO_ANSWER
    if decision.defensible[0] in led and len(led) <= MOST:
        return MATCH
    if len(decision.now) == MOST and set(decision.now) in both:
        return MATCH
    if set(led) <= set(decision.defensible):
        return DEFENSIBLE
    return CONTESTED if set(led) & {*decision.contested, *decision.defensible} else OTHER


def turned(decision: Decision, answer: dict[str, Any]) -> str:
    """Return why the preferred approach does not lead: the constraint, or the criterion with the largest part."""
    preferred = decision.defensible[0]
    led = leads(answer)
    if not led or preferred in led:
        return ""
    out = [it for it in answer["excluded"] if it["subject"] == preferred]
    if out:
        return f"{preferred} is left out: {out[0]['rule']}"
    ranked = {it["subject"]: it for it in answer["candidates"]}
    if preferred not in ranked or not ranked[preferred]["contributions"]:
        return f"{preferred} was not measured"
    ours, theirs = (ranked[name]["contributions"] for name in (led[0], preferred))
    gaps = {a["title"]: a["weight"] * (a["points"] - b["points"]) for a, b in zip(ours, theirs, strict=True)}
    most = max(gaps, key=lambda name: gaps[name])
    return f"{most} ({led[0]} ahead of {preferred} by {gaps[most]:.2f} of {sum(gaps.values()):.2f} points)"


def trials(advisor: Advisor, asked: Iterable[Decision]) -> list[Trial]:
    """Return the trial of each decision. Raises ``ProfileError`` if a fact has no valid value."""
    found = []
    for decision in asked:
        answer = advisor.answer(decisions.profile(decision, advisor.rules))
        found.append(Trial(decision, answer, leads(answer), verdict(decision, answer), turned(decision, answer)))
    return found


def totals(found: Iterable[Trial]) -> dict[str, int]:
    """Return the number of trials with each verdict."""
    verdicts = [it.verdict for it in found]
    return {name: verdicts.count(name) for name in VERDICTS}
