# SPDX-License-Identifier: Apache-2.0
"""A run in which the time of every call is C's own and a sum of known costs of the terms of its shape."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from cside_bench.results.evidence import Run
from cside_bench.results.shapes import RELEASED, Shape, load

LABEL: Final = "cpython-3.14"
OTHER: Final = "pypy-3.11"
C_NS: Final = 2.0
"""C's own time in an idiom."""
INSIDE_NS: Final = 50.0
"""C's own time in a call that is held out."""
COSTS: Final = {term.name: 3.0 + 2.0 * place for place, term in enumerate(load().terms)}
"""ns of each term with the reference; other approaches take a multiple of them."""
TIMES: Final = {"cext": 1.0, "cffi": 8.0, "ctypes": 20.0}
"""What approaches take, in terms of the reference's costs."""
ALWAYS_RELEASE: Final = ("cffi",)


def workload(key: str) -> str:
    """Return a workload that stands under a key of ``shapes.toml``."""
    if not key.startswith("pkcs11."):
        return f"{key}[16]" if key.startswith("codec.") else key
    return f"{key.rstrip(']')}-token]" if "[" in key else f"{key}[token]"


def write(
    folder: Path,
    *,
    times: Mapping[str, float] = TIMES,
    labels: tuple[str, ...] = (LABEL,),
    measured: Callable[[str, Shape], bool] = lambda key, shape: True,
    held_out: Callable[[str], float] = lambda key: 1.0,
    inside_ns: float = INSIDE_NS,
    processes: int = 5,
    noise: float = 0.0,
) -> Run:
    """Write the folder of a run and load it.

    ``measured`` tells of a key and its shape whether the run has it, ``held_out`` how many times the sum of its costs a
    held-out call takes with every approach.
    """
    known, draw = load(), np.random.default_rng(11)
    cells: list[dict[str, Any]] = []
    interpreters: dict[str, Any] = {}
    for label in labels:
        found: dict[str, Any] = {}
        for key, shape in {**known.fitted, **known.held_out}.items():
            if not measured(key, shape):
                continue
            fitted = key in known.fitted
            own = C_NS if fitted else inside_ns
            factor = 1.0 if fitted else held_out(key)
            ns = {"floor.direct": [own] * processes} if not fitted or key == "idioms.noop" else {}
            for subject, multiple in times.items():
                always = subject in ALWAYS_RELEASE
                counted = {term: n for term, n in shape.items() if term != RELEASED or not always}
                cost = multiple * factor * sum(n * COSTS[term] for term, n in counted.items())
                ns[subject] = ((own + cost) * np.exp(draw.standard_normal(processes) * noise)).tolist()
                gil = "released" if always or RELEASED in shape else "held"
                cells.append(
                    {
                        "interpreter": label,
                        "binding": subject,
                        "variant": "",
                        "workload": workload(key),
                        "gil": gil,
                        "void": None,
                    }
                )
            found[workload(key)] = {"ns": ns, "ratios": {}, "pairs": {}}
        interpreters[label] = {"processes": processes, "workloads": found}
    summary = {
        "format": 2,
        "run": folder.name,
        "tier": "default",
        "verdicts": True,
        "reference": "cext",
        "seed": 1,
        "interpreters": [
            {
                "label": label,
                "processes": processes,
                "margin": 0.03,
                "whole": sorted(times),
                "trustworthy": True,
                "checks": [],
            }
            for label in labels
        ],
        "cells": cells,
        "parity": [],
    }
    folder.mkdir(parents=True, exist_ok=True)
    documents = {
        "summary.json": summary,
        "environment.json": {"machine": {}},
        "evidence.json": {"format": 1, "reference": "cext", "interpreters": interpreters},
        "run.json": {},
    }
    for name, document in documents.items():
        (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return Run.load(folder)
