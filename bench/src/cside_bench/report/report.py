"""``report.md`` and the summary on the terminal."""

from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import jinja2
from cside_suite.files import write_text
from cside_suite.subjects.names import natural, subject_of
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cside_bench.report import threads
from cside_bench.report.amounts import ns, ratio
from cside_bench.report.costs import Costs
from cside_bench.report.decisions import Decisions, percent, told
from cside_bench.results import headline
from cside_bench.results.evidence import MARKS, Run

COLUMNS: Final = {
    ("idioms", "codec", "import"): ("stdlib",),
    ("pkcs11",): ("PyKCS11", "python-pkcs11", "floor.direct"),
}
"""Nouns that share a table on the terminal, and the references in it."""
NAMES: Final = {"floor.direct": "C"}
"""How a reference is called there."""
WARNINGS_SHOWN: Final = 12
"""On the terminal; the report has all."""
NO_VERDICTS: Final = "This tier measures too few processes to tell approaches apart: numbers, no verdicts."


class Report:
    """A run as text: what ``report.md``, its templates and the terminal show of it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.folder = run.folder
        self.summary, self.environment = run.summary, run.environment
        self.cells, self.labels = run.cells, run.labels
        self.bindings, self.variants, self.references = run.bindings, run.variants, run.references

    def headline(self) -> list[dict[str, str]]:
        """Rows of the short table that were measured."""
        measured = {workload for _, workload, _ in self.cells}
        return [row for row in headline.rows() if row["workload"] in measured]

    def workloads(self, label: str) -> list[str]:
        """Every workload measured on an interpreter, in natural order."""
        return self.run.workloads(label)

    def inside(self, label: str) -> list[dict[str, Any]]:
        """Of the workloads that call a PKCS #11 module: who spends how much of the time inside it."""
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
        """Cells that do not count."""
        return [cell for cell in self.summary["cells"] if cell["void"] is not None]

    def warnings(self) -> list[str]:
        """What the reader has to know before any number."""
        found = []
        if not self.summary["verdicts"]:
            found.append(NO_VERDICTS)
        for label, says in self.untrusted():
            found.append(f"{label}: not trustworthy on this machine, so nothing is ranked: {' '.join(says)}")
        for workload, subject, slower in self.summary["handicaps"]:
            found.append(f"{subject} was made {slower:g} % slower at {workload} on purpose.")
        if self.summary["isolated"]:
            found.append("Each binding had processes of its own: ratios are between processes, and less certain.")
        if not self.summary["complete"]:
            found.append("The run was interrupted: what it finished is shown. `--resume` goes on.")
        for entry in self.summary["missing"]:
            found.append(f"{entry['label']} is missing: {entry['reason']}. To install it: {entry['install']}")
        for entry in self.environment["interpreters"]:
            if entry["pgo"] is False:
                found.append(
                    f"{entry['label']} was built without profile-guided optimisation: it is slower than the builds "
                    "that most users run, and the share of overhead differs. Compare within it, not with others."
                )
        for (label, subject, reason), count in Counter(
            (cell["interpreter"], subject_of(cell), cell["void"]) for cell in self.void()
        ).most_common():
            found.append(f"void: {count} {'cell' if count == 1 else 'cells'} of {subject} on {label}: {reason}")
        for entry in self.summary["targets"]:
            if entry["unfair"]:
                value = f"{entry['value']:.3g} {entry['unit'] or 'times'}"
                found.append(
                    f"“{entry['name']}” is {value} on {entry['interpreter']}, beyond what is fair: "
                    "a bug of that binding, or a machine unlike those that the target comes from"
                )
        return found

    def untrusted(self) -> list[tuple[str, list[str]]]:
        """Interpreters on which the run failed its own checks, and what those say."""
        return [
            (entry["label"], failed(entry)) for entry in self.summary["interpreters"] if entry["trustworthy"] is False
        ]

    def verdicts(self, label: str) -> list[dict[str, Any]]:
        """How often each binding and variant got which verdict, and shared the first rank."""
        rows = []
        for name in [*self.bindings, *self.variants]:
            own = [cell for (where, _, subject), cell in self.cells.items() if (where, subject) == (label, name)]
            counts = Counter(cell["verdict"] for cell in own)
            if own:
                first = sum(cell["rank"] == 1 for cell in own)
                rows.append({"subject": name, "first": first, **{kind: counts[kind] for kind in MARKS}})
        return rows

    def knobs(self, label: str) -> list[dict[str, Any]]:
        """Of each partial variant: ratios to the binding whose knob is turned, by workload."""
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
        """Calls timed one by one, for the workloads of the short table."""
        return [
            {"workload": row["workload"], "subject": name, **cell["latency"]}
            for row in self.headline()
            for name in [*self.bindings, "stdlib"]
            if (cell := self.cells.get((label, row["workload"], name))) is not None and cell["latency"] is not None
        ]

    def ledger(self) -> list[dict[str, Any]]:
        """The parity ledger: gaps by binding and reason, with the interpreters and workloads they concern."""
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
        """GIL policy of each binding, where they do not all have the same."""
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
        """The text of ``report.md``."""
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("cside_bench.report"),
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        environment.filters |= {"ns": ns, "ratio": ratio, "percent": percent, "told": told}
        return environment.get_template("report.md.j2").render(
            report=self,
            decisions=Decisions(self.folder),
            summary=self.summary,
            environment=self.environment,
            costs=Costs(self.summary["costs"]) if self.summary["costs"] else None,
            threads=threads.markdown(self.summary["threads"]) if self.summary["threads"] else "",
        )

    def headline_markdown(self) -> str:
        """The six rows of the short table that the README shows."""
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("cside_bench.report"), trim_blocks=True, lstrip_blocks=True
        )
        environment.filters |= {"ns": ns, "ratio": ratio}
        return environment.get_template("readme.md.j2").render(report=self, shown=headline.readme())

    def write(self) -> Path:
        """Write ``report.md`` and return its path."""
        path = self.folder / "report.md"
        write_text(path, self.markdown())
        return path

    def show(self, console: Console) -> None:
        """The summary on the terminal."""
        for label in self.labels:
            for nouns, references in COLUMNS.items():
                rows = [row for row in self.headline() if row["workload"].partition(".")[0] in nouns]
                if rows:
                    console.print(self.table(label, rows, references))
        if self.summary["costs"] and self.summary["costs"]["bindings"]:  # of one interpreter; the report has all
            built = self.summary["costs"]["build_interpreter"]
            console.print(Costs(self.summary["costs"]).table(built if built in self.labels else self.labels[0]))
        self.show_targets(console)
        for entry in self.summary["interpreters"]:
            console.print(self.trust(entry), highlight=False)
        gaps = len(self.ledger())
        console.print(f"parity ledger: {gaps} declared gaps, listed in the report", highlight=False)
        warnings = self.warnings()
        for warning in warnings[:WARNINGS_SHOWN]:
            console.print(Text(f"! {warning}", style="yellow"))
        if len(warnings) > WARNINGS_SHOWN:
            console.print(Text(f"! and {len(warnings) - WARNINGS_SHOWN} more, all in the report", style="yellow"))

    def trust(self, entry: dict[str, Any]) -> str:
        """What the run says of itself on one interpreter, in one line."""
        state = {True: "trustworthy by its own checks", False: "NOT TRUSTWORTHY", None: "not judged"}
        first = f"{entry['label']}: {state[entry['trustworthy']]}; margin of equivalence {entry['margin']:.1%}"
        return "; ".join([first, *failed(entry)])

    def table(self, label: str, rows: list[dict[str, str]], references: tuple[str, ...]) -> Table:
        """The short table of one interpreter: these rows, and these references beside the bindings."""
        reference = self.summary["reference"]
        table = Table(title=f"{label}: time per call of {reference}, and ratios to it", title_justify="left")
        table.add_column("")
        table.add_column(reference, justify="right")
        names = [name for name in self.bindings if name != reference]
        for name in [*names, *(NAMES.get(name, name) for name in references)]:
            table.add_column(name, justify="right", overflow="fold")
        for row in rows:
            own = self.cells.get((label, row["workload"], reference))
            others = [self.cells.get((label, row["workload"], name)) for name in names]
            beside = [self.cells.get((label, row["workload"], name)) for name in references]
            table.add_row(
                row["label"],
                "void" if own and own["void"] else ns(own["ns_net"] if own else None),
                *(ratio(cell, interval=False) for cell in others),
                *(ratio(cell, interval=False) if cell else "" for cell in beside),
            )
        return table

    def show_targets(self, console: Console) -> None:
        """Targets: how many were met, and each that was not."""
        judged = self.summary["targets"]
        counts = {
            status: sum(entry["status"] == status for entry in judged) for status in ("met", "missed", "unresolved")
        }
        console.print(
            f"targets: {counts['met']} met, {counts['missed']} missed, {counts['unresolved']} unresolved",
            highlight=False,
        )
        for entry in judged:
            if entry["status"] == "missed":
                console.print(
                    f"  missed: {entry['name']} on {entry['interpreter']}: {entry['value']:.3g} {entry['unit']} "
                    f"(reach {entry['reach']:g})",
                    highlight=False,
                )


def failed(entry: dict[str, Any]) -> list[str]:
    """What those checks of an interpreter say that its trust depends on, and that did not pass."""
    return [check["says"] for check in entry["checks"] if check["decides"] and not check["passed"]]
