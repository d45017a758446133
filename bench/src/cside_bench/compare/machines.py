# SPDX-License-Identifier: Apache-2.0
"""Compares the runs of several machines: what may be compared between them, and whether the machines agree.

Ratios to the reference, measured within one process, are compared between machines; times never are. Notes describe the
other conditions for a comparison, and differences that a reader should know. Machines agree on a cell if their verdicts
are the same. Of the verdicts of one machine, at most 5 % are expected to be wrong; those of the headline rows
hold all at once, with 95 % confidence.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

from cside_suite.subjects.names import natural

from cside_bench.compare.agreement import fate, verdicts
from cside_bench.compare.conditions import NATIVE, facts_of, same_machine
from cside_bench.machine.identity import distinct
from cside_bench.results.evidence import Run
from cside_bench.results.selection import Selection, is_binding

ALIKE: Final = ("faster", "slower", "equivalent")
"""Verdicts on which machines can agree."""
OUTCOMES: Final = {
    "faster": "faster than the reference on every machine",
    "slower": "slower on every machine",
    "equivalent": "within the margin on every machine",
    "mixed": "faster or slower on one machine, equivalent on another",
    "flips": "faster on one machine, slower on another",
    "undecided": "inconclusive on some machine, and no two machines contradict each other",
}
"""Outcomes of the verdicts of several machines for one cell, with their descriptions."""
BUILD: Final = {
    "implementation_version": "version",
    "compiler": "compiler",
    "pgo": "built with a profile",
    "lto": "optimised across modules",
    "shared": "as a shared library",
}
"""Facts of an interpreter that affect ratios measured in it, and their names in notes."""


@dataclass(frozen=True, slots=True)
class Note:
    """A difference between runs, or something else that a reader has to know before comparing them."""

    what: str
    """Subject of the note in a word or two, for example ``tier``."""
    says: str
    """The note as a sentence."""
    breaks: bool = False
    """Whether the ratios of these runs must not be compared."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The verdicts and ratios of one cell on several machines."""

    interpreter: str
    workload: str
    subject: str
    outcome: str
    """One of :data:`OUTCOMES`."""
    verdicts: Mapping[str, str]
    """Verdicts by the name of the run."""
    ratios: Mapping[str, float | None]
    """Ratios by the name of the run."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Several runs with the notes and agreements between them."""

    runs: Sequence[Run]
    names: Sequence[str]
    """Names of the runs, in the order of the runs: the machine's name, with the run's own if a machine has several."""
    notes: Sequence[Note]
    agreements: Sequence[Agreement]
    """Cells with a verdict on two machines or more, in natural order; empty if ratios may not be compared."""

    @property
    def comparable(self) -> bool:
        """Whether ratios may be compared between all of these runs."""
        return not any(note.breaks for note in self.notes)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return how many cells of each interpreter have each of :data:`OUTCOMES`."""
        found: dict[str, dict[str, int]] = {}
        for it in self.agreements:
            found.setdefault(it.interpreter, dict.fromkeys(OUTCOMES, 0))[it.outcome] += 1
        return found

    def by_workload(self) -> list[dict[str, Any]]:
        """Return a row for each interpreter and workload: the number of cells with each outcome, and the worst outcome.

        ``worst`` is ``flips``, ``mixed`` or ``undecided`` if a cell has that outcome, else ``agree``.
        """
        rows: dict[tuple[str, str], Counter[str]] = {}
        for it in self.agreements:
            rows.setdefault((it.interpreter, it.workload), Counter())[it.outcome] += 1
        return [
            {
                "interpreter": interpreter,
                "workload": workload,
                "cells": found.total(),
                **{outcome: found[outcome] for outcome in OUTCOMES},
                "worst": next((it for it in ("flips", "mixed", "undecided") if found[it]), "agree"),
            }
            for (interpreter, workload), found in rows.items()
        ]

    def plain(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "runs": [
                {"name": name, "run": run.name, "machine": run.machine, "tier": run.tier}
                for name, run in zip(self.names, self.runs, strict=True)
            ],
            "comparable": self.comparable,
            "notes": [asdict(note) for note in self.notes],
            "counts": self.counts(),
            "workloads": self.by_workload(),
            "cells": [asdict(it) for it in self.agreements],
        }


def merge(runs: Sequence[Run]) -> Merged:
    """Compare runs."""
    names = distinct((run.machine, run.name) for run in runs)
    named = dict(zip(names, runs, strict=True))
    notes = [*conditions(named), *repeated(named), *measured(named), *builds(named), *judged(named)]
    merged = Merged(runs, names, notes, [])
    if not merged.comparable:
        return merged
    return Merged(runs, names, notes, agreements(named))


Named = Mapping[str, Run]
"""Runs by their names."""


def conditions(runs: Named) -> list[Note]:
    """Return notes about what the user chose: reference, isolation, tier, handicaps and commit."""
    shared = {False: "all in one process, but on PyPy", True: "a process for each binding"}
    found = [
        differs(
            "reference",
            {name: run.reference for name, run in runs.items()},
            "Ratios refer to different bindings: {}.",
            breaks=True,
        ),
        differs(
            "isolated",
            {name: shared[bool(run.summary["isolated"])] for name, run in runs.items()},
            "Bindings shared a process on CPython in some runs, and in others they did not: {}.",
            breaks=True,
        ),
        differs(
            "format",
            {name: run.summary["format"] for name, run in runs.items()},
            "The summaries were computed by different methods: {}. Compute them again with cside report RUN.",
            breaks=True,
        ),
        differs(
            "tier",
            {name: run.tier for name, run in runs.items()},
            "More was measured on some machines than on others: {}.",
        ),
        differs(
            "commit",
            {name: short(run.environment.get("commit")) for name, run in runs.items()},
            "The runs measured different commits: {}.",
        ),
    ]
    for name, run in runs.items():
        for workload, subject, percent in run.summary.get("handicaps", ()):
            says = f"On {name}, {subject} at {workload} was slowed down by {percent:g} % on purpose."
            found.append(Note("handicap", says))
        if not run.summary.get("complete", True):
            says = f"The run on {name} was interrupted; it has fewer processes, so its intervals are wider."
            found.append(Note("incomplete", says))
    return [note for note in found if note is not None]


def repeated(runs: Named) -> list[Note]:
    """Return notes about runs of one machine, which show how well it repeats itself but nothing of other machines."""
    known: dict[str, list[str]] = {}
    doubtful: dict[frozenset[str], list[str]] = {}
    for name, run in runs.items():
        identifier = run.environment.get("machine", {}).get("id")
        if identifier is not None:
            known.setdefault(identifier, []).append(name)
            continue
        alike = [other for other, it in runs.items() if same_machine(run.environment, it.environment)]
        doubtful[frozenset(alike)] = alike
    found = [f"{', '.join(names)} are the same machine" for names in known.values() if len(names) > 1]
    found += [
        f"{', '.join(names)} are the same machine, or machines of one kind: not every run records its machine"
        for names in doubtful.values()
        if len(names) > 1
    ]
    return [Note("same machine", f"{says}; their agreement says nothing about other machines.") for says in found]


def measured(runs: Named) -> list[Note]:
    """Return notes about interpreters and workloads that not all runs have, and about inputs that differ."""
    found: list[Note] = []
    everything = {label: None for run in runs.values() for label in run.labels}
    for label in everything:
        having = {name: run for name, run in runs.items() if label in run.labels}
        if len(having) < len(runs):
            found.append(Note("interpreters", f"{label} was measured on {', '.join(having)} only."))
        sets = {name: set(run.workloads(label)) for name, run in having.items()}
        common = set.intersection(*sets.values())
        if more := set.union(*sets.values()) - common:
            says = f"{len(more)} workloads of {label} were not measured in all runs; {len(common)} were."
            found.append(Note("workloads", says))
    corpora = {name: run.environment.get("corpora", {}) for name, run in runs.items()}
    for corpus in sorted({it for has in corpora.values() for it in has}):
        digests = {name: short(has.get(corpus)) for name, has in corpora.items()}
        note = differs("corpus", digests, f"The corpus “{corpus}” is not the same in all runs: {{}}.")
        found += [] if note is None else [note]
    return found


def builds(runs: Named) -> list[Note]:
    """Return notes about differences between the builds of interpreters and of the library."""
    found: list[Note | None] = []
    for label in {label: None for run in runs.values() for label in run.labels}:
        facts = {name: facts_of(run.environment, label) for name, run in runs.items() if label in run.labels}
        for fact, called in BUILD.items():
            values = {name: it.get(fact) for name, it in facts.items()}
            says = f"{label} is not the same build in all runs; {called}: {{}}."
            found.append(differs("interpreter", values, says))
        for fact in ("compiler", "flags", "engine_version"):
            values = {name: it.get("native", {}).get(fact) for name, it in facts.items()}
            says = f"The library under {label} is not the same build in all runs; {NATIVE[fact]}: {{}}."
            found.append(differs("library", values, says))
        built = {name: it.get("provisioned", {}).get("builds", {}) for name, it in facts.items()}
        for package in sorted({package for it in built.values() for package in it}):
            digests = {name: short(it.get(package, {}).get("source_digest")) for name, it in built.items()}
            found.append(differs("sources", digests, f"The sources of {package} are not the same in all runs: {{}}."))
    return list(dict.fromkeys(note for note in found if note is not None))


def judged(runs: Named) -> list[Note]:
    """Return notes about runs without verdicts, and about interpreters on which a run failed its own checks."""
    found = []
    for name, run in runs.items():
        if not run.judged:
            found.append(Note("no verdicts", f"The run on {name} is of the {run.tier} tier, which gives no verdicts."))
            continue
        for label in run.labels:
            if run.trusted(label) is False:
                says = f"The run on {name} failed its own checks on {label}, so it gives no verdicts there."
                found.append(Note("not trustworthy", says))
    return found


def differs(what: str, values: Mapping[str, object], says: str, *, breaks: bool = False) -> Note | None:
    """Return a note if a value is not the same in all runs; ``{}`` in ``says`` stands for the values and their runs."""
    by_value: dict[str, list[str]] = {}
    for name, value in values.items():
        by_value.setdefault(shown(value), []).append(name)
    if len(by_value) < 2:
        return None
    who_has = "; ".join(f"{it} on {', '.join(who)}" for it, who in by_value.items())
    return Note(what, says.replace("{}", who_has), breaks)


def shown(value: object) -> str:
    """Format a value for a note."""
    if value is None:
        return "not recorded"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def short(digest: object) -> str | None:
    """Return the first digits of a commit or digest, with the mark of a changed checkout."""
    return None if digest is None else str(digest)[:12] + ("+" if str(digest).endswith("+") else "")


def agreements(runs: Named) -> list[Agreement]:
    """Return the cells of bindings and variants with verdicts on two machines or more, without handicapped ones."""
    slowed = {(it[0], it[1]) for run in runs.values() for it in run.summary.get("handicaps", ())}
    found = {name: verdicts(run.summary, Selection()) for name, run in runs.items()}
    keys = {key for it in found.values() for key in it if is_binding(key[2]) and key[1:] not in slowed}
    result = []
    for key in sorted(keys, key=lambda it: tuple(map(natural, it))):
        having = {name: it[key] for name, it in found.items() if key in it}
        if len(having) > 1:
            given = {name: verdict for name, (verdict, _) in having.items()}
            ratios = {name: ratio for name, (_, ratio) in having.items()}
            result.append(Agreement(*key, outcome(given.values()), given, ratios))
    return result


def outcome(given: Iterable[str]) -> str:
    """Return the outcome of the verdicts of several machines: the worst of any two of them, one of :data:`OUTCOMES`."""
    seen = set(given)
    if len(seen) == 1 and seen <= set(ALIKE):
        return seen.pop()
    fates = {fate(one, two, None, None) for one, two in combinations(sorted(seen - {"inconclusive"}), 2)}
    if "turned" in fates:
        return "flips"
    return "mixed" if "retracted" in fates else "undecided"
