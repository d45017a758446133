"""Writes ``report.md``. What a run prints at its end is in :mod:`.ending`."""

from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import jinja2
from cside_suite.files import write_text
from cside_suite.subjects.names import natural, subject_of

from cside_bench.report import threads, verify
from cside_bench.report.amounts import ns, ratio, time
from cside_bench.report.costs import Costs
from cside_bench.report.decisions import Decisions, between, percent, settled_by, told
from cside_bench.report.shapes import markdown as shapes_markdown
from cside_bench.results import headline
from cside_bench.results.evidence import MARKS, Run

NO_VERDICTS: Final = "This tier measures too few processes to tell approaches apart: numbers, no verdicts."


class Report:
    """A run as text: the data of ``report.md``, and its templates."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.folder = run.folder
        self.summary, self.environment = run.summary, run.environment
        self.cells, self.labels = run.cells, run.labels
        self.bindings, self.variants, self.references = run.bindings, run.variants, run.references

    def headline(self, label: str | None = None) -> list[dict[str, str]]:
        """Return the rows of the short table that were measured, on an interpreter or on any."""
        measured = {workload for where, workload, _ in self.cells if label in (None, where)}
        return [row for row in headline.of_run(self.folder) if row["workload"] in measured]

    def workloads(self, label: str) -> list[str]:
        """Return the workloads measured on an interpreter, in natural order."""
        return self.run.workloads(label)

    def inside(self, label: str) -> list[dict[str, Any]]:
        """Return the share of time inside the module, by subject, for workloads that call a PKCS #11 module."""
        rows = []
        for workload in self.workloads(label):
            found = {name: self.cells.get((label, workload, name)) for name in [*self.bindings, *self.references]}
            shares = {
                name: cell["inside"] for name, cell in found.items() if cell is not None and cell["inside"] is not None
            }
            if shares:
                rows.append({"workload": workload, "shares": shares})
        return rows

    def void(self) -> list[dict[str, Any]]:
        """Return the void cells, which do not count."""
        return [cell for cell in self.summary["cells"] if cell["void"] is not None]

    def unsteady(self) -> list[dict[str, Any]]:
        """Return the cells that were measured and have no ratio, because their time is not steady."""
        return [cell for cell in self.summary["cells"] if cell.get("unsteady")]

    def warnings(self) -> list[str]:
        """Return the warnings that a reader has to know before the numbers."""
        found = []
        if not self.summary["verdicts"]:
            found.append(NO_VERDICTS)
        for label, says in self.untrusted():
            found.append(f"{label}: not trustworthy on this machine, so that nothing is ranked: {' '.join(says)}")
        return found + self.conditions() + self.left_out()

    def conditions(self) -> list[str]:
        """Return the warnings about the run as a whole: how it was made, and what it lacks."""
        found = []
        for workload, subject, slower in self.summary["handicaps"]:
            found.append(f"{subject} was made {slower:g} % slower at {workload} on purpose.")
        if self.summary["isolated"]:
            found.append("Each binding ran in processes of its own, which measured in turns.")
        if not self.summary["complete"]:
            found.append("The run was interrupted: only finished parts are shown. To continue the run, use `--resume`.")
        for entry in self.summary["missing"]:
            found.append(f"{entry['label']} is missing: {entry['reason']}. To install it: {entry['install']}")
        for entry in self.environment["interpreters"]:
            if entry["pgo"] is False:
                found.append(
                    f"{entry['label']} was built without profile-guided optimisation: it is slower than the builds "
                    "that most users run, and the share of overhead differs. Compare its numbers with each other only."
                )
        return found

    def left_out(self) -> list[str]:
        """Return the warnings about cells without a ratio: void, or not steady."""
        found = []
        for (label, subject, reason), count in Counter(
            (cell["interpreter"], subject_of(cell), cell["void"]) for cell in self.void()
        ).most_common():
            found.append(f"void: {count} {'cell' if count == 1 else 'cells'} of {subject} on {label}: {reason}")
        for (label, subject), count in Counter(
            (cell["interpreter"], subject_of(cell)) for cell in self.unsteady()
        ).most_common():
            cells = "cell is" if count == 1 else "cells are"
            found.append(
                f"{count} {cells} not steady, of {subject} on {label}: no ratio is given (“Cells that are not steady”)"
            )
        return found

    def notes(self) -> list[str]:
        """Return sentences on how the run went: what a look decided, what a compiler freed and did not settle."""
        entries = self.summary["interpreters"]
        return [
            f"{entry['label']}: after {found['processes']} processes, {found['decided']:,} cells were decided; the "
            "other processes left them out."
            for entry in entries
            if (found := entry.get("look"))
        ] + [
            f"{entry['label']}: the compiler freed {found['freed']:,} of {found['compiled']:,} loops and bridges, and "
            f"{found['disagreed']:,} of {found['warmed']:,} warm-ups ended by time, before their windows agreed."
            for entry in entries
            if (found := entry.get("jit"))
        ]

    def sample(self) -> list[str]:
        """Return sentences that say whether ratios hold alone and in long chunks; none if the run took no sample."""
        return verify.sampled(self.summary.get("sample"))

    def untrusted(self) -> list[tuple[str, list[str]]]:
        """Return the interpreters on which the run failed its own checks, with the messages of these checks."""
        return [
            (entry["label"], failed(entry)) for entry in self.summary["interpreters"] if entry["trustworthy"] is False
        ]

    def verdicts(self, label: str) -> list[dict[str, Any]]:
        """Return, by binding and variant, the number of cells with each verdict and with the first rank."""
        rows = []
        for name in [*self.bindings, *self.variants]:
            own = [cell for (where, _, subject), cell in self.cells.items() if (where, subject) == (label, name)]
            counts = Counter(cell["verdict"] for cell in own)
            if own:
                first = sum(cell["rank"] == 1 for cell in own)
                rows.append({"subject": name, "first": first, **{kind: counts[kind] for kind in MARKS}})
        return rows

    def knobs(self, label: str) -> list[dict[str, Any]]:
        """Return the ratios of each partial variant to its binding, by workload."""
        rows = []
        for workload in self.workloads(label):
            ratios = {}
            for name in self.variants:
                mine = self.cells.get((label, workload, name))
                whole = self.cells.get((label, workload, name.partition(".")[0]))
                if mine and whole and mine["ratio"] and whole["ratio"]:
                    ratios[name] = mine["ratio"] / whole["ratio"]
            if ratios:
                rows.append({"workload": workload, "ratios": ratios})
        return rows

    def tails(self, label: str) -> list[dict[str, Any]]:
        """Return the quantiles of calls timed one by one, for the workloads of the short table."""
        return [
            {"workload": row["workload"], "subject": name, **cell["latency"]}
            for row in self.headline()
            for name in [*self.bindings, "stdlib"]
            if (cell := self.cells.get((label, row["workload"], name))) is not None and cell["latency"] is not None
        ]

    def ledger(self) -> list[dict[str, Any]]:
        """Return the parity ledger: gaps by binding and reason, with their interpreters and workloads."""
        entries = sorted(self.summary["parity"], key=lambda e: (e["subject"], e["reason"]))
        found = []
        for (subject, reason), members in groupby(entries, key=lambda e: (e["subject"], e["reason"])):
            group = list(members)
            found.append(
                {
                    "subject": subject,
                    "reason": reason,
                    "interpreters": sorted({entry["interpreter"] for entry in group}, key=natural),
                    "workloads": sorted({entry["workload"] for entry in group}, key=natural),
                }
            )
        return found

    def policy(self, label: str, workload: str) -> str:
        """Return the GIL policy of a workload: one if all bindings share it, otherwise the policy of each binding."""
        policies = {
            name: self.cells[key]["gil"] for name in self.bindings if (key := (label, workload, name)) in self.cells
        }
        if len(set(policies.values())) < 2:
            return next(iter(policies.values()), "—")
        return "; ".join(
            f"{policy}: {', '.join(name for name, own in policies.items() if own == policy)}"
            for policy in ("held", "released")
        )

    def markdown(self) -> str:
        """Return the text of ``report.md``."""
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("cside_bench.report"),
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        environment.filters |= {"ns": ns, "ratio": ratio, "time": time, "percent": percent, "told": told}
        environment.filters |= {"between": between, "settled_by": settled_by}
        return environment.get_template("report.md.j2").render(
            report=self,
            shapes=shapes_markdown(self.run),
            decisions=Decisions(self.folder),
            summary=self.summary,
            environment=self.environment,
            costs=Costs(self.summary["costs"]) if self.summary["costs"] else None,
            threads=threads.markdown(self.summary["threads"]) if self.summary["threads"] else "",
        )

    def headline_markdown(self) -> str:
        """Return the rows of the short table that the README shows, as Markdown."""
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("cside_bench.report"), trim_blocks=True, lstrip_blocks=True
        )
        environment.filters |= {"ratio": ratio, "time": time}
        return environment.get_template("readme.md.j2").render(report=self, shown=headline.readme())

    def write(self) -> Path:
        """Write ``report.md`` and return its path."""
        path = self.folder / "report.md"
        write_text(path, self.markdown())
        return path


def failed(entry: dict[str, Any]) -> list[str]:
    """Return the messages of the checks that an interpreter's trust depends on and that did not pass."""
    return [check["says"] for check in entry["checks"] if check["decides"] and not check["passed"]]
