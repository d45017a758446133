# SPDX-License-Identifier: Apache-2.0
"""What the templates show of one run: derived files where they are there, and the summary's own sections."""

import json
from statistics import median
from typing import Any, Final
from urllib.parse import quote

from cside_bench.report.costs import MISSING, Costs, code_lines, size, spread, whole
from cside_bench.report.report import Report
from cside_bench.results.evidence import Run
from cside_bench.results.files import CLAIMS_FILE, DRILL_FILE, RECOMMENDATIONS_FILE

SECTIONS: Final = {
    "answer": "Answer",
    "trust": "Trust",
    "heatmap": "Heat map",
    "calls": "Time per call",
    "sizes": "Time by size",
    "warmup": "Warm-up",
    "tails": "Tails",
    "threads": "Threads",
    "costs": "Costs",
    "inside": "Inside the library",
    "claims": "Claims",
    "drill": "Header changes",
    "parity": "Parity ledger",
    "cells": "Every cell",
    "targets": "Targets",
    "environment": "Environment",
}
"""By id, in the order of the page; the title in the table of contents."""

OUTCOMES: Final = {
    "recommended": ("●", "recommended"),
    "tie": ("=", "tie"),
    "unresolved": ("?", "not resolved"),
    "nothing fits": ("∅", "nothing fits"),
}
"""Of an answer: its mark and its name."""
VERDICTS: Final = {
    "confirmed": ("✓", "confirmed"),
    "refuted": ("✗", "refuted"),
    "undecided": ("?", "undecided"),
    "untestable": ("○", "not testable here"),
}
"""Of a claim."""
PASSES: Final = {
    "rebuilt": "the binding is rebuilt from unchanged sources against the changed library",
    "library": "the changed library takes the place of the old one, and nothing is rebuilt",
}
"""Of the drill, in the order in which they are shown."""
SAFETY: Final = {
    "unaffected": "·",
    "works": "✓",
    "build": "B",
    "import": "I",
    "call": "C",
    "silent": "!",
    "crash": "✗",
}
"""Of a change in the headers: the mark of an outcome."""
CELL: Final = ("interpreter", "workload", "subject")
SHOWN_CELLS: Final = 2
"""Of the cells behind a part of a score, so many are linked at once; the rest on demand."""
FIRST_CALL: Final = "idioms.noop"
MAYBE: Final = {True: "yes", False: "no", None: "not told"}


def href(*parts: str) -> str:
    """A link to a cell: machine where the page has several, interpreter, workload, subject."""
    return "#cell/" + "/".join(quote(part, safe="") for part in parts)


def _median(start: dict[str, Any] | None, what: str, step: str) -> float | None:
    found = start[what].get(step) if start else None
    return None if found is None else float(found["median"])


def anchor(*parts: str) -> str:
    """An id of a part of the page."""
    text = "-".join(parts)
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in text)


class View:
    """One run as the page shows it; ``machine`` tells it from the page's other runs."""

    def __init__(self, run: Run, machine: str, *, several: bool) -> None:
        self.run = run
        self.machine = machine
        self.several = several
        self.summary, self.environment = run.summary, run.environment
        self._report = Report(run)
        self.recommendations = self._derived(RECOMMENDATIONS_FILE)
        self.claims = self._derived(CLAIMS_FILE)
        self.drill = self._derived(DRILL_FILE)
        self.costs = Costs(self.summary["costs"]) if self.summary["costs"] else None

    def _derived(self, name: str) -> dict[str, Any] | None:
        path = self.run.folder / name
        found: dict[str, Any] | None = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        return found

    def href(self, label: str, workload: str, subject: str) -> str:
        """A link to one of this run's cells."""
        return href(*([self.machine] if self.several else []), label, workload, subject)

    def anchor(self, *parts: str) -> str:
        """An id that no other run of the page has."""
        return anchor(*parts, *([self.machine] if self.several else []))

    @property
    def warnings(self) -> list[str]:
        """What the reader has to know before any number."""
        return self._report.warnings()

    @property
    def trust(self) -> str:
        """In a few words, of all interpreters."""
        states = {label: self.run.trusted(label) for label in self.run.labels}
        failed = [label for label, state in states.items() if state is False]
        if failed:
            return f"not trustworthy on {', '.join(failed)}"
        if any(state is None for state in states.values()):
            return "not judged: this run is too small for verdicts"
        return "trustworthy by its own checks"

    @property
    def interpreters(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Each with what the summary and what the environment say of it."""
        known = {entry["label"]: entry for entry in self.environment["interpreters"]}
        return [(entry, known[entry["label"]]) for entry in self.summary["interpreters"] if entry["label"] in known]

    def beside_speed(self, label: str) -> list[list[str]]:
        """Per approach: its median ratio over the short table, and what it costs, on one interpreter."""
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
        """The parity ledger, as :meth:`cside_bench.report.report.Report.ledger` has it."""
        return self._report.ledger()

    def drilled(self) -> list[dict[str, Any]]:
        """Of each interpreter and pass of the drill: ``{"interpreter", "pass", "title", "bindings", "rows"}``.

        A row has a change and an outcome per binding; the pass that rebuilds comes first.
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
        """Rows behind each claim and each part of a score, by the name under which the page embeds them."""
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
