# SPDX-License-Identifier: Apache-2.0
"""Reads the facts of a run beside speed: lines, wheels, builds, the drill, and the interpreters of a profile."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules
from cside_bench.results import drill as drills
from cside_bench.results import shipped_run
from cside_bench.results.drill import REBUILT
from cside_bench.results.evidence import Run

Array = NDArray[np.float64]

WRONG: Final = ("silent", "crash")
"""Outcomes of the drill that count as wrong: an unnoticed wrong result, and a crash."""
LEAST: Final = 2
"""Least number of processes for which a spread can be computed."""
SHARED: Final = "shared"
"""Noun of the lines that serve all nouns."""


def base_of(subject: str) -> str:
    """Return the binding of a variant."""
    return subject.partition(".")[0]


def free_threaded(label: str) -> bool:
    """Return whether a label names a build without the GIL."""
    return label.endswith("t")


def matches(wanted: str, label: str) -> bool:
    """Return whether a name is the label of an interpreter or its family; builds without the GIL have no family."""
    return label == wanted or ("-" not in wanted and label.startswith(f"{wanted}-") and not free_threaded(label))


@dataclass(frozen=True, slots=True)
class Interpreters:
    """The interpreters asked for on which the run can answer."""

    shares: dict[str, float]
    """Label -> share of the work."""
    refusals: list[str] = field(default_factory=list)
    """Reasons why the run cannot answer; empty if it can."""
    notes: list[str] = field(default_factory=list)


def failed_checks(run: Run, label: str) -> str:
    """Return the messages of the run's own checks that failed or could not be made."""
    entry = next(it for it in run.summary["interpreters"] if it["label"] == label)
    said = [f"{it['name']}: {it['says']}" for it in entry["checks"] if it["passed"] is False]
    said += [f"{it['name']}: {it['says']}" for it in entry["checks"] if it["passed"] is None and it["estimate"] is None]
    return " ".join(said) or "the run did not check itself."


def processes(run: Run, label: str) -> int:
    """Return the number of processes that measured on an interpreter."""
    return int(next(it for it in run.summary["interpreters"] if it["label"] == label)["processes"])


def doubt(run: Run, label: str) -> str:
    """Return why the numbers of an interpreter cannot be used to rank."""
    if run.trusted(label) is False:
        return f"is not trustworthy on this machine: {failed_checks(run, label)}"
    return f"was measured in {processes(run, label)} process, and one process says nothing about the noise."


def _elsewhere(run: Run, wanted: str) -> str:
    """Return how an interpreter that a run lacks can be answered; two machines are never mixed in one answer."""
    if run.shipped or not shipped_run.ships():
        return ""
    labels = [label for label in shipped_run.load().labels if matches(wanted, label)]
    what = f" The run of another machine that ships with cside has {', '.join(labels)}: --run {shipped_run.NAME}."
    return what if labels else ""


def interpreters(run: Run, profile: Profile) -> Interpreters:
    """Return the run's interpreters for a profile. A family is answered on its members that can be trusted."""
    found: dict[str, float] = {}
    refusals, notes = [], []
    for wanted, share in profile.interpreters.items():
        labels = [label for label in run.labels if matches(wanted, label)]
        good = [label for label in labels if run.trusted(label) is not False and processes(run, label) >= LEAST]
        bad = [label for label in labels if label not in good]
        if not labels:
            measured = f"{', '.join(run.labels) or 'nothing'} and not {wanted}"
            refusals.append(f"{wanted} is asked for, and the run measured {measured}.{_elsewhere(run, wanted)}")
        elif not good:
            refusals += [f"{label} {doubt(run, label)}" for label in bad]
        else:
            notes += [f"{label} is left out: it {doubt(run, label)}" for label in bad]
            for label in good:
                found[label] = found.get(label, 0.0) + share / len(good)
    return Interpreters(found, refusals, notes)


@dataclass(frozen=True, slots=True)
class Wheels:
    """The wheels that a release needs for the interpreters asked for."""

    per_platform: int
    """Wheels for one platform, without those that serve all platforms."""
    total: int
    """Wheels over all platforms."""
    compiled: bool
    lacking: dict[str, str]
    """Interpreter without a wheel -> the reason."""
    measured: bool
    """Whether the numbers come from the tags of built wheels, rather than from the properties of the technique."""


