# SPDX-License-Identifier: Apache-2.0
"""Runs for the page: complete folders of derived files, of any size, drawn from a fixed seed.

Nothing here was measured. Times of a workload differ by subject and interpreter as those of real runs do, each cell has
noise of its own, and verdicts, ranks and pairs follow from the intervals, so that a page can be held to what it was
drawn from. Texts contain markup on purpose: a page that forgets to escape one breaks.
"""

import hashlib
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from synthetic_arguments import claims, drill, recommendations
from synthetic_catalogue import FACTOR, FEW, LABELS, OTHERS, PARTIAL, SIZES, WHOLE, WORKLOADS
from synthetic_sections import costs, models, steady, targets, threads

MARKUP: Final = 'exit code -11: <lambda> & "x"</script>'
"""Stands in reasons and details."""
ALL_SECTIONS: Final = frozenset(
    {"models", "steady", "threads", "costs", "targets", "latency", "inside", "claims", "recommendations", "drill"}
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a run holds. The first of ``whole`` is the reference; ``sections`` of :data:`ALL_SECTIONS` are filled."""

    labels: tuple[str, ...] = ("cpython-3.14", "pypy-3.11")
    whole: tuple[str, ...] = WHOLE
    others: tuple[str, ...] = (*PARTIAL, *OTHERS)
    workloads: tuple[str, ...] = FEW
    processes: int = 10
    tier: str = "default"
    untrusted: tuple[str, ...] = ()
    sections: frozenset[str] = field(default=ALL_SECTIONS)
    machine: str | None = None
    run: str = "20261121-120000"
    lacking: tuple[tuple[str, str], ...] = (("cffi", "idioms.spin_held[1]"),)
    void: tuple[tuple[str, str], ...] = (("swig", "idioms.add[u8]"),)

    @property
    def subjects(self) -> tuple[str, ...]:
        """All, the reference first."""
        return (*self.whole, *self.others)

    @property
    def judged(self) -> bool:
        """Whether there are processes enough for verdicts."""
        return self.tier != "quick"


LARGE: Final = Shape(labels=LABELS, workloads=WORKLOADS, run="20261121-130000")
"""Twelve interpreters, fifteen subjects, all workloads."""


def write_page_run(folder: Path, shape: Shape, seed: int = 20261121) -> Path:
    """Write a run's derived files into ``folder / shape.run``; return that."""
    folder = folder / shape.run
    folder.mkdir(parents=True)
    draw = np.random.default_rng(seed)
    interpreters, cells, parity, evidence = [], [], [], {}
    for label in shape.labels:
        trusted = label not in shape.untrusted if shape.judged else None
        interpreters.append(_interpreter(label, shape, trusted))
        own, observed = _measured(label, shape, draw, verdicts=bool(trusted))
        cells += own
        evidence[label] = {"processes": shape.processes, "workloads": observed}
        lack = [(subject, workload) for subject, workload in shape.lacking if subject in shape.subjects]
        parity += [
            {"interpreter": label, "subject": subject, "workload": workload, "reason": f"lacks it: {MARKUP}"}
            for subject, workload in lack
            if workload in shape.workloads
        ]
    has = shape.sections
    summary = {
        "format": 2,
        "run": shape.run,
        "tier": shape.tier,
        "verdicts": shape.judged,
        "reference": shape.whole[0],
        "seed": seed,
        "library_sha256": hashlib.sha256(shape.run.encode()).hexdigest(),
        "complete": True,
        "isolated": False,
        "handicaps": [],
        "interpreters": interpreters,
        "missing": [],
        "cells": cells,
        "parity": parity,
        "targets": targets(shape.labels, draw) if "targets" in has else [],
        "models": models(shape.labels, shape.whole, SIZES, draw) if "models" in has else [],
        "steady": steady(_tracing(shape.labels), shape.whole, shape.workloads[:20], draw) if "steady" in has else [],
        "threads": threads(shape.labels, shape.whole, draw) if "threads" in has else None,
        "costs": costs(shape.labels, shape.whole, draw) if "costs" in has else None,
    }
    files: dict[str, Any] = {
        "summary.json": summary,
        "environment.json": _environment(shape, seed),
        "evidence.json": {"format": 1, "reference": shape.whole[0], "interpreters": evidence},
        "run.json": {"tier": shape.tier, "seed": seed, "reference": shape.whole[0]},
    }
    if "claims" in has:
        files["claims.json"] = claims(shape.run, cells, shape.whole, MARKUP)
    if "recommendations" in has:
        files["recommendations.json"] = recommendations(shape.run, cells, shape.whole, judged=shape.judged)
    if "drill" in has:
        files["drill.json"] = drill(shape.labels, shape.whole, draw, MARKUP)
    for name, document in files.items():
        (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return folder


def _tracing(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(label for label in labels if label.startswith("pypy"))


def _interpreter(label: str, shape: Shape, trusted: bool | None) -> dict[str, Any]:
    checks = [
        ("twin", -0.0009, 0.01, True, "Identical code differs by -0.09 % (-0.14 to -0.04 %) on average."),
        ("delayed", 0.0507, 0.05, True, "A delay of 5% is measured as +5.07 % (+4.94 to +5.20 %)."),
        ("position", -0.0468 if trusted is False else 0.002, 0.01, trusted, "To be timed last changes a time."),
        ("drift", 0.0019, 0.01, True, "The ratio of identical code moves by +0.19 % (-0.03 to +0.41 %)."),
        ("machine", -0.0002, None, None, "The reference's own times moved by -0.02 %, which pairing takes out."),
    ]
    return {
        "label": label,
        "processes": shape.processes,
        "margin": 0.03,
        "engine_versions": ["1.3.1"],
        "load_average": [0.5] * shape.processes,
        "comparisons": len(shape.workloads) * len(shape.subjects),
        "trustworthy": trusted,
        "checks": [
            {
                "name": name,
                "estimate": estimate,
                "low": estimate - 0.001,
                "high": estimate + 0.001,
                "limit": limit,
                "passed": passed,
                "says": says,
                "decides": limit is not None,
            }
            for name, estimate, limit, passed, says in (checks if shape.judged else [])
        ],
        "whole": sorted(shape.whole),
    }


def _environment(shape: Shape, seed: int) -> dict[str, Any]:
    machine = {
        "system": "Linux 6.18.44",
        "libc": "glibc 2.36",
        "architecture": "x86_64",
        "cpu": "A Processor 9000",
        "cpus": 8,
        "affinity": list(range(8)),
        "governor": None,
        "aslr": "2",
        "load_average": [0.6, 1.2, 3.0],
    }
    native = {
        "version": "0.1.0",
        "build_type": "Release",
        "compiler": "gcc 12.2.0",
        "flags": "-std=c11 -O3 -DNDEBUG -fPIC -fvisibility=hidden",
        "engine": "zlib",
        "engine_origin": "system",
        "engine_version": "1.3.1",
        "sha256": hashlib.sha256(shape.run.encode()).hexdigest(),
    }
    return {
        "started": "2026-11-21T12:00:00+00:00",
        "commit": hashlib.sha256(str(seed).encode()).hexdigest()[:40],
        "machine": machine | ({"name": shape.machine} if shape.machine else {}),
        "process_environment": {"PYTHONHASHSEED": "drawn for each process", "padding": "0 to 4096 bytes"},
        "placement": {"cpu": 1, "reason": "pinned to CPU 1", "siblings": [], "driver": [0], "usable": [0, 1]},
        "seed": seed,
        "corpora": {"text": hashlib.sha256(b"text").hexdigest()},
        "interpreters": [
            {
                "label": label,
                "executable": f"/opt/{label}/bin/python",
                "version": f"{label.partition('-')[2]}.0 (main) [GCC 12.2.0]",
                "implementation": label.partition("-")[0],
                "implementation_version": f"{label.partition('-')[2].rstrip('t')}.0",
                "compiler": "GCC 12.2.0",
                "cflags": "-Wsign-compare -DNDEBUG -g -fwrapv -O3 -Wall " + "-fstack-protector-strong " * 4,
                "config_args": "'--enable-optimizations' '--with-lto' '--prefix=/opt'",
                "pgo": True,
                "lto": True,
                "shared": False,
                "free_threaded": label.endswith("t"),
                "debug": False,
                "native": native,
                "packages": {"cside-bench": "0.1.0", "pytest": "9.2.0"},
                "provisioned": {"source": "system", "optimised": True, "optimised_evidence": "flags", "builds": {}},
            }
            for label in shape.labels
        ],
    }


def _body_ns(workload: str, draw: np.random.Generator) -> float:
    """ns that the native function itself takes: by the number in its name, else short."""
    digits = [int(part) for part in workload.partition("[")[2].strip("]").split("-") if part.isdigit()]
    per_byte = 12.0 if "press" in workload else 0.2
    if digits and digits[0] > 12:
        return float(per_byte * digits[0] * draw.lognormal(0, 0.1))
    return float((400.0 if workload.startswith("pkcs11") else 3.0) * draw.lognormal(0, 0.5))


def _measured(
    label: str, shape: Shape, draw: np.random.Generator, *, verdicts: bool
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Cells of an interpreter, and the same as ``evidence.json`` has them."""
    tracing, reference = label.startswith(("pypy", "graalpy")), shape.whole[0]
    speed = draw.lognormal(0, 0.1)
    cells: list[dict[str, Any]] = []
    observed: dict[str, Any] = {}
    for workload in shape.workloads:
        body, call = _body_ns(workload, draw), 20.0 * speed * draw.lognormal(0, 0.3)
        here = [it for it in shape.subjects if (it, workload) not in shape.lacking]
        here = [it for it in here if it != "PyKCS11" or workload.startswith("pkcs11")]
        factors = np.array([FACTOR.get(it, 1.0) ** (-0.3 if tracing else 1.0) for it in here])
        factors *= np.where(
            [it in {reference, "twin", "relinked"} for it in here], 1.0, draw.lognormal(0, 0.2, len(here))
        )
        spread = draw.lognormal(math.log(0.008), 0.5, len(here))
        base = body + call * factors
        ns = base * np.exp(
            draw.normal(0, 0.05, (shape.processes, 1)) + draw.normal(0, 1, (shape.processes, 1)) * spread
        )
        logs = np.log(ns / ns[:, [here.index(reference)]])
        void = [(it, workload) in shape.void for it in here]
        whole = [it for it in shape.whole if it in here]
        rank = {
            one: 1 + sum(_verdict(*_bounds(logs, here, other, one, shape)) == "faster" for other in whole)
            for one in whole
        }
        entry: dict[str, Any] = {"ns": {}, "ratios": {}, "pairs": {}}
        for index, subject in enumerate(here):
            cells.append(_cell(label, workload, subject, ns[:, index], void=void[index], shape=shape, draw=draw))
            value, low, high, alone_low, alone_high = _bounds(logs, here, subject, reference, shape)
            if void[index]:
                continue
            pair = _verdict(value, low, high, alone_low, alone_high) if verdicts else "none"
            is_reference = subject == reference
            cells[-1] |= {"ratio": _short(value), "verdict": "reference" if is_reference and verdicts else pair}
            cells[-1] |= {"rank": rank.get(subject) if verdicts else None}
            if not is_reference:
                cells[-1] |= {"ratio_low": low, "ratio_high": high, "alone_low": alone_low, "alone_high": alone_high}
                differs = low is not None and high is not None and not low <= 1 <= high
                cells[-1] |= {"adjusted_p": 0.002 if differs else 0.6} if low is not None else {}
                cells[-1] |= {"stars": "**" if differs else ""}
            entry["ns"][subject] = [_short(it) for it in ns[:, index].tolist()]
            entry["ratios"][subject] = [_short(it) for it in np.exp(logs[:, index]).tolist()]
            for other in () if is_reference else (reference, *(whole[1:] if subject in whole else ())):
                if other != subject and f"{other}/{subject}" not in entry["pairs"]:
                    found = _bounds(logs, here, subject, other, shape)
                    judged = _verdict(*found) if verdicts else "none"
                    entry["pairs"][f"{subject}/{other}"] = [*found, shape.processes, judged]
        observed[workload] = entry
    return cells, observed


def _bounds(
    logs: np.ndarray[Any, np.dtype[np.float64]], here: list[str], one: str, two: str, shape: Shape
) -> tuple[float, float | None, float | None, float | None, float | None]:
    """Ratio of two subjects' times, its adjusted interval where there are processes enough, and its own."""
    difference = logs[:, here.index(one)] - logs[:, here.index(two)]
    mean, error = float(difference.mean()), float(difference.std(ddof=1)) / math.sqrt(len(difference))
    own = (_short(math.exp(mean - 2.3 * error)), _short(math.exp(mean + 2.3 * error)))
    if shape.processes < 6:
        return _short(math.exp(mean)), None, None, *own
    return _short(math.exp(mean)), _short(math.exp(mean - 5 * error)), _short(math.exp(mean + 5 * error)), *own


def _verdict(_value: float, low: float | None, high: float | None, *_alone: float | None) -> str:
    if low is None or high is None:
        return "none"
    if high < 0.97:
        return "faster"
    if low > 1.03:
        return "slower"
    return "equivalent" if low >= 0.97 and high <= 1.03 else "inconclusive"


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def _cell(
    label: str,
    workload: str,
    subject: str,
    ns: np.ndarray[Any, np.dtype[np.float64]],
    *,
    void: bool,
    shape: Shape,
    draw: np.random.Generator,
) -> dict[str, Any]:
    """One cell, without what follows from its ratio."""
    binding, _, variant = subject.partition(".")
    middle = float(np.median(ns))
    tails = {name: _short(middle * factor + 30) for name, factor in (("p50", 1.0), ("p90", 1.1), ("p99", 1.3))}
    p999 = _short(middle * (1.5 + draw.random()) + 30) if middle < 1e6 else None
    inside = (
        workload.startswith("pkcs11") and not subject.startswith(("PyKCS11", "stdlib")) and "inside" in shape.sections
    )
    return {
        "interpreter": label,
        "binding": binding,
        "variant": variant,
        "workload": workload,
        "ns_raw": None if void else _short(middle + 0.6),
        "ns_net": None if void else _short(middle),
        "inside": _short(float(draw.uniform(0.2, 0.9))) if inside and not void else None,
        "ratio": None,
        "ratio_low": None,
        "ratio_high": None,
        "alone_low": None,
        "alone_high": None,
        "adjusted_p": None,
        "stars": "",
        "rank": None,
        "latency": {**tails, "p999": p999, "timer": 40.0, "calls": 10000}
        if "latency" in shape.sections and not void
        else None,
        "processes": 0 if void else shape.processes,
        "gil": "none" if subject.startswith("floor") else "held",
        "verdict": "none",
        "void": f"the process ended: {MARKUP}" if void else None,
    }
