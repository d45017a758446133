# SPDX-License-Identifier: Apache-2.0
"""What a function cost in the run that ships with cside, by workload and interpreter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cside_suite.subjects.names import natural

from cside_bench.report import amounts
from cside_bench.results.evidence import Run
from cside_bench.source import code
from cside_bench.source.places import SUITE

MOST: Final = 6
"""Largest number of workloads of a function that a page shows; of more, it shows those that are farthest apart."""

OF_A_WIDTH: Final = re.compile(r"[iuf]\d+_\w+")
"""Names of functions of which there is one for each width of a scalar: ``i8_add``."""


@dataclass(frozen=True, slots=True)
class Table:
    """The times of a function: a row for each workload and interpreter."""

    head: list[str]
    rows: list[list[str]]


def table(root: Path, run: Run, name: str, noun: str, tests: list[str]) -> Table:
    """Return the times of the workloads of a function, which ``tests`` name, or else the workloads' code tells.

    A row has the time of the reference and the ratios to it of the other bindings and whole variants, with the marks
    of their verdicts. There are no rows if nothing measures the function.
    """
    found = [each for each in _measured(run) if _base(each) in {f"{noun}.{test}" for test in tests}]
    others = [name for name in run.bindings if name != run.reference]
    rows = [row for each in _apart(found or _mentioned(root, run, name, noun)) for row in _rows(run, each, others)]
    return Table(["workload", "interpreter", run.reference, *others], rows)


def _measured(run: Run) -> list[str]:
    return sorted({each for label in run.labels for each in run.workloads(label)}, key=natural)


def _base(workload: str) -> str:
    return workload.partition("[")[0]


def _mentioned(root: Path, run: Run, name: str, noun: str) -> list[str]:
    """Return the workloads whose test uses the function; of a test of several functions, those that name it.

    A function of one width has none where the run did not measure that width, and not those of the others.
    """
    path = root / SUITE / "workloads" / f"test_{noun}.py"
    tests = {_test(it) for it in code.mentioning(path, name, "test_")} if path.exists() else set()
    found = [
        each for each in _measured(run) if each.partition(".")[0] == noun and _base(each).partition(".")[2] in tests
    ]
    own = [each for each in found if _of_parameter(each) == name]
    return own if own or OF_A_WIDTH.fullmatch(name) else found


def _test(found: code.Code) -> str:
    return (re.search(r"def test_(\w+)", found.text()) or [""])[1]


def _of_parameter(workload: str) -> str:
    """Return the function that a parameter names: ``i8_add`` for ``add[i8]``, ``f64_add`` for ``add_real[f64]``."""
    parameter = workload.partition("[")[2].rstrip("]").partition("-")[0]
    return f"{parameter}_{_base(workload).partition('.')[2].removesuffix('_real')}"


def _apart(found: list[str]) -> list[str]:
    if len(found) <= MOST:
        return found
    return [found[round(place * (len(found) - 1) / (MOST - 1))] for place in range(MOST)]


def _rows(run: Run, workload: str, others: list[str]) -> Iterator[list[str]]:
    for label in run.labels:
        cells = [run.cell(label, workload, name) for name in (run.reference, *others)]
        if any(cells):
            ratios = [amounts.ratio(cell, interval=False) if cell else "—" for cell in cells[1:]]
            yield [f"`{workload}`", label, amounts.time(cells[0]), *ratios]
