# SPDX-License-Identifier: Apache-2.0
"""Normal noise from a fixed seed."""

import numpy as np


def noise(seed: int, cells: int, processes: int, sd: float = 0.01) -> np.ndarray:
    """Log ratios of identical code."""
    return np.random.default_rng(seed).normal(0, sd, (cells, processes))
