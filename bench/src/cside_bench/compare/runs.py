# SPDX-License-Identifier: Apache-2.0
"""Compares two runs: paired ratios always, and times if both runs were made by one machine and build.

A run without verdicts (its tier is too small, or it failed its own checks on an interpreter) is compared by numbers and
intervals, never by verdicts.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from cside_bench.compare.agreement import agreement
from cside_bench.compare.conditions import MACHINE, differences, same_build, same_machine
from cside_bench.compare.instructions import Counts, compare_counts, read_counts
from cside_bench.results.digits import number
from cside_bench.results.files import RUN_FILE, SUMMARY_FILE
from cside_bench.results.rounds import Key, Sample, read_run
from cside_bench.results.selection import Selection, is_binding
from cside_bench.results.starts import import_times
from cside_bench.statistics.intervals import (
    CONFIDENCE,
    Comparison,
    expected_spread,
    logarithms,
    simultaneous_between,
    stars,
    verdict,
)
from cside_bench.summary import steady
from cside_bench.summary.build import summarise

FORMAT: Final = 1
"""Version of the format of the comparison."""
UNCHANGED: Final = frozenset({"stdlib", "empty-function", "empty-builtin", "PyKCS11", "python-pkcs11"})
"""Controls whose code is the same in both runs if the interpreter's build is; so is ``floor.*`` if libcside is."""
PERCENTILE: Final = 0.95
"""Share of the unchanged cells whose times moved by no more than the reported shift."""
IMPORT: Final = "import"
"""Name of the workload that is measured in fresh processes."""


@dataclass(frozen=True, slots=True)
class Observed:
    """One cell of one run: a number for each process, NaN if a process has none."""

    values: list[float]
    expected: float
    """Spread of the logarithms that the rounds predict; NaN if there are no rounds."""


@dataclass(slots=True)
class Run:
    """One of the two runs of a comparison."""

    folder: Path
    plan: dict[str, Any]
    environment: dict[str, Any]
    summary: dict[str, Any]
    samples: dict[str, Sample]
    imports: dict[str, dict[str, list[float]]]
    counts: dict[str, Counts]
    judged: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Entry of each interpreter in the summary, by label."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a run; a missing summary is computed and written."""
        samples = read_run(folder)
        if samples and not (folder / SUMMARY_FILE).exists():
            summarise(folder)
        summary = load(folder / SUMMARY_FILE)
        plan = load(folder / RUN_FILE)
        for sample in samples.values():
            steady.mark(sample, plan["reference"])
        return cls(
            folder=folder,
            plan=plan,
            environment=load(folder / "environment.json"),
            summary=summary,
            samples=samples,
            imports=import_times(folder),
            counts=read_counts(folder),
            judged={entry["label"]: entry for entry in summary.get("interpreters", [])},
        )

    def doubts(self, label: str) -> list[str]:
        """Return the reasons why the run gives no verdicts on an interpreter; empty if it gives verdicts."""
        found = []
        if not self.summary.get("verdicts", False):
            found.append(f"tier {self.plan['tier']} gives no verdicts")
        entry = self.judged.get(label, {})
        if entry.get("trustworthy") is False:
            says = [it["says"] for it in entry.get("checks", []) if it["decides"] and it["passed"] is not True]
            found.append(" ".join(["it failed its own checks.", *says]).removesuffix("."))
        return found

    def plain(self) -> dict[str, Any]:
        """Return the name, tier and completeness of the run."""
        complete = self.summary.get("complete", True)
        return {"run": self.folder.name, "tier": self.plan["tier"], "complete": complete}

    def margin(self, label: str) -> float:
        """Return the run's margin of equivalence on an interpreter."""
        return float(self.judged.get(label, {}).get("margin") or 0.0)

    def ratios(self, key: Key, label: str, reference: str) -> Observed:
        """Return the paired ratio to the reference; for ``import``, that of the processes of a block."""
        if key[0] == IMPORT:
            times, other = (self.imports[label].get(name, []) for name in (key[1], reference))
            return Observed([one / two for one, two in zip(times, other, strict=False)], np.nan)
        base = (key[0], reference)
        processes = self.samples[label].processes
        rounds = [process.rounds_of(key, base) for process in processes]
        return Observed([process.ratio(key, base) for process in processes], expected_spread(rounds))

    def times(self, key: Key, label: str) -> Observed:
        """Return net ns per call."""
        if key[0] == IMPORT:
            return Observed(self.imports[label][key[1]], np.nan)
        processes = self.samples[label].processes
        rounds = [process.net[key] for process in processes if key in process.net]
        return Observed([process.median_net(key) for process in processes], expected_spread(rounds))

    def keys(self, label: str) -> set[Key]:
        """Return every cell that was measured or is void."""
        measured = set(self.samples[label].cells()) if label in self.samples else set()
        return measured | {(IMPORT, name) for name in self.imports.get(label, {})}

    def void(self, label: str) -> dict[Key, str]:
        """Return the cells that do not count, void or not steady, with their reasons.

        If the reference of a workload is one of them, all its ratios are.
        """
        return self.samples[label].void | self.samples[label].unsteady if label in self.samples else {}


