# SPDX-License-Identifier: Apache-2.0
"""Computes how many processes and rounds fit into a number of minutes.

The estimate is based on the pilot, which is the calibration: one process per interpreter that loads and checks
everything. After it, the duration of a process is known except for its rounds: a process takes a fixed time to start,
and for each cell a fixed time for the warm-up and a fixed time per round. Once a process has a certain number of
rounds, only more processes make a comparison more certain, and each process costs the time of its start. Therefore a
process gets about as much time for its rounds as for everything else, and the remaining time determines the number of
processes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cside_bench.results.plan import PlanError, Tier

ROUND_S: Final = 0.00024
"""Seconds of one round of a cell: a chunk, its empty loop, the pause between chunks, a share of the calls before."""
JIT_ROUND_S: Final = 0.0005
"""The same where warm-up is by calls, and chunks are longer; what leads in a turn is divided among its rounds."""
CHILD_S: Final = 0.10
"""Seconds to fork a child for one workload of one binding, to run its test there, and to read what it found."""
WARM_SHARE: Final = 0.09
"""Share of the longest warm-up that a cell takes on average, where the warm-up ends once windows agree."""
START_S: Final = 2.0
"""Seconds to start one process: the interpreter starts, the request is read and the results are written."""
FEWEST_BLOCKS: Final = 6
"""Least number of processes. With fewer there is no adjusted interval, and so no verdict."""
MOST_BLOCKS: Final = 40
FEWEST_ROUNDS: Final = 12
MOST_ROUNDS: Final = 300


@dataclass(frozen=True, slots=True)
class Fit:
    """Numbers of processes and rounds that fit into the budget."""

    blocks: int
    rounds: int
    minutes: float
    """Estimated duration of the run."""


def process_s(pilot: Mapping[str, Any], tier: Tier, label: str, rounds: int) -> float:
    """Estimate the seconds of one block: its measuring processes and the fresh processes that run with them."""
    cells = pilot["cells"]
    seconds = pilot["seconds"]
    own = tier.of(label)
    warm_s = tier.warm_up_ns(label) / 1e9 * (WARM_SHARE if own.warm_calls else 1)
    per_cell = warm_s + own.latency_ms / 1e3 + rounds * (JIT_ROUND_S if own.warm_calls else ROUND_S)
    if own.apart:  # one for each binding and variant, and for its twin
        per_cell += CHILD_S
        parts = 2 * len(pilot["whole"]) * (math.ceil(len(pilot["workloads"]) / own.cells) if own.cells else 1)
    else:
        parts = math.ceil(cells / own.cells) if own.cells else 1
    start_s = parts * START_S + float(seconds["import"]) * 2 * (1 if own.apart else parts)
    return start_s + float(seconds["check"]) + float(cells * per_cell)


def run_s(pilots: Mapping[str, Mapping[str, Any]], tier: Tier, blocks: int, rounds: int) -> float:
    """Estimate the seconds of a whole run after its pilot."""
    threads = min(blocks, tier.thread_blocks) * (tier.thread_s + START_S) * len(tier.threaded(pilots))
    return threads + blocks * sum(process_s(pilot, tier, label, rounds) for label, pilot in pilots.items())


def fit(pilots: Mapping[str, Mapping[str, Any]], tier: Tier, minutes: float) -> Fit:
    """Compute the processes per interpreter and the rounds. Raises :class:`PlanError` if not even the fewest fit."""
    spent = sum(sum(pilot["seconds"].values()) for pilot in pilots.values())
    threads = tier.thread_blocks * (tier.thread_s + START_S) * len(tier.threaded(pilots))
    left = minutes * 60 - spent - threads
    start = sum(process_s(pilot, tier, label, 0) for label, pilot in pilots.items())
    per_round = sum(process_s(pilot, tier, label, 1) for label, pilot in pilots.items()) - start
    rounds = max(FEWEST_ROUNDS, min(MOST_ROUNDS, round(start / per_round)))
    blocks = int(left / (start + rounds * per_round))
    if blocks < FEWEST_BLOCKS:  # make the processes as short as is allowed
        blocks = FEWEST_BLOCKS
        rounds = min(rounds, int((left / blocks - start) / per_round))
        if rounds < FEWEST_ROUNDS:
            needed = math.ceil((spent + run_s(pilots, tier, FEWEST_BLOCKS, FEWEST_ROUNDS)) / 60)
            raise PlanError(
                f"{minutes:g} minutes are too short for {FEWEST_BLOCKS} processes of each interpreter: "
                f"give --budget {needed} or more, or measure less with --python, --binding or --only"
            )
    blocks = min(blocks, MOST_BLOCKS)
    if blocks == MOST_BLOCKS:
        rounds = max(rounds, min(MOST_ROUNDS, int((left / blocks - start) / per_round)))
    return Fit(blocks, rounds, (spent + run_s(pilots, tier, blocks, rounds)) / 60)
