# SPDX-License-Identifier: Apache-2.0
"""A summarised run whose truth is known, for recommendations: what a call takes with each approach, and the costs."""

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from cside_bench.results.evidence import Run

LABEL: Final = "cpython-3.14"
PYPY: Final = "pypy-3.11"
KNOWN: Final = {"cext": 10.0, "cython": 11.0, "swig": 25.0, "cffi": 80.0, "cffi.abi": 150.0, "ctypes": 200.0}
"""Overhead of a call, ns."""
ON_PYPY: Final = {"cext": 400.0, "cython": 420.0, "swig": 500.0, "cffi": 10.0, "cffi.abi": 11.0, "ctypes": 3000.0}
LINES: Final = {"cext": 24.0, "cython": 14.0, "swig": 15.0, "cffi": 13.0, "ctypes": 13.5}
"""Per function."""
KINDS: Final = {"cext": "per version", "cython": "per version", "swig": "per version", "cffi": "abi3", "ctypes": "pure"}
FUNCTIONS: Final = {"idioms": 61, "codec": 20, "pkcs11": 104}
C_NS: Final = 2.0
BYTE_NS: Final = 0.2
"""What a byte takes, with any approach and in C."""
SIZES: Final = (0, 64, 4096, 65536, 1048576)
PLAIN: Final = (
    "idioms.noop",
    "idioms.add[i32-small]",
    "idioms.add[i32-large]",
    "idioms.mixed_sum",
    "idioms.string_length[ascii]",
    "idioms.string_repeat",
    "idioms.point_add",
    "idioms.box_fill",
    "idioms.box_unpack",
    "idioms.attrs_digest[12]",
    "idioms.attrs_get[12]",
    "idioms.status_raise[-102]",
    "idioms.ops_add",
    "idioms.counter_add",
    "idioms.bytes_sum[bytes]",
    "idioms.macro_clamp",
    "idioms.inline_rotl",
    "idioms.spin_released[100000]",
    "pkcs11.get_info[token]",
    "pkcs11.ecdsa_sign[token]",
    "pkcs11.attributes[12-known-token]",
    "pkcs11.find[10-token]",
)
SIZED: Final = (
    "codec.crc32[{}]",
    "codec.compress[{}-6]",
    "codec.decompress[{}-6]",
    "idioms.blob_get[{}]",
    "pkcs11.digest[{}-token]",
    "pkcs11.aes_gcm[{}-token]",
)
MATRIX: Final = ("cpython-3.11", "cpython-3.12", "cpython-3.13", LABEL, "cpython-3.13t", "cpython-3.14t", PYPY)
MACROS: Final = ("idioms.macro_clamp", "idioms.inline_rotl")


def work(overhead: float) -> dict[str, float]:
    """ns of every workload, of an approach with that overhead."""
    found = dict.fromkeys(PLAIN, C_NS + overhead)
    found |= {pattern.format(size): C_NS + overhead + BYTE_NS * size for pattern in SIZED for size in SIZES}
    found["idioms.each_call[100]"] = 100 * (C_NS + overhead)
    return found


def split(subject: str) -> tuple[str, str]:
    """Binding and variant."""
    binding, _, variant = subject.partition(".")
    return binding, variant


def wheel(kind: str, label: str) -> str:
    """A tag like those of built wheels."""
    if kind == "pure":
        return "py3-none-any"
    if kind == "abi3" and label.startswith("cpython-") and not label.endswith("t"):
        return "cp311-abi3-linux_x86_64"
    return f"one of its own ({label})"


def costs(lines: Mapping[str, float], kinds: Mapping[str, str]) -> dict[str, Any]:
    """The section of the summary, as far as recommendations read it."""
    bindings = []
    for n, (name, each) in enumerate(lines.items()):
        kind = kinds[name]
        # How approaches compare varies a little from noun to noun, as it does in truth.
        written = {
            noun: each * (1 + 0.03 * ((n + k) % 3 - 1)) * number for k, (noun, number) in enumerate(FUNCTIONS.items())
        }
        rows = [
            {
                "interpreter": label,
                "wheel": None if name == "swig" and label.endswith("t") else wheel(kind, label),
                "evidence": "does not declare free-threading" if name == "swig" and label.endswith("t") else "built",
            }
            for label in MATRIX
        ]
        bindings.append(
            {
                "binding": name,
                "lines": [
                    {"noun": noun, "origin": "written", "code_lines": round(number), "language": "C"}
                    for noun, number in written.items()
                ],
                "written_by_tools": [],
                "rebuild_s": {"median": 0.1 if kind == "pure" else 8.0, "low": 0.1, "high": 8.0, "builds": 3},
                "coverage": {"rows": rows},
                "requirements": {"run": ["cside-native"]},
            }
        )
    return {"static_reason": None, "bindings": bindings}


