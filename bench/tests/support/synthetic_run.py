# SPDX-License-Identifier: Apache-2.0
"""Runs whose truth is known, written to files as the driver leaves them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

REFERENCE = "cext"
LABEL = "cpython-3.13"
NS = {REFERENCE: 50.0, "cffi": 150.0, "swig": 70.0, "twin": 50.0, "stdlib": 45.0, "floor.direct": 10.0}
"""Net ns per call of each subject, where nothing else is said."""
WORKLOADS = tuple(f"idioms.w{number:02d}" for number in range(12))
MACHINE = {
    "system": "Linux 6",
    "libc": "glibc 2",
    "architecture": "x86_64",
    "cpu": "a CPU",
    "cpus": 2,
    "affinity": [0, 1],
    "governor": None,
    "aslr": "2",
}
FACTS = {"version": "3.13.0", "compiler": "gcc", "cflags": "-O3", "config_args": "", "pgo": True, "lto": False}
EMPTY_NS = 0.5
ROUNDS = 15


def write_run(
    folder: Path,
    seed: int,
    *,
    effects: Mapping[tuple[str, str], float] | None = None,
    everything: float = 1.0,
    processes: int = 7,
    labels: tuple[str, ...] = (LABEL,),
    subjects: Mapping[str, float] = NS,
    machine: Mapping[str, Any] | None = None,
    facts: Mapping[str, Any] | None = None,
    tier: str = "default",
    void: tuple[tuple[str, str, str], ...] = (),
    **judged: Any,
) -> Path:
    """A run of :data:`WORKLOADS`.

    ``effects`` are factors on the net time of a (workload, subject), ``everything`` one on all. Processes differ by
    0.3 % in each cell and 5 % in common; rounds drift in common. ``void`` has workload, subject and reason; ``judged``
    goes into the summary's entry of each interpreter.
    """
    draw = np.random.default_rng(seed)
    (folder / "blocks").mkdir(parents=True)
    plan: dict[str, Any] = {
        "tier": tier,
        "seed": seed,
        "reference": REFERENCE,
        "library_sha256": "0" * 64,
        "bindings": [],
        "only": [],
    }
    plan["corpora"] = {}
    plan["interpreters"] = [{"label": label, "python": "python"} for label in labels]
    plan["blocks"] = [
        {"interpreter": label, "number": number, "seed": number} for label in labels for number in range(processes)
    ]
    write(folder / "run.json", plan)
    recorded = {
        "commit": f"commit{seed}",
        "machine": {**MACHINE, **(machine or {})},
        "interpreters": [{"label": label, **FACTS, **(facts or {})} for label in labels],
    }
    write(folder / "environment.json", recorded)
    entries = [{"label": label, "processes": processes, "margin": 0.03, **judged} for label in labels]
    write(folder / "summary.json", {"tier": tier, "verdicts": tier != "quick", "interpreters": entries, "cells": []})
    for label in labels:
        for number in range(processes):
            speed = everything * draw.lognormal(0, 0.05)
            benchmarks = []
            for workload in WORKLOADS:
                drift = speed * draw.choice([1.0, 1.6], ROUNDS, p=[0.8, 0.2])
                for subject, ns in subjects.items():
                    if any(it[:2] == (workload, subject) for it in void):
                        continue
                    effect = (effects or {}).get((workload, subject), 1.0)
                    net = ns * effect * drift * draw.lognormal(0, 0.003) * draw.lognormal(0, 0.01, ROUNDS)
                    benchmarks.append(entry(workload, subject, net))
            write(folder / "blocks" / f"{label}-{number:02d}.json", block(label, number, benchmarks, void))
    return folder


def entry(workload: str, subject: str, net_ns: Any) -> dict[str, Any]:
    """One benchmark of a process's file."""
    data = [(value + EMPTY_NS) * 1e-9 for value in net_ns.tolist()]
    extra = {"workload": workload, "subject": subject, "gil": "held", "empty": [EMPTY_NS * 1e-9] * len(data)}
    return {
        "name": f"{workload} {subject}",
        "fullname": f"{workload}::{subject}",
        "extra_info": extra,
        "stats": {"data": data, "iterations": 2000},
    }


def block(
    label: str, number: int, benchmarks: list[dict[str, Any]], void: tuple[tuple[str, str, str], ...]
) -> dict[str, Any]:
    """A process's file."""
    return {
        "machine_info": {
            "node": "",
            "machine": "x86_64",
            "system": "Linux",
            "release": "6",
            "python_implementation": "CPython",
            "python_version": "3.13.0",
            "python_compiler": "gcc",
        },
        "commit_info": {},
        "benchmarks": benchmarks,
        "datetime": f"2026-11-21T12:00:{number:02d}.000000+00:00",
        "version": "5.1.0",
        "cside": {
            "interpreter": label,
            "seed": number,
            "rounds": ROUNDS,
            "void": [{"workload": it[0], "subject": it[1], "gil": "held", "reason": it[2]} for it in void],
            "skips": [],
            "load_average": [0.5, 0.5, 0.5],
            "engine_version": "1.3",
            "pytest_benchmark": "5.1.0",
        },
    }


def write_counts(folder: Path, cells: Mapping[tuple[str, str], float], *, version: str = "3.22", **more: Any) -> None:
    """Counted instructions per call, by workload and subject."""
    (folder / "counts").mkdir(parents=True, exist_ok=True)
    found = [
        {"workload": workload, "subject": subject, "instructions": value, "calls": 100, "stable": True}
        | {"spread": 0.0, "void": None}
        | more
        for (workload, subject), value in cells.items()
    ]
    document = {"interpreter": LABEL, "tool": "callgrind", "version": version, "cells": found}
    write(folder / "counts" / f"{LABEL}.json", document)


def write(path: Path, document: Any) -> None:
    """Write a document as JSON."""
    path.write_text(json.dumps(document), encoding="utf-8")
