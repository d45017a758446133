# SPDX-License-Identifier: Apache-2.0
"""Draws of how far the cost of a user's function is from that of a function of the same shape.

A run fits costs to the shape of calls and predicts calls that were held out (``shapes.json``). The log of measured /
predicted of each kind of these calls is a miss. A draw is the sum of the misses, each times a standard normal deviate,
divided by the root of their number. So the covariance of two approaches is the mean product of their misses about 0: a
bias counts as an error, and a miss that all approaches share is shared in the draw and cancels where they are compared.
The common chi-square makes it a multivariate Student t, as in :mod:`.draws`.
"""

from functools import lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.draws import FARTHEST, Deviates
from cside_bench.results import shapes
from cside_bench.results.evidence import Run

Array = NDArray[np.float64]

FEWEST: Final = 3
"""Least number of kinds of held-out calls on an interpreter; fewer say nothing of a spread."""


class Source(Protocol):
    """What has random deviates by name: :meth:`cside_bench.recommend.prediction.Prediction.deviates`."""

    def __call__(self, name: str, replicates: int, /) -> Deviates:
        """Return the deviates of a name and a number of replicates; the same call returns the same set."""


class Misses:
    """The misses of a run's held-out predictions, and draws from them for any kind of call."""

    def __init__(self, run: Run, subjects: list[str], deviates: Source) -> None:
        self.run = run
        self._subjects = subjects
        self._deviates = deviates
        self.table = lru_cache(maxsize=None)(self._table)
        self.factors = lru_cache(maxsize=256)(self._factors)

    def _table(self, label: str) -> Array | None:
        """Return the misses (kinds x approaches); None for fewer than :data:`FEWEST` kinds.

        A kind without a miss for any approach is NaN in all. A kind that lacks one approach only, since its time is
        mostly C's there or was not measured, has the mean of the others for it.
        """
        entries = {it["subject"]: it for it in shapes.of(self.run, label).get("approaches", ())}
        kinds = len(shapes.document(self.run)["kinds"])
        columns = [entries.get(subject, {}).get("misses") or [None] * kinds for subject in self._subjects]
        table = np.array(columns, dtype=np.float64).reshape(len(self._subjects), kinds).T
        known = np.isfinite(table)
        counts = known.sum(axis=1, keepdims=True)
        if (counts > 0).sum() < FEWEST:
            return None
        means = np.where(counts > 0, np.nansum(table, axis=1, keepdims=True) / np.maximum(counts, 1), np.nan)
        return np.where(known, table, means)

    def _factors(self, label: str, name: str) -> Array | float:
        """Return draws of actual / predicted cost over C's own time (rows x approaches) for the kind of call ``name``.

        The first row is 1. Interpreters share the deviates of a kind of call, since they share what makes a function
        unlike another. Without a table the result is the number 1.
        """
        table = self.table(label)
        if table is None:
            return 1.0
        deviates = self._deviates(f"shape/{name}", len(table))
        found = np.isfinite(table).all(axis=1)
        count = int(found.sum())
        logs = deviates.normal[:, found] @ table[found] / np.sqrt(count)
        logs /= np.sqrt(deviates.squares[:, :count].mean(axis=1, keepdims=True))
        return np.vstack([np.ones(table.shape[1]), np.exp(np.clip(logs, -FARTHEST, FARTHEST))])
