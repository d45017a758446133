# SPDX-License-Identifier: Apache-2.0
"""Rounds of one workload whose noise, drift and effect of position are known."""

import numpy as np
from cside_bench.statistics.checks import Rounds


def workload(draw: np.random.Generator, slope: float = 0.0, cells: int = 6, rounds: int = 24) -> Rounds:
    """Chunks in shuffled order, with an effect of being last, cells that differ in speed and rounds that do."""
    places = np.argsort(draw.random((cells, rounds)), axis=0).astype(np.float64)
    logs = draw.normal(0, 0.03, (cells, rounds)) + draw.normal(4, 2, (cells, 1)) + draw.choice([0, 0.6], rounds)
    return Rounds(np.exp(logs + slope * places / (cells - 1)), places)
