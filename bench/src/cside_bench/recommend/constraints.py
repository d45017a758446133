# SPDX-License-Identifier: Apache-2.0
"""Finds the approaches that a profile excludes, with the rule and the reason."""

from dataclasses import dataclass

from cside_bench.recommend.facts import PASSES, Facts
from cside_bench.recommend.packaging import Wheels, free_threaded, from_sources
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
        stable = facts.releases.has_stable(subject)
        wheels = facts.releases.wheels(subject, profile)
        least = facts.releases.wheels(subject, profile, stable=True) if stable else wheels
        if wheels.compiled and nothing_compiled(profile):
            leave_out(subject, "compiler")
        elif not from_sources(profile) and profile.choices["wheels"] == "one" and least.per_platform > 1:
            leave_out(subject, "one-wheel", wheels=wheels.per_platform)
        if least.per_version and profile.choices["new_pythons"] == "work" and not from_sources(profile):
            leave_out(subject, "new-pythons", evidence=_unmeasured_form(subject, rules))
        if profile.choices["cpp_compiler"] == "no" and rules.technique(subject).needs_c_plus_plus:
            leave_out(subject, "cpp-compiler")
        refused = profile.choices["run_time_code"] == "no" and "callbacks" in profile.idioms
        if refused and rules.technique(subject).run_time_code:
            leave_out(subject, "run-time-code")
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
    if drill_counts(profile) and facts.drill:
        wrong = facts.wrong_changes(subject)
        number = len(facts.drill["changes"])
        if wrong is None:
            found.append("it was not drilled (to do so: nox -s drill)")
        elif len(wrong) > rules.deciding.unchecked * number:
            found.append(f"{len(wrong)} of the drill's {number} changes end so after a rebuild ({', '.join(wrong)})")
    return "; ".join(found) or None


def drill_counts(profile: Profile) -> bool:
    """Return whether a change of the header may reach users unnoticed: there are changes, of another repository."""
    return profile.numbers["changes_per_year"] > 0 and bool(PASSES[profile.choices["library"]])


def unjudged(profile: Profile, facts: Facts) -> bool:
    """Return whether crashes must never happen, and no drill tells with which approaches they do."""
    return profile.choices["crashes"] == "never" and drill_counts(profile) and not facts.drill


def _served(subject: str, wheels: Wheels, profile: Profile, facts: Facts, rules: Rules, found: list[Exclusion]) -> None:
    """Append the exclusions for interpreters that have no wheel; a family is served if one of its members is."""
    for label, evidence in wheels.lacking.items():
        rule = "free-threading" if free_threaded(label) else "interpreter"
        known = rules.technique(subject).free_threading_says if rule == "free-threading" else ""
        told = f"{evidence}; {known}" if known else evidence
        says = rules.constraints[rule].says.format(interpreter=label, evidence=told)
        found.append(Exclusion(subject, rule, says))


def _unmeasured_form(subject: str, rules: Rules) -> str:
    """Return what is known of an approach's form for the stable ABI where the run has none; empty if nothing is."""
    known = rules.technique(subject)
    if known.one_binary_variant:
        return f"; its form for the stable ABI, {known.one_binary_variant}, was not measured in this run"
    return f"; {known.stable_abi}" if known.stable_abi else ""


def cheapest_to_drop(found: list[Exclusion], subjects: list[str]) -> list[str]:
    """Return the smallest set of rules to drop so that an approach fits: those that exclude the least excluded one."""
    by_subject: dict[str, dict[str, None]] = {subject: {} for subject in subjects}
    for it in found:
        by_subject[it.subject][it.rule] = None
    return min((list(rules) for rules in by_subject.values()), key=len, default=[])
