# SPDX-License-Identifier: Apache-2.0
"""Computes how calls scale over threads, from the files of :mod:`cside_suite.process.threads.measure`.

Each process gives, for each call, subject and number of threads, medians over rounds. The *rate* is that of all threads
together. The *speed-up* is the rate divided by the one-thread rate of the same subject in the same round. The
*efficiency* is the speed-up divided by that of the native ceiling in the same round; so a machine whose CPUs share a
core, or are used by others, does not make a binding look as if it did not scale. The *share* is the slowest thread's
calls divided by the mean of all threads. Inference is over processes. With a single process it is over its rounds, and
the summary says so.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final

import jsonschema
import numpy as np
from cside_suite.subjects.thread_calls import LONG_CALLS, NATIVE, STDLIB
from numpy.typing import NDArray

from cside_bench.results.digits import number
from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.student import Interval

FORMAT: Final = 1
"""Version of the format of the section."""
RELEASES: Final = 0.75
"""Least efficiency of a long call that releases the GIL."""
HOLDS: Final = 1.25
"""Largest speed-up of a call that holds the GIL."""
CEILING: Final = 0.75
"""Least share of the ideal speed-up that the native ceiling has to reach. If it does not, CPUs share a core or other
programs use them, and no binding is judged.
"""

Array = NDArray[np.float64]
Key = tuple[str, str, int]
"""A cell: (call, subject, number of threads)."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The measurements of one cell in one process, with one element per round."""

    rate: Array
    """Calls per second of all threads together."""
    speed_up: Array
    """Rate divided by that of one thread in the same round."""
    efficiency: Array
    """Speed-up divided by that of the native ceiling in the same round."""
    share: Array
    """Calls of the slowest thread divided by the mean of all threads: 0 to 1."""
    cores: Array
    """CPU time of the process divided by wall time."""


def observe(part: dict[str, Any]) -> tuple[dict[Key, Observation], dict[Key, str]]:
    """Return the observations and the GIL policies of one process."""
    rate: dict[Key, Array] = {}
    share: dict[Key, Array] = {}
    cores: dict[Key, Array] = {}
    gil: dict[Key, str] = {}
    for cell in part["cells"]:
        key = (cell["call"], cell["subject"], cell["threads"])
        by_thread = np.asarray(cell["calls"], dtype=float)
        ns = np.asarray(cell["ns"], dtype=float)
        rate[key] = by_thread.sum(axis=1) / ns * 1e9
        share[key] = by_thread.min(axis=1) / by_thread.mean(axis=1)
        cores[key] = np.asarray(cell["cpu_ns"], dtype=float) / ns
        gil[key] = cell["gil"]
    speed_up = {key: value / rate[(key[0], key[1], 1)] for key, value in rate.items() if (key[0], key[1], 1) in rate}
    found = {}
    for key, value in speed_up.items():
        ceiling = speed_up.get((key[0], NATIVE, key[2]), np.full_like(value, np.nan))
        found[key] = Observation(rate[key], value, value / ceiling, share[key], cores[key])
    return found, gil