def load(path: Path) -> dict[str, Any]:
    """Read a JSON object; empty if the file does not exist."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


class RunComparison:
    """The comparison of two runs; :meth:`plain` returns the result."""

    def __init__(self, base: Run, other: Run, selection: Selection, fail_over: float | None = None) -> None:
        self.base, self.other, self.selection, self.fail_over = base, other, selection, fail_over
        self.reference: str = base.plan["reference"]
        self.same_machine = same_machine(base.environment, other.environment)
        one, two = (run.samples.keys() | run.counts.keys() for run in (base, other))
        self.labels = [label for label in sorted(one & two) if selection.interpreter(label)]
        self.only_in = {
            "base": self.absent(base, other, sorted(one - two)),
            "other": self.absent(other, base, sorted(two - one)),
        }
        timed = [label for label in self.labels if label in base.samples and label in other.samples]
        self.interpreters = [self.interpreter(label) for label in timed]
        counted = [label for label in self.labels if label in base.counts and label in other.counts]
        self.counted = [
            compare_counts(label, base.counts[label], other.counts[label], selection, fail_over) for label in counted
        ]

    def absent(self, run: Run, counterpart: Run, labels: list[str]) -> list[dict[str, Any]]:
        """Return what only ``run`` has: whole interpreters, then subjects with their workloads."""
        found: list[dict[str, Any]] = [
            {"interpreter": label, "subject": None, "workloads": None}
            for label in labels
            if self.selection.interpreter(label)
        ]
        for label in self.labels:
            by_subject: dict[str, list[str]] = {}
            for workload, subject in sorted(run.keys(label) - counterpart.keys(label)):
                if self.selection.cell(workload, subject):
                    by_subject.setdefault(subject, []).append(workload)
            found += [{"interpreter": label, "subject": it, "workloads": by_subject[it]} for it in sorted(by_subject)]
        return found

    def interpreter(self, label: str) -> dict[str, Any]:
        """Compare all cells of one interpreter that both runs timed."""
        base, other = self.base, self.other
        chosen = [key for key in sorted(base.keys(label) & other.keys(label)) if self.selection.cell(*key)]
        void = {key: self.voids(label, key) for key in chosen}
        keys = [key for key in chosen if not void[key]]
        doubts = {"base": base.doubts(label), "other": other.doubts(label)}
        judge = not any(doubts.values())
        margin = max(base.margin(label), other.margin(label))
        timed = self.same_machine and same_build(base.environment, other.environment, label)
        paired = [key for key in keys if key[1] != self.reference and not self.voids(label, (key[0], self.reference))]
        ratios = self.family(paired, lambda run, key: run.ratios(key, label, self.reference))
        references = {(key[0], self.reference) for key in keys} & base.keys(label) & other.keys(label)
        beside = [key for key in sorted(references - set(keys)) if not self.voids(label, key)]
        times = self.family(keys + beside, lambda run, key: run.times(key, label)) if timed else {}
        shift = self.shift(label) if timed else None
        time_margin = max(margin, shift["within"] if shift else 0.0)
        moved = {
            key[0]
            for key, change in times.items()
            if key[1] == self.reference and verdict(change, time_margin) in {"faster", "slower"}
        }
        cells = [
            {
                "workload": key[0],
                "subject": key[1],
                "ratio": measure(ratios.get(key), margin, judge=judge and key[0] != IMPORT),
                "time": measure(times.get(key), time_margin, judge=judge and key[0] != IMPORT),
            }
            for key in keys
        ]
        return {
            "label": label,
            "times_compared": timed,
            "why_not": None if timed else self.why_no_times(label),
            "processes": {"base": processes(base, label), "other": processes(other, label)},
            "verdicts": judge,
            "doubts": doubts,
            "margin": number(margin),
            "time_margin": number(time_margin) if timed else None,
            "shift": shift,
            "comparisons": {"ratio": family_facts(ratios.values()), "time": family_facts(times.values())},
            "cells": cells,
            "void": [{"workload": key[0], "subject": key[1], **void[key]} for key in chosen if void[key]],
            "over": self.over(cells, moved, shift) if self.fail_over is not None and judge else None,
        }

    def family(self, keys: list[Key], observe: Callable[[Run, Key], Observed]) -> dict[Key, Comparison]:
        """Compute the change of each cell, adjusted over all of these cells."""
        if not keys:
            return {}
        runs = [[observe(run, key) for key in keys] for run in (self.base, self.other)]
        base, other = (padded([cell.values for cell in cells]) for cells in runs)
        expected = (np.array([it.expected for it in runs[0]]), np.array([it.expected for it in runs[1]]))
        return dict(zip(keys, simultaneous_between(base, other, expected=expected), strict=True))

    def voids(self, label: str, key: Key) -> dict[str, str]:
        """Return why a cell does not count, by the run; empty if it counts in both."""
        found = {"base": self.base.void(label).get(key), "other": self.other.void(label).get(key)}
        return {name: reason for name, reason in found.items() if reason is not None}

    def why_no_times(self, label: str) -> str:
        """Describe why times are not compared."""
        if not self.same_machine:
            return "another machine"
        return f"another build of {label}"

    def shift(self, label: str) -> dict[str, Any] | None:
        """Return how far the net times of code that is the same in both runs moved; ``None`` if none was measured.

        A change that affects a whole run (clock, other programs, memory layout of the machine) is not part of any
        interval between its processes; only such code shows it. ``within`` is the relative change that 95 % of its
        cells do not exceed.
        """
        library = self.base.plan["library_sha256"] == self.other.plan["library_sha256"]
        common = self.base.keys(label) & self.other.keys(label)
        moved = []
        for key in sorted(common):
            same_code = key[1] in UNCHANGED or (library and key[1].startswith("floor."))
            if same_code and key[0] != IMPORT and not self.voids(label, key):
                pair = [logarithms(run.times(key, label).values) for run in (self.base, self.other)]
                if all(np.isfinite(it).any() for it in pair):
                    moved.append(float(np.nanmean(pair[1]) - np.nanmean(pair[0])))
        if not moved:
            return None
        return {
            "cells": len(moved),
            "median": number(float(np.exp(np.median(moved)))),
            "within": number(float(np.expm1(np.quantile(np.abs(moved), PERCENTILE)))),
        }

    def over(self, cells: list[dict[str, Any]], moved: set[str], shift: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Return the cells of bindings that are slower by more than the limit, with the whole adjusted interval.

        The ratio decides, unless the reference's own time of that workload ``moved``. Then the ratio says nothing about
        the cell, and its time decides, if it changed by more than code that is the same in both runs. The reference
        itself has only its time.
        """
        assert self.fail_over is not None
        limits = {"ratio": self.fail_over, "time": max(self.fail_over, shift["within"] if shift else 0.0)}
        found = []
        for cell in cells:
            by = "time" if cell["subject"] == self.reference or cell["workload"] in moved else "ratio"
            change = cell[by]
            if not is_binding(cell["subject"]) or change is None or change["verdict"] == "none":
                continue
            if (change["adjusted_low"] or 0.0) > 1 + limits[by]:
                found.append({"workload": cell["workload"], "subject": cell["subject"], "by": by})
        return found

    def unjudged(self) -> list[str]:
        """Return the interpreters that ``--fail-over`` cannot judge, for lack of trusted adjusted intervals and of
        counts.
        """
        judged = {
            entry["label"]
            for entry in self.interpreters
            if entry["verdicts"] and any(facts["adjusted"] for facts in entry["comparisons"].values())
        }
        judged |= {entry["label"] for entry in self.counted if entry["comparable"]}
        return [label for label in self.labels if label not in judged]

    def exceeded(self) -> bool:
        """Whether any cell is slower by more than the limit."""
        return any(entry["over"] for entry in [*self.interpreters, *self.counted])

    def plain(self) -> dict[str, Any]:
        """Return everything as plain data, which ``--json`` prints.

        Changes are OTHER / BASE: more than 1 is slower. Shares and margins are relative (0.03 is 3 %). ``None`` means
        not measured, not resolved, or not requested.

        - ``differences``: conditions that are not the same; ``only_in``: what one run has and the other has not
        - ``interpreters``: for each interpreter that both runs timed, its ``cells`` with the changes of ``ratio`` and
          ``time``, each with its interval alone (``low``, ``high``) and adjusted; the number of ``comparisons``; the
          ``shift`` of code that is the same in both runs; ``doubts``, the reasons why there are no verdicts; cells that
          are ``void`` or ``over`` the limit
        - ``counted``: the same for instructions per call, exact
        - ``agreement``: agreement of the verdicts that each run gave
        - ``exceeded``: whether a cell is over the limit; ``unjudged``: interpreters that could not be judged
        """
        base, other = self.base, self.other
        return {
            "format": FORMAT,
            "base": base.plain(),
            "other": other.plain(),
            "reference": self.reference,
            "selection": self.selection.words(),
            "same_run": base.folder == other.folder,
            "same_machine": self.same_machine,
            "machine_told_by": list(MACHINE.values()),
            "differences": differences(
                (base.plan, other.plan),
                (base.environment, other.environment),
                (base.summary, other.summary),
                self.labels,
            ),
            "only_in": self.only_in,
            "confidence": CONFIDENCE,
            "interpreters": self.interpreters,
            "counted": self.counted,
            "agreement": agreement(base.summary, other.summary, self.selection),
            "fail_over": self.fail_over,
            "exceeded": self.exceeded() if self.fail_over is not None else None,
            "unjudged": self.unjudged() if self.fail_over is not None else None,
        }


