# SPDX-License-Identifier: Apache-2.0
"""Recommends an approach to a team from the measurements of a run; ``rules.toml`` has every rule.

A profile says what a team has and needs (:mod:`.profiles`). Hard constraints exclude approaches
(:mod:`.constraints`). :mod:`.prediction` computes times from measured cells, :mod:`.costs` the other costs,
:mod:`.packaging` the wheels, :mod:`.scoring` a score from all, and random draws of the measurement uncertainty
(:mod:`.draws`) give the probability of being best. :mod:`.backends` prices two backends, :mod:`.flips` finds the inputs
that would change the answer, :mod:`.answer` composes it, and :mod:`.document` writes ``recommendations.json``.
:mod:`.backtest` tries it all on decisions that projects made (:mod:`.decisions`).
"""

from cside_bench.recommend.document import answers, write

__all__ = ["answers", "write"]