def write(
    folder: Path,
    overheads: Mapping[str, Mapping[str, float]] | None = None,
    *,
    processes: int = 10,
    tier: str = "default",
    trusted: Mapping[str, bool] | None = None,
    noise: float = 0.005,
    lines: Mapping[str, float] | None = None,
    kinds: Mapping[str, str] | None = None,
    void: Mapping[tuple[str, str], str] | None = None,
    unsteady: Mapping[tuple[str, str], str] | None = None,
    without: Sequence[str] = (),
    with_costs: bool = True,
    imports: Mapping[str, float] | None = None,
    gil: Mapping[str, str] | None = None,
    partial: Mapping[str, float] | None = None,
    bias: float = -0.05,
    without_pkcs11: Mapping[str, str] | None = None,
) -> Run:
    """Write the folder of a run and load it. ``overheads``: interpreter -> approach -> ns; ``without``: workloads.

    ``bias``: what the check that fails on an interpreter without trust has found. ``partial``: variant that has a part
    of the contract -> ns, on CPython. ``without_pkcs11``: binding that leaves out this noun -> the reason that it
    declares.
    """
    chosen = overheads if overheads is not None else {LABEL: KNOWN}
    judged = tier != "quick"
    generator = np.random.default_rng(7)
    cells, interpreters, evidence, parity = [], [], {}, []
    for label, by_subject in chosen.items():
        trust = (trusted or {}).get(label, True) if judged else None
        failed = {"name": "position", "passed": False, "estimate": bias, "says": "Timed last takes less, a bias."}
        interpreters.append(
            {
                "label": label,
                "processes": processes,
                "margin": 0.03,
                "comparisons": 1,
                "whole": sorted(by_subject),
                "trustworthy": trust,
                "checks": [failed] if trust is False else [],
            }
        )
        truth = {subject: work(overhead) for subject, overhead in by_subject.items()} | {"floor.direct": work(0.0)}
        for subject in by_subject:
            truth[subject]["import"] = (imports or {}).get(subject, 1e6)
        if label.startswith("cpython"):
            truth |= {name: work(overhead) for name, overhead in (partial or {}).items()}
        workloads: dict[str, Any] = {}
        common = np.exp(generator.normal(0, 0.05, processes))
        for subject, times in truth.items():
            for workload, ns in times.items():
                if workload in without:
                    continue
                missing = "lacks macros: none." if workload in MACROS and subject in ("ctypes", "cffi.abi") else None
                if workload.startswith("pkcs11."):
                    missing = (without_pkcs11 or {}).get(subject)
                if missing is not None:
                    parity.append({"interpreter": label, "subject": subject, "workload": workload, "reason": missing})
                    continue
                reason = (void or {}).get((workload, subject))
                entry = workloads.setdefault(workload, {"ratios": {}, "ns": {}, "pairs": {}})
                moved = (unsteady or {}).get((workload, subject))
                if reason is None and moved is None:
                    entry["ns"][subject] = list(ns * common * np.exp(generator.normal(0, noise, processes)))
                binding, variant = split(subject)
                cells.append(
                    {
                        "interpreter": label,
                        "binding": binding,
                        "variant": variant,
                        "workload": workload,
                        "ns_net": ns,
                        "gil": (gil or {}).get(subject, "released"),
                        "void": reason,
                        "unsteady": moved,
                        "verdict": "none",
                    }
                )
        reference = next(iter(by_subject))
        for entry in workloads.values():
            base = entry["ns"].get(reference)
            for subject, ns in entry["ns"].items():
                if base is not None:
                    entry["ratios"][subject] = [a / b for a, b in zip(ns, base, strict=True)]
            for one, two in combinations(entry["ns"], 2):
                value = float(np.exp(np.mean(np.log(entry["ns"][one]) - np.log(entry["ns"][two]))))
                bounds = [value * 0.98, value * 1.02] if judged else [None, None]
                entry["pairs"][f"{one}/{two}"] = [value, *bounds, value * 0.99, value * 1.01, processes, "none"]
        evidence[label] = {"processes": processes, "workloads": workloads}
    summary = {
        "format": 2,
        "run": folder.name,
        "tier": tier,
        "verdicts": judged,
        "isolated": False,
        "reference": next(iter(next(iter(chosen.values())))),
        "interpreters": interpreters,
        "cells": cells,
        "parity": parity,
        "costs": costs(lines or LINES, kinds or KINDS)
        if with_costs
        else {"static_reason": "not measured in this tier", "bindings": []},
    }
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "summary.json": summary,
        "environment.json": {"machine": {}},
        "evidence.json": {"format": 1, "reference": summary["reference"], "interpreters": evidence},
        "run.json": {},
    }
    for name, document in files.items():
        (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return Run.load(folder)


def drill(folder: Path, wrong: Mapping[str, int], changes: int = 8) -> None:
    """Write a drill beside the run: of so many changes, how many end silently wrong with each binding."""
    names = [f"change-{n}" for n in range(changes)]
    outcomes = [
        {
            "pass": way,
            "interpreter": LABEL,
            "binding": binding,
            "change": name,
            "outcome": "silent" if n < number or way == "library" else "build",
        }
        for way in ("library", "rebuilt")
        for binding, number in wrong.items()
        for n, name in enumerate(names)
    ]
    document = {"format": 1, "changes": [{"id": name} for name in names], "outcomes": outcomes}
    (folder / "drill.json").write_text(json.dumps(document), encoding="utf-8")


def undrilled(folder: Path) -> None:
    """Write a drill of none of the approaches beside the run, so that neither it nor the one that ships counts."""
    drill(folder, {"novel": 0})
