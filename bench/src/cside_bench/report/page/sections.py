# SPDX-License-Identifier: Apache-2.0
"""Provides the templates with the data of one run: its derived files, if there are any, and its summary."""

import json
from statistics import median
from typing import Any, Final
from urllib.parse import quote

from cside_bench.report import hazards
from cside_bench.report.costs import MISSING, Costs, code_lines, size, spread, whole
from cside_bench.report.report import Report
from cside_bench.results.drill import origin
from cside_bench.results.evidence import Run
from cside_bench.results.files import CLAIMS_FILE, DRILL_FILE, RECOMMENDATIONS_FILE

SECTIONS: Final = {
    "answer": "Answer",
    "trust": "Trust",
    "heatmap": "Heat map",
    "calls": "Time per call",
    "sizes": "Time by size",
    "shapes": "Costs by shape",
    "warmup": "Warm-up",
    "tails": "Tails",
    "threads": "Threads",
    "costs": "Costs",
    "inside": "Inside the library",
    "claims": "Claims",
    "drill": "Header changes",
    "hazards": "Mistakes",
    "parity": "Parity ledger",
    "cells": "Every cell",
    "targets": "Targets",
    "environment": "Environment",
}
"""Sections of the page in their order: id -> title in the table of contents."""

OUTCOMES: Final = {
    "recommended": ("●", "recommended"),
    "tie": ("=", "tie"),
    "unresolved": ("?", "not resolved"),
    "nothing fits": ("∅", "nothing fits"),
}
"""Outcomes of an answer: outcome -> mark and name."""
VERDICTS: Final = {
    "confirmed": ("✓", "confirmed"),
    "refuted": ("✗", "refuted"),
    "undecided": ("?", "undecided"),
    "untestable": ("○", "not testable here"),
}
"""Verdicts on a claim: verdict -> mark and name."""
PASSES: Final = {
    "rebuilt": "the binding is rebuilt from unchanged sources against the changed library",
    "library": "the changed library replaces the old one, and nothing is rebuilt",
}
"""Passes of the drill, in the order in which they are shown."""
SAFETY: Final = {
    "unaffected": "·",
    "works": "✓",
    "build": "B",
    "import": "I",
    "call": "C",
    "silent": "!",
    "crash": "✗",
}
"""Outcomes of a change in the headers: outcome -> mark."""
MISTAKES: Final = {
    "impossible": "✓",
    "harmless": "~",
    "build": "B",
    "import": "I",
    "raised": "C",
    "leak": "▲",
    "silent": "!",
    "crash": "✗",
}
"""Outcomes of a mistake: outcome -> mark."""
CELL: Final = ("interpreter", "workload", "subject")
SHOWN_CELLS: Final = 2
"""Number of cells behind a part of a score that are linked at once; the others are linked on demand."""
FIRST_CALL: Final = "idioms.noop"
MAYBE: Final = {True: "yes", False: "no", None: "unknown"}


def href(*parts: str) -> str:
    """Return a link to a cell: the machine if the page has several, interpreter, workload, subject."""
    return "#cell/" + "/".join(quote(part, safe="") for part in parts)


def _median(start: dict[str, Any] | None, what: str, step: str) -> float | None:
    found = start[what].get(step) if start else None
    return None if found is None else float(found["median"])


def anchor(*parts: str) -> str:
    """Return an id for a part of the page."""
    text = "-".join(parts)
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in text)


