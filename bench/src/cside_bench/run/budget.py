# SPDX-License-Identifier: Apache-2.0
"""How many processes and rounds fit into a number of minutes, from what a pilot took.

The pilot is the calibration, one process per interpreter that loads and checks everything. What a process takes is then
known but for the rounds: its start, and so much per cell for warming up and for each round. Only more processes make a
comparison more certain beyond what rounds can do, and each pays its start: a process is best given about as
much time for its rounds as for the rest, and all that is left goes into their number.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cside_bench.results.plan import PlanError, Tier

ROUND_S: Final = 0.00037
"""Of one cell: a chunk, its empty loop, what lies between two, and its part in what leads in."""
START_S: Final = 2.0
"""Of one process: the interpreter, reading the request, writing the results."""
FEWEST_BLOCKS: Final = 6
"""With fewer processes, intervals that hold for all comparisons at once decide next to nothing."""
MOST_BLOCKS: Final = 40
FEWEST_ROUNDS: Final = 8
MOST_ROUNDS: Final = 200


@dataclass(frozen=True, slots=True)
class Fit:
    """What fits."""

    blocks: int
    rounds: int
    minutes: float
    """That it will take, about."""


def process_s(pilot: Mapping[str, Any], tier: Tier, label: str, rounds: int) -> float:
    """Seconds of one measuring process and the fresh ones beside it."""
    cells = pilot["cells"]
    seconds = pilot["seconds"]
    per_cell = tier.warm_up_ns(label) / 1e9 + tier.of(label).latency_ms / 1e3 + rounds * ROUND_S
    return START_S + float(seconds["import"]) * 2 + float(seconds["check"]) + float(cells * per_cell)


def run_s(pilots: Mapping[str, Mapping[str, Any]], tier: Tier, blocks: int, rounds: int) -> float:
    """Seconds of a whole run after its pilot."""
    threads = min(blocks, tier.thread_blocks) * (tier.thread_s + START_S) * len(pilots)
    return threads + blocks * sum(process_s(pilot, tier, label, rounds) for label, pilot in pilots.items())


def fit(pilots: Mapping[str, Mapping[str, Any]], tier: Tier, minutes: float) -> Fit:
    """Processes per interpreter, and rounds. Raises :class:`PlanError` where not even the fewest fit."""
    spent = sum(sum(pilot["seconds"].values()) for pilot in pilots.values())
    threads = tier.thread_blocks * (tier.thread_s + START_S) * len(pilots)
    left = minutes * 60 - spent - threads
    start = sum(process_s(pilot, tier, label, 0) for label, pilot in pilots.items())
    per_round = sum(process_s(pilot, tier, label, 1) for label, pilot in pilots.items()) - start
    rounds = max(FEWEST_ROUNDS, min(MOST_ROUNDS, round(start / per_round)))
    blocks = int(left / (start + rounds * per_round))
    if blocks < FEWEST_BLOCKS:  # shorter processes, as far as that goes
        blocks = FEWEST_BLOCKS
        rounds = min(rounds, int((left / blocks - start) / per_round))
        if rounds < FEWEST_ROUNDS:
            needed = math.ceil((spent + run_s(pilots, tier, FEWEST_BLOCKS, FEWEST_ROUNDS)) / 60)
            raise PlanError(
                f"{minutes:g} minutes have no room for {FEWEST_BLOCKS} processes of each interpreter: "
                f"give --budget {needed} or more, or measure less, with --python, --binding or --only"
            )
    blocks = min(blocks, MOST_BLOCKS)
    if blocks == MOST_BLOCKS:
        rounds = max(rounds, min(MOST_ROUNDS, int((left / blocks - start) / per_round)))
    return Fit(blocks, rounds, (spent + run_s(pilots, tier, blocks, rounds)) / 60)
