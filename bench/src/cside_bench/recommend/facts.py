# SPDX-License-Identifier: Apache-2.0
"""Reads the facts of a run beside speed: lines, wheels, builds, the drill, and the interpreters of a profile."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.doubts import LEAST, bias, doubt, processes
from cside_bench.recommend.packaging import Releases, base_of, matches
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules
from cside_bench.results import drill as drills
from cside_bench.results import hazards, shipped_run
from cside_bench.results.drill import LIBRARY, REBUILT
from cside_bench.results.evidence import Run
from cside_bench.results.starts import SHARED

Array = NDArray[np.float64]

WRONG: Final = ("silent", "crash")
"""Outcomes of the drill that count as wrong: an unnoticed wrong result, and a crash."""
WRONG_MISTAKES: Final = (*WRONG, "leak")
"""Outcomes of the hazards that count as wrong."""
PASSES: Final[dict[str, tuple[str, ...]]] = {
    "system": (LIBRARY, REBUILT),
    "bundled": (REBUILT,),
    "same-repository": (),
}
"""Passes of the drill that a user may meet, by where the library is from."""


@dataclass(frozen=True, slots=True)
class Interpreters:
    """The interpreters asked for on which the run can answer."""

    shares: dict[str, float]
    """Label -> share of the work."""
    refusals: list[str] = field(default_factory=list)
    """Reasons why the run cannot answer; empty if it can."""
    notes: list[str] = field(default_factory=list)


def _elsewhere(run: Run, wanted: str) -> str:
    """Return how an interpreter that a run lacks can be answered; two machines are never mixed in one answer."""
    if run.shipped or not shipped_run.ships():
        return ""
    labels = [label for label in shipped_run.load().labels if matches(wanted, label)]
    what = f" The run of another machine that ships with cside has {', '.join(labels)}: --run {shipped_run.NAME}."
    return what if labels else ""


def interpreters(run: Run, profile: Profile, most: float) -> Interpreters:
    """Return the run's interpreters for a profile. A family is answered on its members that can be trusted.

    If it has none, it is answered on those whose failed checks tell by how much times are off, up to ``most``.
    """
    found: dict[str, float] = {}
    refusals, notes = [], []
    for wanted, share in profile.interpreters.items():
        labels = [label for label in run.labels if matches(wanted, label)]
        enough = [label for label in labels if processes(run, label) >= LEAST]
        trusted = [label for label in enough if run.trusted(label) is not False]
        good = trusted or [label for label in enough if 0 < bias(run, label) <= most]
        bad = [label for label in labels if label not in good]
        if not labels:
            measured = f"{', '.join(run.labels) or 'nothing'} and not {wanted}"
            refusals.append(f"{wanted} is asked for, and the run measured {measured}.{_elsewhere(run, wanted)}")
        elif not good:
            refusals += [f"{label} {doubt(run, label)}" for label in bad]
        else:
            notes += [f"{label} is left out: it {doubt(run, label)}" for label in bad]
            notes += [
                f"{label} {doubt(run, label)} Its times may be off by {100 * bias(run, label):.0f} %, and the draws "
                "are wider by that."
                for label in good
                if label not in trusted
            ]
            for label in good:
                found[label] = found.get(label, 0.0) + share / len(good)
    return Interpreters(found, refusals, notes)


class Facts:
    """Looks up the costs of all approaches of a run."""

    def __init__(self, run: Run, rules: Rules) -> None:
        self.run = run
        self.rules = rules
        costs: dict[str, Any] = run.summary.get("costs") or {}
        self._bindings: dict[str, dict[str, Any]] = {it["binding"]: it for it in costs.get("bindings", ())}
        self.releases = Releases(run, rules, self._bindings)
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

    @cached_property
    def hazards(self) -> dict[str, Any]:
        """Return the outcomes of the hazards: the newest beside the run, or those that ship with cside."""
        newest = hazards.newest(self.run.results)
        return hazards.reference() if newest is None else dict(json.loads(newest.read_text(encoding="utf-8")))

    @property
    def hazards_notes(self) -> list[str]:
        """Where the outcomes of the hazards are from, if they were not made beside the run."""
        if hazards.newest(self.run.results) is not None:
            return []
        made = self.hazards["made"][:10]
        where = ", ".join(it["label"] for it in self.hazards["interpreters"])
        return [
            f"How mistakes end is taken from the outcomes that ship with cside ({made}, {where}); to see yours: "
            "nox -s hazards."
        ]

    def mistakes(self, subjects: Iterable[str], ids: Iterable[str]) -> dict[str, Array]:
        """Return, by subject, the share of interpreters on which each of the mistakes ``ids`` had a wrong outcome.

        Subjects and mistakes that were not tried are left out.
        """
        found: dict[str, dict[str, list[float]]] = {}
        for it in self.hazards["outcomes"]:
            mistakes = found.setdefault(it["approach"].replace("_", "."), {})
            mistakes.setdefault(it["hazard"], []).append(float(it["outcome"] in WRONG_MISTAKES))
        tried = [it["id"] for it in self.hazards["hazards"]]
        wanted = [it for it in ids if it in tried]
        return {
            subject: np.array([np.mean(found[subject][name]) for name in wanted])
            for subject in subjects
            if subject in found and wanted
        }

    def lines_per_function(self, subjects: Iterable[str]) -> dict[str, Array]:
        """Return lines written by hand per function and noun, by subject; shared lines count for all functions.

        The lines of a noun that a binding leaves out are NaN, and its shared lines are those of the functions it has.
        """
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
            if offered := sum(number for noun, number in functions.items() if noun in sums):
                shared = sums.get(SHARED, 0.0) / offered
                each = [sums.get(noun, np.nan) / number + shared for noun, number in functions.items()]
                found[subject] = np.array(each)
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
        """Return the changes that end wrong after a rebuild with an approach; None if it was not drilled."""
        table = self.wrong([subject])
        if subject not in table:
            return None
        order = [it["id"] for it in self.drill["changes"]]
        return [name for name, bad in zip(order, table[subject] > 0, strict=True) if bad]

    def wrong(self, subjects: Iterable[str], passes: Sequence[str] = (REBUILT,)) -> dict[str, Array]:
        """Return, by subject drilled, the share of interpreters and passes in which each change had a wrong outcome."""
        found: dict[str, dict[str, list[float]]] = {}
        for it in self.drill.get("outcomes", ()):
            if it["pass"] not in passes:
                continue
            changes = found.setdefault(it["binding"], {})
            changes.setdefault(it["change"], []).append(float(it["outcome"] in WRONG))
        order = [it["id"] for it in self.drill.get("changes", ())]
        return {
            subject: np.array([np.mean(found[subject][change]) for change in order])
            for subject in subjects
            if subject in found and order and all(change in found[subject] for change in order)
        }
