# SPDX-License-Identifier: Apache-2.0
"""Makes the figures of the page, with a module for each section that has figures."""

from collections.abc import Sequence

from cside_bench.report.page.charts import answer, calls, claims, costs, inside, sizes, tails, threads, trust, warmup
from cside_bench.report.page.charts.figure import Control, Figure
from cside_bench.results.evidence import Run

__all__ = ["Control", "Figure", "figures"]


def figures(runs: Sequence[Run]) -> list[Figure]:
    """Return all figures of one or several runs, in the order of the page; one without data has the reason."""
    return [
        answer.probabilities(runs),
        trust.strips(runs),
        trust.checks(runs),
        calls.ratios(runs),
        calls.times(runs),
        sizes.sweep(runs),
        sizes.overhead(runs),
        warmup.curves(runs),
        tails.quantiles(runs),
        threads.scaling(runs),
        costs.panels(runs),
        costs.worth(runs),
        inside.library(runs),
        claims.forest(runs),
    ]