def padded(rows: list[list[float]]) -> NDArray[np.float64]:
    """Return logarithms, cells x processes, with NaN at the end of shorter rows."""
    table = np.full((len(rows), max(map(len, rows))), np.nan)
    for row, values in zip(table, rows, strict=True):
        row[: len(values)] = logarithms(values)
    return table


def measure(change: Comparison | None, margin: float, *, judge: bool) -> dict[str, Any] | None:
    """Return one change as plain data; ``None`` if there is none, or if it was not resolved."""
    if change is None or not np.isfinite(change.value):
        return None
    return {
        "value": number(change.value),
        "low": number(change.low),
        "high": number(change.high),
        "adjusted_low": number(change.adjusted_low),
        "adjusted_high": number(change.adjusted_high),
        "adjusted_p": number(change.adjusted_p),
        "stars": stars(change),
        "found": change.found,
        "verdict": verdict(change, margin) if judge else "none",
        "processes": change.processes,
    }


def family_facts(family: Iterable[Comparison]) -> dict[str, Any]:
    """Return how many comparisons there are, how many differ, and how many chance alone would call different."""
    known = [change for change in family if np.isfinite(change.low)]
    return {
        "cells": len(known),
        "expected_by_chance": number((1 - CONFIDENCE) * len(known)),
        "found_alone": sum(not it.low <= 1 <= it.high for it in known),
        "adjusted": sum(bool(np.isfinite(it.adjusted_low)) for it in known),
        "found_adjusted": sum(it.found for it in known),
    }


def processes(run: Run, label: str) -> int:
    """Return the number of processes that measured on an interpreter."""
    return len(run.samples[label].processes)