class Facts:
    """Looks up the costs of all approaches of a run."""

    def __init__(self, run: Run, rules: Rules) -> None:
        self.run = run
        self.rules = rules
        costs: dict[str, Any] = run.summary.get("costs") or {}
        self._bindings: dict[str, dict[str, Any]] = {it["binding"]: it for it in costs.get("bindings", ())}
        self._wheels: dict[tuple[str, tuple[str, ...], tuple[str, ...], str], Wheels] = {}
        self.missing: str = costs.get("static_reason") or "" if not self._bindings else ""
        library = run.summary.get("library_sha256")
        self.drill: dict[str, Any] = drills.counting(run)
        self.drill_notes: list[str] = drills.misfits(self.drill, library)
        if not self.wrong(run.bindings):
            which = "drill that ships" if self.drill.get("shipped") else "newest drill"
            self.drill_notes = [
                f"The {which} is not used: it has a complete row for none of the approaches that the run measured. "
                "To make one: nox -s drill."
            ]
            self.drill = {}

    def _rows(self, subject: str) -> list[dict[str, Any]] | None:
        """Return the coverage of a subject's wheels; None if the technique's properties have to be used instead."""
        if subject != base_of(subject) and self.rules.technique(subject).known:
            return None
        coverage = self._bindings.get(base_of(subject), {}).get("coverage")
        return coverage["rows"] if coverage else None

    def _known_labels(self) -> list[str]:
        for it in self._bindings.values():
            if it["coverage"]:
                return [row["interpreter"] for row in it["coverage"]["rows"]]
        return self.run.labels

    def served(self, profile: Profile) -> list[str]:
        """Return the interpreters that a release is built for: all known ones that the profile asks for."""
        known = self._known_labels()
        found = [label for label in known if any(matches(wanted, label) for wanted in profile.interpreters)]
        free = [label for label in known if free_threaded(label)]
        if profile.choices["threads"] == "free-threaded" and free and not any(map(free_threaded, found)):
            found.append(free[-1])  # the newest version
        return found

    def wheels(self, subject: str, profile: Profile) -> Wheels:
        """Return the wheels of a release of a subject."""
        key = (subject, tuple(profile.interpreters), profile.platforms, profile.choices["threads"])
        if key not in self._wheels:
            self._wheels[key] = self._release(subject, profile)
        return self._wheels[key]

    def _release(self, subject: str, profile: Profile) -> Wheels:
        served, technique = self.served(profile), self.rules.technique(subject)
        rows = self._rows(subject)
        if rows is not None:
            tags = {row["interpreter"]: (row["wheel"], row["evidence"]) for row in rows}
            names = {label: tags[label][0] for label in served if label in tags}
            lacking = {label: tags[label][1] for label, name in names.items() if name is None}
        else:
            names = {label: self._by_technique(technique.binary, label) for label in served}
            lacking = {
                label: "the technique does not support it"
                for label in served
                if free_threaded(label) and not technique.free_threading
            }
        kinds = {name for name in names.values() if name is not None}
        anywhere = {name for name in kinds if name.endswith("-any")}
        own = len(kinds) - len(anywhere)
        return Wheels(own, own * len(profile.platforms) + len(anywhere), own > 0, lacking, rows is not None)

    @staticmethod
    def _by_technique(binary: str, label: str) -> str:
        if binary == "pure":
            return "py3-none-any"
        one = binary == "abi3" and label.startswith("cpython-") and not free_threaded(label)
        return "abi3" if one else label

    def lines_per_function(self, subjects: Iterable[str]) -> dict[str, Array]:
        """Return lines written by hand per function and noun, by subject; shared lines count for all functions."""
        functions = self.rules.scale.functions
        found = {}
        for subject in subjects:
            lines = self._bindings.get(base_of(subject), {}).get("lines")
            if not lines:
                continue
            sums: dict[str, float] = {}
            for it in lines:
                if it["origin"] == "written":
                    sums[it["noun"]] = sums.get(it["noun"], 0.0) + it["code_lines"]
            if all(noun in sums for noun in functions):
                shared = sums.get(SHARED, 0.0) / sum(functions.values())
                found[subject] = np.array([sums[noun] / number + shared for noun, number in functions.items()])
        return found

    def needed_to_run(self, subject: str) -> int:
        """Return the number of packages that have to be installed besides the binding."""
        requirements = self._bindings.get(base_of(subject), {}).get("requirements")
        return len(requirements["run"]) if requirements else 0

    def written_by_tools(self, subject: str) -> int:
        """Return the lines of code that the binding's tools write in a build; 0 for a variant that is not compiled."""
        if subject != base_of(subject) and self.rules.technique(subject).binary == "pure":
            return 0
        return sum(it["lines"] for it in self._bindings.get(base_of(subject), {}).get("written_by_tools") or ())

    def rebuild_seconds(self, subject: str) -> float | None:
        """Return the seconds of a rebuild after an edit, with all functions; 0 for a variant that is not compiled."""
        if subject != base_of(subject) and self.rules.technique(subject).binary == "pure":
            return 0.0
        built = self._bindings.get(base_of(subject), {}).get("rebuild_s")
        return float(built["median"]) if built else None

    def wrong_changes(self, subject: str) -> list[str] | None:
        """Return the changes that end wrong after a rebuild with one approach and not with all others.

        A change that ends wrong with every approach drilled says nothing about any of them. None if the approach was
        not drilled.
        """
        table = self.wrong(self.run.bindings)
        if subject not in table:
            return None
        order = [it["id"] for it in self.drill["changes"]]
        everywhere = np.all([values > 0 for values in table.values()], axis=0) & (len(table) > 1)
        return [
            name for name, bad, all_bad in zip(order, table[subject] > 0, everywhere, strict=True) if bad & ~all_bad
        ]

    def wrong(self, subjects: Iterable[str]) -> dict[str, Array]:
        """Return, by subject drilled, the share of interpreters on which each change had a wrong outcome.

        Only the drill's pass with a rebuild counts: a library replaced under a built module breaks all techniques
        alike.
        """
        found: dict[str, dict[str, list[float]]] = {}
        for it in self.drill.get("outcomes", ()):
            if it["pass"] != REBUILT:
                continue
            changes = found.setdefault(it["binding"], {})
            changes.setdefault(it["change"], []).append(float(it["outcome"] in WRONG))
        order = [it["id"] for it in self.drill.get("changes", ())]
        return {
            subject: np.array([np.mean(found[subject][change]) for change in order])
            for subject in subjects
            if subject in found and order and all(change in found[subject] for change in order)
        }
