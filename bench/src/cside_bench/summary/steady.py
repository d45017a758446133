# SPDX-License-Identifier: Apache-2.0
"""Finds the cells of a run that are not steady; :mod:`cside_bench.statistics.steady` says what that means."""

import math

from cside_suite.process import sketch
from cside_suite.process.request import FLOOR

from cside_bench.results.rounds import RESOLUTION_NS, Key, Process, Sample
from cside_bench.statistics import steady
from cside_bench.statistics.steady import Calls


def mark(sample: Sample, reference: str) -> None:
    """Record in ``sample.unsteady`` each valid cell that is not steady, with the reason.

    Where the reference itself is not steady, no ratio of the workload says anything: all its cells are recorded.
    """
    found: dict[Key, str] = {}
    for key in sample.cells():
        if key not in sample.void and (reason := reason_of(sample, key, reference)) is not None:
            found[key] = reason
    for key in sample.cells():
        against = (key[0], reference)
        if key not in sample.void and key not in found and against in found:
            found[key] = f"{reference}, to which ratios refer, is not steady here: {found[against]}"
    sample.unsteady = found


def reason_of(sample: Sample, key: Key, reference: str) -> str | None:
    """Return why a cell is not steady; None if it is."""
    processes = [it for it in sample.processes if key in it.net and it.median_net(key) >= RESOLUTION_NS]
    against = (key[0], reference)
    moves = [steady.move(it.rounds_of(key, against)) for it in processes if key != against]
    compiled = key[1].partition(".")[0] != FLOOR  # a loop in C is, whatever the interpreter does
    by_calls = [it for it in processes if compiled and key in it.warm_calls]
    return (
        steady.cold([float(it.warm_calls[key].sum()) for it in by_calls], [it.median_net(key) for it in by_calls])
        or steady.drift(moves)
        or steady.speeds([it.ratio(key, against) for it in processes])
        or steady.singly([calls_of(it, key) for it in processes if key in it.latency])
    )


def calls_of(process: Process, key: Key) -> Calls:
    """Return the time of a cell's call in one process, from its chunks and from its single calls."""
    single = sketch.restore(process.latency[key])
    (p50,) = sketch.quantiles(single, (0.5,))
    return Calls(process.median_net(key), math.nan if p50 is None else p50, single.timer_ns)
