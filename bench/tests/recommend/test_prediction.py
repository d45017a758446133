# SPDX-License-Identifier: Apache-2.0
"""From which processes the times of approaches come that are compared."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cside_bench.recommend.prediction import Prediction

REFERENCE = [10.0] * 6 + [20.0] * 4
"""Times of the reference: the machine was slower during the last four processes."""
RATIOS = {"whole": [2.0] * 10, "decided": [2.0] * 6 + [np.nan] * 4}


def test_a_cell_that_a_look_decided_is_not_cheaper_for_the_processes_that_it_missed() -> None:
    """Two approaches have the same ratio in each process. One was measured in the first six of them only."""

    def ns(label: str, workload: str, subject: str) -> list[float]:
        return [time * ratio for time, ratio in zip(REFERENCE, RATIOS.get(subject, [1.0] * 10), strict=True)]

    def ratios(label: str, workload: str, subject: str) -> list[float]:
        return RATIOS[subject]

    run: Any = SimpleNamespace(ns=ns, ratios=ratios, reference="cext")
    prediction = object.__new__(Prediction)
    prediction.run = run
    whole, decided = (prediction._logs("cpython-3.14", "idioms.add", name) for name in ("whole", "decided"))
    assert np.isnan(decided[6:]).all() and np.isfinite(whole).all()
    assert np.nanmean(decided) == pytest.approx(np.mean(whole))
