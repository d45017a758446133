# SPDX-License-Identifier: Apache-2.0
"""Rates of events in simulated runs, with the interval that few runs allow and the bound that a method promises."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cside_bench.statistics.student import student


@dataclass(frozen=True, slots=True)
class Row:
    """One simulated rate with its 95 % interval. ``least`` and ``most`` are bounds of the rate; None means no bound."""

    scenario: str
    measure: str
    rate: float
    low: float
    high: float
    least: float | None = None
    most: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the interval of the rate reaches its bounds; None without bounds."""
        if self.least is None and self.most is None:
            return None
        return self.high >= (self.least or 0.0) and self.low <= (1.0 if self.most is None else self.most)


def of_runs(scenario: str, measure: str, happened: Sequence[bool], **bounds: float) -> Row:
    """Make the row of the rate of runs in which something happened (C. J. Clopper, E. S. Pearson, 1934)."""
    found = stats.binomtest(sum(happened), len(happened)).proportion_ci(method="exact")
    return Row(scenario, measure, float(np.mean(happened)), float(found.low), float(found.high), **bounds)


def of_cells(scenario: str, measure: str, shares: Sequence[float], **bounds: float) -> Row:
    """Make the row of the rate of cells, from the share in each run, since cells of one run are not independent.

    The interval is Student's over the runs; a single run gives none, which is then everything.
    """
    found = student(shares)
    low, high = (found.low, found.high) if np.isfinite(found.low) else (0.0, 1.0)
    return Row(scenario, measure, found.value, max(low, 0.0), min(high, 1.0), **bounds)


def percent(rate: float) -> str:
    """Format a rate as a percentage without its sign."""
    return f"{100 * rate:.1f}"


def bounds(row: Row) -> str:
    """Format the bounds of a row as percentages."""
    if row.least is not None and row.most is not None:
        return f"{100 * row.least:g} to {100 * row.most:g}"
    if row.least is not None:
        return f"≥ {100 * row.least:g}"
    return f"≤ {100 * row.most:g}" if row.most is not None else ""
