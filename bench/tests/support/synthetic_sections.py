# SPDX-License-Identifier: Apache-2.0
"""Sections of a synthetic run beside its cells: fits, warm-up, threads, costs, targets."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

NOUNS: Final = ("idioms", "codec", "pkcs11")
CALLS: Final = ("idioms.spin_held[1]", "idioms.spin_held[100000]", "idioms.spin_released[100000]")


def bounds(value: float, spread: float = 0.02) -> dict[str, float]:
    """A value with an interval around it."""
    return {"value": value, "low": value * (1 - spread), "high": value * (1 + spread)}


def models(
    labels: Sequence[str], whole: Sequence[str], sizes: Sequence[int], draw: np.random.Generator
) -> list[dict[str, Any]]:
    """Fits of one sweep per interpreter, with a crossing and a cliff."""
    reference, found = whole[0], []
    for label in labels:
        subjects = []
        for index, subject in enumerate([*whole, "floor.direct"]):
            per_call = bounds(10.0 * 1.8**index * float(draw.lognormal(0, 0.1)))
            line = {"a_ns": per_call, "b_ns": bounds(0.17), "residual": 0.04, "residual_nbytes": 64}
            cliff = {
                "below_nbytes": 4096,
                "above_nbytes": 5104,
                "kind": "step",
                "step_ns": bounds(40.0),
                "step_share": 0.12,
                "slope_before_ns": 0.17,
                "slope_after_ns": 0.17,
            }
            pieces = [{"from": sizes[0], "to": sizes[-1], "a_ns": per_call, "b_ns": bounds(0.17)}]
            subjects.append(
                {
                    "subject": subject,
                    "choice": subject in whole,
                    "line": line,
                    "over_floor": None if subject == "floor.direct" else line | {"b_ns": bounds(0.003)},
                    "gb_per_s": bounds(6.7),
                    "pieces": pieces,
                    "cliffs": [cliff] if subject == reference else [],
                }
            )
        near = [
            {"subject": it, "against": reference, **_size(4096.0 * (1 + place)), "extrapolated": False}
            for place, it in enumerate(whole[1:])
        ]
        at = {**_size(1500.0), "faster_below": reference, "faster_above": whole[-1], "extrapolated": False}
        family = {
            "family": "codec.crc32",
            "sizes": list(sizes),
            "processes": 10,
            "floor": "floor.direct",
            "subjects": subjects,
            "crossings": [{"one": reference, "two": whole[-1], "at": [at] if len(whole) > 1 else []}],
            "near": near,
            "all_near": {"subject": "all", "against": "fastest", **_size(57947.0), "extrapolated": False},
            "text": ["From 56.6 KiB (50.4 KiB to 63.5 KiB) on, all approaches are within 5 % of the fastest."],
        }
        found.append({"label": label, "families": [family]})
    return found


def _size(nbytes: float) -> dict[str, float]:
    return {"nbytes": nbytes, "low": nbytes * 0.9, "high": nbytes * 1.1}


def steady(
    labels: Sequence[str], whole: Sequence[str], workloads: Sequence[str], draw: np.random.Generator
) -> list[dict[str, Any]]:
    """Warm-up of some workloads on interpreters that compile while they run."""
    found = []
    for label in labels:
        cells = []
        for workload in workloads:
            for place, subject in enumerate(whole):
                level = float(draw.lognormal(5, 1))
                elapsed = np.geomspace(3e4, 2e7, 45)
                curve = level * (1 + 40 * np.exp(-elapsed / (1e6 * (1 + place))))
                settled = draw.random() < 0.7
                cells.append(
                    {
                        "workload": workload,
                        "subject": subject,
                        "classification": "warmup" if settled else "no steady state",
                        "counts": {"warmup": 5, "flat": 2} if settled else {"no steady state": 7},
                        "processes": 7,
                        "first_call_ns": bounds(30000.0),
                        "steady_after_ns": bounds(3e6) if settled else {"value": None, "low": None, "high": None},
                        "steady_after_calls": bounds(900.0) if settled else {"value": None, "low": None, "high": None},
                        "steady_ns": bounds(level),
                        "interleaving": 1.05,
                        "curve": [
                            [round(x), round(y, 1)] for x, y in zip(elapsed.tolist(), curve.tolist(), strict=True)
                        ],
                    }
                )
        subjects = [
            {
                "subject": subject,
                "counts": {"warmup": max(1, len(workloads) - 1)},
                "first_call_ns": 30000.0,
                "steady_after_ns": 3e6,
                "latest_ns": 9e6,
                "latest_workload": workloads[-1],
            }
            for subject in whole
        ]
        found.append({"label": label, "normalised": True, "subjects": subjects, "cells": cells})
    return found


def threads(labels: Sequence[str], whole: Sequence[str], draw: np.random.Generator) -> dict[str, Any]:
    """Scaling of short and long calls; where the GIL is held, more threads give no more calls."""
    counts = (1, 2, 4, 8)
    cells = []
    for label in labels:
        for call in CALLS:
            for subject in (*whole, "native"):
                gil = "none" if subject == "native" else "held" if "held" in call else "released"
                for count in counts:
                    speed_up = float(count**0.9 if gil != "held" else 1 / (1 + 0.05 * (count - 1)))
                    speed_up *= float(draw.lognormal(0, 0.02)) if count > 1 else 1.0
                    numbers = {
                        "rate": 1e6 * speed_up,
                        "speed_up": speed_up,
                        "efficiency": speed_up / count**0.9,
                        "share": 0.98 if count > 1 else 1.0,
                    }
                    cells.append(
                        {"interpreter": label, "call": call, "subject": subject, "threads": count, "gil": gil}
                        | numbers
                        | {f"{name}_low": value * 0.95 for name, value in numbers.items()}
                        | {f"{name}_high": value * 1.05 for name, value in numbers.items()}
                        | {"cores": float(count), "observations": 3}
                    )
    interpreters = [
        {
            "label": label,
            "processes": 3,
            "over": "processes",
            "rounds": 1,
            "cell_ms": 40.0,
            "cpus": 8,
            "threads": list(counts),
            "switch_interval_s": 0.005,
            "free_threaded": label.endswith("t"),
            "switches_gil_on": [],
            "findings": [],
        }
        for label in labels
    ]
    return {"format": 1, "interpreters": interpreters, "cells": cells, "void": [], "gaps": []}


def costs(labels: Sequence[str], whole: Sequence[str], draw: np.random.Generator) -> dict[str, Any]:
    """Lines, builds, wheels and starts of each binding."""
    bindings = []
    for name in dict.fromkeys(it.partition(".")[0] for it in whole):
        build = {"median": 6.0, "low": 5.5, "high": 7.0, "builds": 3}
        lines = [
            {
                "noun": noun,
                "language": "C",
                "origin": origin,
                "files": 3,
                "lines": 900,
                "code_lines": 600 + 7 * len(name),
            }
            for noun in NOUNS
            for origin in ("written", "generated")
        ]
        wheels = [
            {
                "interpreter": label,
                "file": f"cside_{name}-0.1.0-{label}.whl",
                "kind": "per version",
                "build_seconds": 6.8,
                "wheel_bytes": int(draw.integers(30_000, 600_000)),
                "unpacked_bytes": 1_390_933,
                "compiled_bytes": 1_222_800,
                "stripped_bytes": 224_672,
                "stripped_reason": None,
                "variants_bytes": 0,
                "variants_compiled": 0,
            }
            for label in labels
        ]
        rows = [{"interpreter": label, "wheel": "cp311-cp311-linux_x86_64", "evidence": "built"} for label in labels]
        coverage = {"wheels": len(labels), "interpreters": len(labels), "of_interpreters": len(labels)}
        bindings.append(
            {
                "binding": name,
                "distribution": f"cside-{name}",
                "lines": lines,
                "written_by_tools": [],
                "clean_build_s": build,
                "clean_build_cpu_s": build,
                "rebuild_s": build,
                "rebuild_cpu_s": build,
                "rebuild_edited": "csrc/codec.c",
                "build_variants_compiled": 0,
                "wheels": wheels,
                "coverage": {**coverage, "kinds": ["per version"], "rows": rows},
                "requirements": {
                    "build": ["setuptools>=77"],
                    "build_tools": ["a C compiler and the headers of Python"],
                    "run": ["cside-native==0.1.0"],
                    "python": ">=3.11",
                },
                "reasons": {},
            }
        )
    cold = [_start(label, subject, draw) for label in labels for subject in ("", *whole)]
    return {
        "static_reason": None,
        "cold_reason": None,
        "counter": "pygount 3.2.0",
        "build_interpreter": labels[0],
        "bindings": bindings,
        "cold": cold,
    }


def _start(label: str, subject: str, draw: np.random.Generator) -> dict[str, Any]:
    def spread(middle: float) -> dict[str, float]:
        value = middle * float(draw.lognormal(0, 0.2))
        return {"median": value, "low": value * 0.9, "high": value * 1.5, "processes": 5}

    names = (*NOUNS, "together") if subject else ("cside_native", "zlib", "libcside")
    binding, _, variant = subject.partition(".")
    times = ("import_ns", "import_cpu_ns")
    memory = ("grown_private_bytes", "grown_proportional_bytes", "grown_resident_bytes")
    return {
        "interpreter": label,
        "subject": subject,
        "binding": binding,
        "variant": variant,
        "processes": 5,
        "failed": [],
        "memory_source": "smaps_rollup",
        **{key: {name: spread(1e6) for name in names} for key in times},
        **{key: {name: spread(2e5) for name in names} for key in memory},
        "modules": {name: spread(3.0) for name in names},
        "imported": ["__future__"],
        "first_call_ns": {"idioms.noop": spread(9000.0)},
        "second_call_ns": {"idioms.noop": spread(150.0)},
        "clock_ns": spread(60.0),
        "reasons": [],
    }


def targets(labels: Sequence[str], draw: np.random.Generator) -> list[dict[str, Any]]:
    """One of each status per interpreter."""
    found = []
    for label in labels:
        for place, status in enumerate(("met", "missed", "unresolved")):
            value = float(draw.uniform(0.9, 1.4))
            found.append(
                {
                    "name": f"target {place + 1}, no-op / empty builtin",
                    "interpreter": label,
                    "unit": "",
                    "value": value if status != "unresolved" else None,
                    "low": value * 0.98 if status != "unresolved" else None,
                    "high": value * 1.02 if status != "unresolved" else None,
                    "reach": 1.1,
                    "unfair_below": None,
                    "unfair_above": 1.3,
                    "status": status,
                    "unfair": status != "unresolved" and value > 1.3,
                }
            )
    return found
