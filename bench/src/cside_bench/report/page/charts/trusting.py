# SPDX-License-Identifier: Apache-2.0
"""Writes the sentence that a caption adds for runs that give no verdicts or are not trustworthy."""

from collections.abc import Sequence

from cside_bench.report.page.charts.amounts import listing
from cside_bench.report.page.data import machine_ids
from cside_bench.results.evidence import Run


def doubts(runs: Sequence[Run]) -> str:
    """Return sentences, each after a space; empty if every interpreter of every run is trustworthy."""
    found = ""
    for run, machine in zip(runs, machine_ids(runs), strict=True):
        where = f" ({machine})" if len(runs) > 1 else ""
        if not run.judged:
            found += f" This run{where} gives no verdicts: nothing is ranked."
        elif lost := [label for label in run.labels if run.trusted(label) is False]:
            verb = "is" if len(lost) == 1 else "are"
            found += f" {listing(lost)}{where} {verb} not trustworthy by the run's own checks: nothing is ranked there."
    return found
