# SPDX-License-Identifier: Apache-2.0
"""Finds the approaches that a profile excludes, with the rule and the reason."""

from dataclasses import dataclass

import numpy as np

from cside_bench.recommend.facts import Facts, Wheels, free_threaded
from cside_bench.recommend.prediction import Prediction, Unmeasured
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules

LONG = "idioms.spin_released[100000]"
"""The workload that tells whether long calls release the GIL."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An approach that one rule excludes."""

    subject: str
    rule: str
    reason: str


def nothing_compiled(profile: Profile) -> bool:
    """Return whether a profile cannot use compiled modules."""
    at_build = profile.choices["compiler_at_build"] == "yes" and profile.choices["wheels"] != "none"
    return profile.choices["compiler_at_install"] != "yes" and not at_build


def exclusions(
    profile: Profile, labels: list[str], facts: Facts, prediction: Prediction, rules: Rules
) -> list[Exclusion]:
    """Return all exclusions of all approaches."""
    found: list[Exclusion] = []

    def leave_out(subject: str, rule: str, **values: object) -> None:
        found.append(Exclusion(subject, rule, rules.constraints[rule].says.format(**values)))

    for subject in prediction.subjects:
        wheels = facts.wheels(subject, profile)
        if wheels.compiled and nothing_compiled(profile):
            leave_out(subject, "compiler")
        elif wheels.compiled and profile.choices["wheels"] == "one" and wheels.per_platform > 1:
            leave_out(subject, "one-wheel", wheels=wheels.per_platform)
            found[-1] = Exclusion(subject, "one-wheel", found[-1].reason + _one_binary(subject, facts, labels, rules))
        _served(subject, wheels, profile, facts, rules, found)
        if profile.choices["threads"] != "none":
            for label in labels:
                cell = facts.run.cell(label, LONG, subject)
                if cell is not None and cell["gil"] == "held":
                    leave_out(subject, "threads", interpreter=label)
    for subject in prediction.subjects:
        if (evidence := unsafe(subject, profile, facts, rules)) is not None:
            leave_out(subject, "crashes", evidence=evidence)
    for label in labels:
        for name in profile.idioms:
            idiom = rules.idioms[name]
            try:
                lacks = prediction.lacks(label, idiom, profile.numbers["bytes_per_call"])
            except Unmeasured:  # no approach has a number: that is a refusal and excludes none
                continue
            for subject, lack in lacks.items():
                leave_out(subject, lack.rule, idiom=idiom.title, interpreter=label, evidence=lack.evidence)
    return found


def unsafe(subject: str, profile: Profile, facts: Facts, rules: Rules) -> str | None:
    """Return why an approach cannot be taken where crashes must never happen; None if nothing known forbids it."""
    if profile.choices["crashes"] != "never":
        return None
    by_hand = [rules.idioms[name].title for name in profile.idioms if rules.idioms[name].structs]
    found = []
    if by_hand and rules.technique(subject).declares_by_hand:
        found.append(f"it declares the layout of structs by hand, unchecked ({', '.join(by_hand)})")
    if profile.numbers["changes_per_year"] > 0 and facts.drill:
        wrong = facts.wrong_changes(subject)
        if wrong is None:
            found.append("it was not drilled (to do so: nox -s drill)")
        elif wrong:
            number = len(facts.drill["changes"])
            found.append(f"{len(wrong)} of the drill's {number} changes end so after a rebuild ({', '.join(wrong)})")
    return "; ".join(found) or None


def unjudged(profile: Profile, facts: Facts) -> bool:
    """Return whether crashes must never happen, and no drill tells with which approaches they do."""
    return profile.choices["crashes"] == "never" and profile.numbers["changes_per_year"] > 0 and not facts.drill


def _served(subject: str, wheels: Wheels, profile: Profile, facts: Facts, rules: Rules, found: list[Exclusion]) -> None:
    """Append the exclusions for interpreters that have no wheel; a family is served if one of its members is."""
    for label, evidence in wheels.lacking.items():
        rule = "free-threading" if free_threaded(label) else "interpreter"
        says = rules.constraints[rule].says.format(interpreter=label, evidence=evidence)
        found.append(Exclusion(subject, rule, says))


def _one_binary(subject: str, facts: Facts, labels: list[str], rules: Rules) -> str:
    """Return a sentence on the partial variant that needs one binary; the variant is no candidate itself."""
    variant = rules.technique(subject).one_binary_variant
    if not variant or variant not in facts.run.variants:
        return ""
    cells = []
    for label in labels:
        for workload in facts.run.workloads(label):
            one, two = (facts.run.ratios(label, workload, name) for name in (variant, subject))
            if len(one) and len(one) == len(two) and np.isfinite(one * two).any():
                cells.append(float(np.exp(np.nanmean(np.log(one / two)))))
    slower = f"; its {len(cells)} cells took {min(cells):.2f} to {max(cells):.2f} times as long" if cells else ""
    return f" Its variant for the stable ABI, {variant}, offers a part of the contract and is no candidate{slower}."


def cheapest_to_drop(found: list[Exclusion], subjects: list[str]) -> list[str]:
    """Return the smallest set of rules to drop so that an approach fits: those that exclude the least excluded one."""
    by_subject: dict[str, dict[str, None]] = {subject: {} for subject in subjects}
    for it in found:
        by_subject[it.subject][it.rule] = None
    return min((list(rules) for rules in by_subject.values()), key=len, default=[])
