# SPDX-License-Identifier: Apache-2.0
"""How calls scale over threads: the summary of what :mod:`cside_suite.process.threads.measure` measured.

From a process come, for each call, subject and number of threads, medians over rounds: the rate of all threads
together; the speed-up, which is that rate over the one-thread rate of the same subject in the same round; the
efficiency, which is the speed-up over that of the native ceiling in the same round, so that a machine whose CPUs share
a core, or that others use, does not look like a binding that does not scale; and the slowest thread's share of what
each would have if all were served alike. Inference is over processes; with a single one it is over its rounds, and
the summary says so.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final

import jsonschema
import numpy as np
from cside_suite.subjects.thread_calls import LONG_CALLS, NATIVE, STDLIB
from numpy.typing import NDArray

from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.student import Interval

FORMAT: Final = 1
RELEASES: Final = 0.75
"""Least efficiency of a long call that releases the GIL."""
HOLDS: Final = 1.25
"""Greatest speed-up of a call that holds it."""
CEILING: Final = 0.75
"""Of the ideal: a native ceiling below this tells of shared cores or of other programs, and nobody is judged."""

Array = NDArray[np.float64]
Key = tuple[str, str, int]
"""(call, subject, threads)."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One cell in one process, an element a round."""

    rate: Array
    """Calls per second of all threads."""
    speed_up: Array
    efficiency: Array
    share: Array
    """Of the slowest thread, in what each would have if all were served alike: 0 to 1."""
    cores: Array
    """CPU time of the process over wall time."""


def observe(part: dict[str, Any]) -> tuple[dict[Key, Observation], dict[Key, str]]:
    """Observations and GIL policies of one process."""
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
    """The summary of all processes' files, checked against ``scaling.schema.json``.

    Raises `jsonschema.ValidationError` where it does not fit, which would be a fault of this module.
    """
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(files)]
    interpreters: list[dict[str, Any]] = []
    cells: list[dict[str, Any]] = []
    void: dict[tuple[str, str, str], str] = {}
    gaps: dict[tuple[str, str, str], str] = {}
    for label in sorted({document["interpreter"] for document in documents}):
        own = [document for document in documents if document["interpreter"] == label]
        lost = {
            (entry["call"], entry["subject"]): entry["reason"]
            for document in own
            for part in document["processes"]
            for entry in part["void"]
        }
        found = cells_of(label, own, lost)
        cells += found
        void |= {(label, *key): reason for key, reason in lost.items()}
        gaps |= {
            (label, entry["call"], entry["subject"]): entry["reason"]
            for document in own
            for part in document["processes"]
            for entry in part["gaps"]
        }
        interpreters.append(interpreter_of(label, own, found))
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
    """Reasons by (interpreter, call, subject), as objects."""
    names = ("interpreter", "call", "subject")
    return [dict(zip(names, key, strict=True)) | {"reason": reason} for key, reason in sorted(reasons.items())]


def cells_of(label: str, documents: list[dict[str, Any]], lost: dict[tuple[str, str], str]) -> list[dict[str, Any]]:
    """The cells of one interpreter."""
    observations: dict[Key, list[Observation]] = {}
    policies: dict[Key, str] = {}
    for document in documents:
        seen: set[Key] = set()
        for part in document["processes"]:  # several where a binding switches the GIL on and has its own
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
    """What one interpreter's processes had in common, and what is to be said about them."""
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
    """Where a binding's word about the GIL and what its threads got do not agree, in sentences.

    Judged at the largest number of threads that have a CPU each, on long calls, by whole intervals, and only where the
    native ceiling is high enough.
    """
    by_key = {(cell["call"], cell["subject"], cell["threads"]): cell for cell in cells}
    numbers = [threads for _, _, threads in by_key if 1 < threads <= cpus]
    if not numbers:
        return ["One CPU, or one thread: nothing is said about the GIL."]
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
                    f"{call}: {cell['subject']} is said to hold the GIL, and {threads} threads are "
                    f"{cell['speed_up']:.2f} times as fast as one."
                )
            if cell["gil"] != "held" and high is not None and high < RELEASES:
                word = "releases the GIL" if cell["gil"] == "released" else "has no GIL to wait for"
                reached = percent(cell["efficiency"])
                found.append(
                    f"{call}: {cell['subject']} {word}, and {threads} threads reach {reached} of what threads of C do."
                )
    if unjudged:
        found.append(
            f"{threads} threads of C were only {min(unjudged.values()):.2f} to {max(unjudged.values()):.2f} times as "
            f"fast as one: the CPUs share a core, or other programs used them. Not judged: {', '.join(unjudged)}."
        )
    return found


def switched_late(parts: Sequence[dict[str, Any]]) -> list[str]:
    """A sentence where the GIL came on after the imports: nobody knows in which cell it did."""
    late = [part for part in parts if part["gil_enabled"]["at_end"] != part["gil_enabled"]["after_imports"]]
    if not late:
        return []
    names = ", ".join(sorted({name for part in late for name in part["subjects"]}))
    return [f"The GIL was switched on during the rounds, by one of {names}: their cells without a GIL do not count."]


def bounds(name: str, interval: Interval) -> dict[str, float | None]:
    """Three fields of a cell."""
    return {name: number(interval.value), f"{name}_low": number(interval.low), f"{name}_high": number(interval.high)}


def number(value: float) -> float | None:
    """Five significant digits; ``None`` for what is not a number."""
    return float(f"{value:.5g}") if math.isfinite(value) else None


def percent(value: float | None) -> str:
    """A share of one."""
    return "—" if value is None else f"{100 * value:.0f} %"
