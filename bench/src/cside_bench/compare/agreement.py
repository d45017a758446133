# SPDX-License-Identifier: Apache-2.0
"""Compares the verdicts of two runs: the verdict of each cell in one run with its verdict in the other."""

from typing import Any, Final

from cside_suite.subjects.names import subject_of

from cside_bench.results.selection import Selection, is_binding

VERDICTS: Final = ("faster", "equivalent", "inconclusive", "slower")
"""Verdicts that are compared."""
DIRECTED: Final = frozenset({"faster", "slower"})
"""Verdicts that name a direction."""
LARGEST: Final = 0.05
"""Largest share of directed verdicts that may reverse between two default runs of one machine."""


def agreement(base: dict[str, Any], other: dict[str, Any], selection: Selection) -> dict[str, Any]:
    """Compare the verdicts of two ``summary.json``.

    ``bindings`` counts the cells of bindings and their variants. ``all`` includes the references and controls; most of
    these differ so much from a binding that they always agree, so ``bindings`` is the one to judge by.
    """
    first, second = verdicts(base, selection), verdicts(other, selection)
    common = sorted(set(first) & set(second))
    return {
        "bindings": table(first, second, [key for key in common if is_binding(key[2])]),
        "all": table(first, second, common),
        "largest_share": LARGEST,
    }


Verdicts = dict[tuple[str, str, str], tuple[str, float | None]]
"""Verdict and ratio by interpreter, workload and subject."""


def verdicts(summary: dict[str, Any], selection: Selection) -> Verdicts:
    """Return the cells of a summary that have one of the four verdicts."""
    return {
        (cell["interpreter"], cell["workload"], subject): (cell["verdict"], cell["ratio"])
        for cell in summary.get("cells", [])
        if cell["verdict"] in VERDICTS
        and selection.interpreter(cell["interpreter"])
        and selection.cell(cell["workload"], subject := subject_of(cell))
    }


def table(first: Verdicts, second: Verdicts, keys: list[tuple[str, str, str]]) -> dict[str, Any]:
    """Count the verdicts of ``first`` x those of ``second``, and what became of the cells with a direction in either
    run.

    *Turned* means faster in one run and slower in the other, or a ratio on the other side of 1. *Retracted* means
    faster or slower in one run and equivalent in the other. *Undecided* means inconclusive in the other run. Each cell
    counts once, under the first of these that applies.
    """
    counts = {verdict: dict.fromkeys(VERDICTS, 0) for verdict in VERDICTS}
    fates: dict[str, list[dict[str, Any]]] = {"kept": [], "turned": [], "retracted": [], "undecided": []}
    for key in keys:
        (one, ratio), (two, other_ratio) = first[key], second[key]
        counts[one][two] += 1
        if DIRECTED.isdisjoint((one, two)):
            continue
        entry: dict[str, Any] = {"interpreter": key[0], "workload": key[1], "subject": key[2]}
        entry |= {"base": one, "base_ratio": ratio, "other": two, "other_ratio": other_ratio}
        fates[fate(one, two, ratio, other_ratio)].append(entry)
    directed = sum(map(len, fates.values()))
    return {
        "cells": len(keys),
        "counts": counts,
        "same": sum(counts[verdict][verdict] for verdict in VERDICTS),
        "directed": directed,
        **{name: len(entries) for name, entries in fates.items()},
        "share_turned": len(fates["turned"]) / directed if directed else None,
        "agrees": len(fates["turned"]) <= LARGEST * directed if directed else None,
        "turned_cells": fates["turned"],
        "retracted_cells": fates["retracted"],
    }


def fate(one: str, two: str, ratio: float | None, other_ratio: float | None) -> str:
    """Return what became of a cell that is faster or slower in one of two runs: ``kept``, ``turned`` and so on."""
    if one == two:
        return "kept"
    opposite = ratio is not None and other_ratio is not None and (ratio > 1) != (other_ratio > 1)
    if opposite or {one, two} == DIRECTED:
        return "turned"
    return "retracted" if "equivalent" in (one, two) else "undecided"
