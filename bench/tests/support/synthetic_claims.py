# SPDX-License-Identifier: Apache-2.0
"""Runs and claims whose truth is known: files of a run, as far as claims look at them, and entries as TOML."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cside_bench.claims.catalogue import Catalogue
from cside_bench.claims.judging import judge
from cside_bench.results.evidence import Run

ONE, TWO, PARTIAL = "slow", "fast", "slow.knob"
CPYTHON, PYPY = "cpython-3.13", "pypy-3.11"
WORKLOADS = tuple(f"idioms.w{number}" for number in range(8))
PROCESSES = 8
BOUNDED = tuple[float, float, float]
"""A ratio and its adjusted interval."""


def cell(
    label: str, workload: str, subject: str, void: str | None = None, unsteady: str | None = None
) -> dict[str, Any]:
    """A cell of a summary, as far as claims look at it."""
    binding, _, variant = subject.partition(".")
    names = {"interpreter": label, "binding": binding, "variant": variant, "workload": workload}
    return names | {"void": void, "unsteady": unsteady}


def a_run(
    folder: Path,
    ratios: Mapping[str, Mapping[str, BOUNDED]] | None = None,
    *,
    trustworthy: bool | None = True,
    tier: str = "default",
    isolated: bool = False,
    parity: tuple[tuple[str, str, str], ...] = (),
    lacks: tuple[tuple[str, str], ...] = (),
    void: tuple[tuple[str, str], ...] = (),
    unsteady: tuple[tuple[str, str], ...] = (),
    ns: Mapping[str, Mapping[str, list[float]]] | None = None,
    **sections: Any,
) -> Run:
    """A run written to files and loaded again. ``ratios`` are those of :data:`ONE` to :data:`TWO`, by interpreter and
    workload; ``lacks``, ``void`` and ``unsteady`` name cells of :data:`ONE` by interpreter and workload; ``ns`` are
    times of each process by workload and subject.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = ratios or {CPYTHON: dict.fromkeys(WORKLOADS, (2.0, 1.9, 2.1))}
    cells, interpreters = [], {}
    for label, by_workload in known.items():
        workloads: dict[str, Any] = {}
        for workload, bounded in by_workload.items():
            cells.append(cell(label, workload, TWO))
            if (label, workload) not in lacks:
                wrong = "unequal work" if (label, workload) in void else None
                moved = "its time rose" if (label, workload) in unsteady else None
                cells.append(cell(label, workload, ONE, wrong, moved))
            pair = [*bounded, *bounded[1:], PROCESSES, "none"]
            compared = {} if (label, workload) in (*void, *unsteady) else {f"{ONE}/{TWO}": pair}
            workloads[workload] = {"ratios": {}, "ns": {}, "pairs": compared}
        for workload, by_subject in (ns or {}).items():
            entry = workloads.setdefault(workload, {"ratios": {}, "ns": {}, "pairs": {}})
            entry["ns"] = by_subject
            base = by_subject.get(TWO)
            if base is not None:
                entry["ratios"] = {
                    name: [mine / other for mine, other in zip(own, base, strict=True)]
                    for name, own in by_subject.items()
                }
            cells += [cell(label, workload, name) for name in by_subject if workload not in by_workload]
        interpreters[label] = {"processes": PROCESSES, "workloads": workloads}
    summary = {
        "format": 2,
        "run": folder.name,
        "tier": tier,
        "verdicts": tier != "quick",
        "isolated": isolated,
        "reference": TWO,
        "interpreters": [
            {
                "label": label,
                "processes": PROCESSES,
                "margin": 0.03,
                "comparisons": 500,
                "whole": [ONE, TWO],
                "trustworthy": trustworthy,
                "checks": [{"name": "twin", "passed": True}, {"name": "drift", "passed": trustworthy}],
            }
            for label in known
        ],
        "cells": cells,
        "parity": [{"interpreter": it[0], "workload": it[1], "subject": it[2], "reason": "cannot"} for it in parity],
        "models": [],
        "steady": [],
        "threads": None,
        "costs": None,
        **sections,
    }
    evidence = {"format": 1, "reference": TWO, "interpreters": interpreters}
    environment = {"machine": {"cpu": "a CPU", "cpus": 2, "system": "Linux"}, "interpreters": []}
    for name, document in (("summary", summary), ("evidence", evidence), ("environment", environment)):
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "run.json").write_text("{}", encoding="utf-8")
    return Run.load(folder)


def entry(kind: str = "ratio", **fields: Any) -> str:
    """One claim as TOML; a ratio hypothesis about all workloads, where nothing else is said.

    ``name`` is its ID, ``without`` names fields to leave out; the rest are fields of its hypothesis.
    """
    name, without = fields.pop("name", "a-claim"), fields.pop("without", ())
    basic: dict[str, Any] = {"kind": kind, "share": "most"}
    if kind == "ratio":
        basic |= {"workloads": ["*"], "subject": ONE, "against": TWO, "direction": "slower"}
    rule = {key: value for key, value in (basic | fields).items() if key not in without}
    lines = "\n".join(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in rule.items())
    about = 'title = "A claim"\ntext = "It is so."\nsource = { title = "somebody", where = "https://example.org" }'
    return f'[[claim]]\nid = "{name}"\n{about}\n[claim.hypothesis]\n{lines}\n'


def judged(run: Run, content: str) -> dict[str, Any]:
    """What a run says to the only claim of a catalogue."""
    (claim,) = judge(run, Catalogue.parse(content, "mine.toml"))["claims"]
    found: dict[str, Any] = claim
    return found


def mixed(against: int, unclear: int, label: str = CPYTHON) -> dict[str, dict[str, BOUNDED]]:
    """Eight workloads on which :data:`ONE` is slower, but for so many."""
    kinds = [(1.0, 0.99, 1.01)] * against + [(1.1, 0.9, 1.3)] * unclear
    kinds += [(2.0, 1.9, 2.1)] * (len(WORKLOADS) - len(kinds))
    return {label: dict(zip(WORKLOADS, kinds, strict=True))}


def near(nbytes: float | None, low: float | None, high: float | None, *, extrapolated: bool = False) -> dict[str, Any]:
    """A section ``models`` with one sweep."""
    all_near = {"subject": "all", "against": "fastest", "nbytes": nbytes, "low": low, "high": high}
    family = {"family": "codec.crc32", "sizes": [0, 1048576], "all_near": all_near | {"extrapolated": extrapolated}}
    return {"label": CPYTHON, "families": [family]}