def summarise(files: Iterable[Path]) -> dict[str, Any]:
    """Return the summary of all processes' files, checked against ``threads.schema.json``.

    Raises `jsonschema.ValidationError` if it does not fit, which would be an error in this module.
    """
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(files)]
    interpreters: list[dict[str, Any]] = []
    cells: list[dict[str, Any]] = []
    void: dict[tuple[str, str, str], str] = {}
    gaps: dict[tuple[str, str, str], str] = {}
    for label in sorted({document["interpreter"] for document in documents}):
        chosen = [document for document in documents if document["interpreter"] == label]
        lost = {
            (entry["call"], entry["subject"]): entry["reason"]
            for document in chosen
            for part in document["processes"]
            for entry in part["void"]
        }
        found = cells_of(label, chosen, lost)
        cells += found
        void |= {(label, *key): reason for key, reason in lost.items()}
        gaps |= {
            (label, entry["call"], entry["subject"]): entry["reason"]
            for document in chosen
            for part in document["processes"]
            for entry in part["gaps"]
        }
        interpreters.append(interpreter_of(label, chosen, found))
    summary = {
        "format": FORMAT,
        "interpreters": interpreters,
        "cells": cells,
        "void": named(void),
        "gaps": named(gaps),
    }
    schema = json.loads(resources("cside_bench.summary").joinpath("threads.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema)
    return summary


def named(reasons: dict[tuple[str, str, str], str]) -> list[dict[str, str]]:
    """Convert reasons by (interpreter, call, subject) to a list of objects."""
    names = ("interpreter", "call", "subject")
    return [dict(zip(names, key, strict=True)) | {"reason": reason} for key, reason in sorted(reasons.items())]


def cells_of(label: str, documents: list[dict[str, Any]], lost: dict[tuple[str, str], str]) -> list[dict[str, Any]]:
    """Return the cells of one interpreter."""
    observations: dict[Key, list[Observation]] = {}
    policies: dict[Key, str] = {}
    for document in documents:
        seen: set[Key] = set()
        for part in document["processes"]:  # several if a binding switches the GIL on and has a process of its own
            found, gil = observe(part)
            for key, observation in found.items():
                if key[:2] not in lost and key not in seen:
                    observations.setdefault(key, []).append(observation)
            seen |= found.keys()
            policies |= {key: value for key, value in gil.items() if key not in policies}
    order = list(dict.fromkeys(call for call, _, _ in observations))
    keys = sorted(observations, key=lambda key: (order.index(key[0]), key[1] in (NATIVE, STDLIB), key[1], key[2]))

    def over(what: str) -> list[list[float]]:
        rows = []
        for key in keys:
            processes = [getattr(it, what) for it in observations[key]]
            single = len(documents) == 1
            rows.append([float(v) for v in processes[0]] if single else [float(np.median(v)) for v in processes])
        return rows

    measures = {name: intervals(over(name), logarithmic=True) for name in ("rate", "speed_up", "efficiency")}
    shares = intervals(over("share"), logarithmic=False)
    return [
        {
            "interpreter": label,
            "call": key[0],
            "subject": key[1],
            "threads": key[2],
            "gil": policies[key],
            **bounds("rate", measures["rate"][index]),
            **bounds("speed_up", measures["speed_up"][index]),
            **bounds("efficiency", measures["efficiency"][index]),
            **bounds("share", shares[index]),
            "cores": number(float(np.median(np.concatenate([it.cores for it in observations[key]])))),
            "observations": measures["rate"][index].processes,
        }
        for index, key in enumerate(keys)
    ]


def interpreter_of(label: str, documents: list[dict[str, Any]], cells: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the conditions of one interpreter's processes, and the findings about them."""
    first = documents[0]
    parts = [part for document in documents for part in document["processes"]]
    cpus = min(document["cpus"] for document in documents)
    switchers = sorted({name for document in documents for name in document["switches_gil_on"]})
    return {
        "label": label,
        "processes": len(documents),
        "over": "rounds" if len(documents) == 1 else "processes",
        "rounds": min(part["rounds"] for part in parts),
        "cell_ms": number(min(part["cell_ms"] for part in parts)),
        "cpus": cpus,
        "threads": first["threads"],
        "switch_interval_s": first["switch_interval_s"],
        "free_threaded": first["free_threaded"],
        "switches_gil_on": switchers,
        "findings": findings(cells, cpus) + switched_late(parts),
    }


def findings(cells: Sequence[dict[str, Any]], cpus: int) -> list[str]:
    """Return sentences about bindings whose declared GIL policy and measured speed-up do not agree.

    They are judged at the largest number of threads that have a CPU each, on long calls, by whole intervals, and only
    where the native ceiling is high enough.
    """
    by_key = {(cell["call"], cell["subject"], cell["threads"]): cell for cell in cells}
    numbers = [threads for _, _, threads in by_key if 1 < threads <= cpus]
    if not numbers:
        return ["There is only one CPU, or only one thread was measured, so the GIL policies cannot be judged."]
    threads = max(numbers)
    found: list[str] = []
    unjudged: dict[str, float] = {}
    for call in dict.fromkeys(cell["call"] for cell in cells):
        ceiling = by_key.get((call, NATIVE, threads))
        if not any(part in call for part in LONG_CALLS) or ceiling is None:
            continue
        if ceiling["speed_up"] < CEILING * threads:
            unjudged[call] = ceiling["speed_up"]
            continue
        for cell in cells:
            if cell["call"] != call or cell["threads"] != threads or cell["subject"] == NATIVE:
                continue
            low, high = cell["speed_up_low"], cell["efficiency_high"]
            if cell["gil"] == "held" and low is not None and low > HOLDS:
                found.append(
                    f"{call}: {cell['subject']} is said to hold the GIL, but {threads} threads are "
                    f"{cell['speed_up']:.2f} times as fast as one."
                )
            if cell["gil"] != "held" and high is not None and high < RELEASES:
                policy = "is said to release the GIL" if cell["gil"] == "released" else "has no GIL to wait for"
                reached = percent(cell["efficiency"])
                found.append(
                    f"{call}: {cell['subject']} {policy}, but {threads} threads reach {reached} of the speed-up of C."
                )
    if unjudged:
        found.append(
            f"{threads} threads of C were only {min(unjudged.values()):.2f} to {max(unjudged.values()):.2f} times as "
            f"fast as one: the CPUs share a core, or other programs used them. Not judged: {', '.join(unjudged)}."
        )
    return found


def switched_late(parts: Sequence[dict[str, Any]]) -> list[str]:
    """Return a sentence if the GIL was switched on after the imports, since the affected cells are not known."""
    late = [part for part in parts if part["gil_enabled"]["at_end"] != part["gil_enabled"]["after_imports"]]
    if not late:
        return []
    names = ", ".join(sorted({name for part in late for name in part["subjects"]}))
    return [f"The GIL was switched on during the rounds, by one of {names}: their cells without a GIL do not count."]


def bounds(name: str, interval: Interval) -> dict[str, float | None]:
    """Return value, lower and upper bound as three fields of a cell."""
    return {name: number(interval.value), f"{name}_low": number(interval.low), f"{name}_high": number(interval.high)}


def percent(value: float | None) -> str:
    """Format a share as a percentage; a dash if there is none."""
    return "—" if value is None else f"{100 * value:.0f} %"