class View:
    """One run as the page shows it; ``machine`` distinguishes it from the other runs of the page."""

    def __init__(self, run: Run, machine: str, *, several: bool) -> None:
        self.run = run
        self.machine = machine
        self.several = several
        self.summary, self.environment = run.summary, run.environment
        self._report = Report(run)
        self.recommendations = self._derived(RECOMMENDATIONS_FILE)
        self.claims = self._derived(CLAIMS_FILE)
        self.drill = self._derived(DRILL_FILE)
        self.hazards = hazards.seen(run.results)
        self.drill_notes = origin(self.drill or {})
        self.costs = Costs(self.summary["costs"]) if self.summary["costs"] else None

    def _derived(self, name: str) -> dict[str, Any] | None:
        path = self.run.folder / name
        found: dict[str, Any] | None = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        return found

    def href(self, label: str, workload: str, subject: str) -> str:
        """Return a link to a cell of this run."""
        return href(*([self.machine] if self.several else []), label, workload, subject)

    def anchor(self, *parts: str) -> str:
        """Return an id that no other run of the page has."""
        return anchor(*parts, *([self.machine] if self.several else []))

    @property
    def warnings(self) -> list[str]:
        """The warnings that a reader has to know before the numbers."""
        return self._report.warnings()

    @property
    def notes(self) -> list[str]:
        """Sentences on how the run went."""
        return self._report.notes()

    @property
    def sample(self) -> list[str]:
        """Return the sentences of :meth:`cside_bench.report.report.Report.sample`."""
        return self._report.sample()

    @property
    def trust(self) -> str:
        """The trust in all interpreters of the run, in a few words."""
        states = {label: self.run.trusted(label) for label in self.run.labels}
        failed = [label for label, state in states.items() if state is False]
        if failed:
            return f"not trustworthy on {', '.join(failed)}"
        if any(state is None for state in states.values()):
            return "not judged: this run is too small for verdicts"
        return "trustworthy by its own checks"

    @property
    def interpreters(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """The entries of each interpreter in the summary and in the environment."""
        known = {entry["label"]: entry for entry in self.environment["interpreters"]}
        return [(entry, known[entry["label"]]) for entry in self.summary["interpreters"] if entry["label"] in known]

    def beside_speed(self, label: str) -> list[list[str]]:
        """Return a row per approach on one interpreter: its median ratio over the short table, and its costs."""
        if self.costs is None:
            return []
        known = {each["binding"]: each for each in self.costs.bindings}
        started = {e["subject"]: e for e in self.costs.section["cold"] if e["interpreter"] == label and e["subject"]}
        rows = []
        for name in self.run.bindings:
            each, start = known.get(name), started.get(name)
            cells = [self.run.cell(label, row["workload"], name) for row in self._report.headline()]
            ratios = [cell["ratio"] for cell in cells if cell and cell["ratio"] and cell["void"] is None]
            if each is None and start is None:
                continue
            wheel = next((w for w in (each or {}).get("wheels") or [] if w["interpreter"] == label), None)
            covered = each["coverage"] if each else None
            rows.append(
                [
                    name,
                    f"{median(ratios):.3g}" if ratios else MISSING,
                    whole(code_lines(each, "written")) if each else MISSING,
                    whole(code_lines(each, "generated")) if each else MISSING,
                    spread(each["clean_build_cpu_s"] if each else None, interval=False),
                    spread(each["rebuild_cpu_s"] if each else None, interval=False),
                    size(wheel["wheel_bytes"]) if wheel else MISSING,
                    f"{covered['wheels']} for {covered['interpreters']}" if covered else MISSING,
                    spread(start["import_cpu_ns"].get("together") if start else None, 1e6),
                    size(_median(start, "grown_private_bytes", "together")),
                    spread(start["first_call_ns"].get(FIRST_CALL) if start else None, 1e3),
                ]
            )
        return rows

    def ledger(self) -> list[dict[str, Any]]:
        """Return the parity ledger of :meth:`cside_bench.report.report.Report.ledger`."""
        return self._report.ledger()

    def drilled(self) -> list[dict[str, Any]]:
        """Return, by interpreter and pass of the drill: ``{"interpreter", "pass", "title", "bindings", "rows"}``.

        A row has a change and an outcome per binding; the pass with a rebuild comes first.
        """
        if self.drill is None:
            return []
        found = []
        outcomes = self.drill["outcomes"]
        for label in dict.fromkeys(entry["interpreter"] for entry in outcomes):
            for name, title in PASSES.items():
                own = [entry for entry in outcomes if (entry["interpreter"], entry["pass"]) == (label, name)]
                if not own:
                    continue
                at = {(entry["change"], entry["binding"]): entry for entry in own}
                bindings = list(dict.fromkeys(entry["binding"] for entry in own))
                rows = [(change, [at.get((change["id"], it)) for it in bindings]) for change in self.drill["changes"]]
                found.append({"interpreter": label, "pass": name, "title": title, "bindings": bindings, "rows": rows})
        return found

    def evidence(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows behind each claim and each part of a score, by the name under which they are embedded."""
        found: dict[str, list[dict[str, Any]]] = {}
        for claim in (self.claims or {"claims": []})["claims"]:
            found[self.anchor("claim", claim["id"])] = claim["evidence"]
        for answer in (self.recommendations or {"answers": []})["answers"]:
            for candidate in answer["candidates"]:
                for part in candidate["contributions"]:
                    if len(part["cells"]) > SHOWN_CELLS:
                        name = self.anchor("answer", answer["profile"]["id"], candidate["subject"], part["criterion"])
                        found[name] = [dict(zip(CELL, cell, strict=True)) for cell in part["cells"]]
        return found
