# SPDX-License-Identifier: Apache-2.0
"""Whether two runs say the same: the verdict of each cell in one against its verdict in the other."""

from typing import Any, Final

from cside_suite.subjects.names import subject_of

from cside_bench.results.selection import Selection, is_binding

VERDICTS: Final = ("faster", "equivalent", "inconclusive", "slower")
DIRECTED: Final = frozenset({"faster", "slower"})
LARGEST: Final = 0.05
"""Share of directed verdicts that may turn round between two default runs of one machine."""


def agreement(base: dict[str, Any], other: dict[str, Any], selection: Selection) -> dict[str, Any]:
    """Compare the verdicts of two ``summary.json``.

    ``bindings`` counts cells of bindings and their variants, ``all`` the references and controls as well, most of
    which differ so much from a binding that they always agree: the first is the one to judge by.
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
    """The cells of a summary that have one of the four verdicts."""
    return {
        (cell["interpreter"], cell["workload"], subject): (cell["verdict"], cell["ratio"])
        for cell in summary.get("cells", [])
        if cell["verdict"] in VERDICTS
        and selection.interpreter(cell["interpreter"])
        and selection.cell(cell["workload"], subject := subject_of(cell))
    }


def table(first: Verdicts, second: Verdicts, keys: list[tuple[str, str, str]]) -> dict[str, Any]:
    """Counts of ``first``'s verdict x ``second``'s, and what became of the cells with a direction in either.

    *Turned*: faster in one run and slower in the other, or with a ratio on the other side of 1. *Retracted*: faster
    or slower in one, equivalent in the other. *Undecided*: inconclusive in the other. Each cell counts once, as the
    worst that fits.
    """
    counts = {mine: dict.fromkeys(VERDICTS, 0) for mine in VERDICTS}
    fates: dict[str, list[dict[str, Any]]] = {"kept": [], "turned": [], "retracted": [], "undecided": []}
    for key in keys:
        (mine, ratio), (its, other_ratio) = first[key], second[key]
        counts[mine][its] += 1
        if DIRECTED.isdisjoint((mine, its)):
            continue
        entry: dict[str, Any] = {"interpreter": key[0], "workload": key[1], "subject": key[2]}
        entry |= {"base": mine, "base_ratio": ratio, "other": its, "other_ratio": other_ratio}
        fates[fate(mine, its, ratio, other_ratio)].append(entry)
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


def fate(mine: str, its: str, ratio: float | None, other_ratio: float | None) -> str:
    """What became of a faster or slower cell from one run to the other."""
    if mine == its:
        return "kept"
    opposite = ratio is not None and other_ratio is not None and (ratio > 1) != (other_ratio > 1)
    if opposite or {mine, its} == DIRECTED:
        return "turned"
    return "retracted" if "equivalent" in (mine, its) else "undecided"
