# SPDX-License-Identifier: Apache-2.0
"""What a command does after measuring: summarise the run, draw the report, and say where the results are."""

from pathlib import Path

from rich.console import Console

from cside_bench.cli.console import shown
from cside_bench.cli.exit_codes import EXIT_LOOK
from cside_bench.report import derive, ending, instructions
from cside_bench.report.report import Report
from cside_bench.results import instructions as results_instructions
from cside_bench.results.evidence import Run
from cside_bench.results.files import point_latest
from cside_bench.results.plan import Plan
from cside_bench.results.selection import is_binding
from cside_bench.summary.build import summarise


def finish(folder: Path, console: Console) -> int:
    """Summarise and report what the run has measured so far; return the exit code."""
    if not any((folder / "blocks").glob("*.json")):
        console.print("no process has finished yet, so there is nothing to report", highlight=False)
        return 0
    with console.status("computing intervals"):
        summary = summarise(folder)
    point_latest(folder)  # now that commands which read the newest run find its numbers
    with console.status("judging claims, recommending, drawing the page"):
        page = derive.draw(folder)
    report = Report(Run.load(folder))
    report.write()
    ending.show(report, console, shown(page))
    return EXIT_LOOK if any(cell["void"] is not None for cell in summary["cells"]) else 0


def finish_counts(folder: Path, console: Console) -> int:
    """Show what a run with ``--count`` has counted; return the exit code."""
    found = results_instructions.read(folder)
    if not found:
        console.print("no interpreter has been counted yet, so there is nothing to report", highlight=False)
        return 0
    for table in instructions.tables(instructions.table(found), Plan.load(folder).reference):
        console.print(table)
    void = 0
    for label, document in found.items():
        cells = document["cells"]
        unstable = [cell for cell in cells if cell["void"] is None and not cell["stable"]]
        void += sum(cell["void"] is not None and is_binding(cell["subject"]) for cell in cells)
        console.print(
            f"{label}: {len(cells)} cells, of which {len(unstable)} differ by more than 0.5 % between two processes",
            highlight=False,
        )
    console.print(f"counts: {shown(folder / 'counts')}; to compare runs: cside compare BASE OTHER", highlight=False)
    return EXIT_LOOK if void else 0
