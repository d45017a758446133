# SPDX-License-Identifier: Apache-2.0
"""Warm-up and steady state of a run, from the first chunk of each cell to the last.

The section covers interpreters with a JIT, the workloads of ``headline.toml`` and the bindings with the whole contract;
nobody would read the curves of a thousand cells.
"""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.results import headline
from cside_bench.results.rounds import Key, Process, Sample
from cside_bench.statistics import warmup
from cside_bench.statistics.warmup import Series, slowness

WITH_JIT: Final = ("pypy",)
"""Implementations with a JIT, as the labels of interpreters begin."""


def factors(process: Process, workload: str) -> NDArray[np.float64] | None:
    """Return how much slower the machine was in each round of a workload; None if a subject has others."""
    members = [values for key, values in process.raw.items() if key[0] == workload]
    if len({len(values) for values in members}) != 1:
        return None
    return slowness(np.vstack(members))


def series_of(sample: Sample, workloads: Collection[str], subjects: Collection[str]) -> dict[Key, list[Series]]:
    """Return the series of each valid cell of these workloads and subjects, one per process."""
    found: dict[Key, list[Series]] = {}
    for process in sample.processes:
        for workload in workloads:
            machine = factors(process, workload)
            for subject in subjects:
                key = (workload, subject)
                if key in sample.void or key not in process.raw:
                    continue
                warm, rounds = process.warm.get(key, np.empty(0)), process.raw[key]
                iterations = float(process.iterations[key])
                before = process.warm_calls.get(key, np.full(len(warm), iterations))
                calls = np.concatenate([before, np.full(len(rounds), iterations)])
                found.setdefault(key, []).append(
                    Series(
                        first_call_ns=process.first[key],
                        calls=calls,
                        ns=np.concatenate([warm, rounds]) * calls,
                        rounds_from=len(warm) - process.settling.get(key, 0),
                        slowness=None if machine is None else np.concatenate([np.ones(len(warm)), machine]),
                        overhead_ns=float(np.median(rounds - process.net[key])),
                    )
                )
    return found


def section(folder: Path, samples: dict[str, Sample]) -> list[dict[str, Any]]:
    """Return the section ``steady`` of ``summary.json``."""
    workloads = [row["workload"] for row in headline.of_run(folder)]
    chosen = {}
    for label, sample in samples.items():
        pilot = folder / "calibration" / f"{label}.json"
        if label.partition("-")[0] in WITH_JIT and pilot.exists():
            whole = json.loads(pilot.read_text(encoding="utf-8")).get("whole", ())
            chosen[label] = series_of(sample, workloads, whole)
    return warmup.section(chosen)
