# SPDX-License-Identifier: Apache-2.0
"""The whole check of a project: trials, cases, and a report for each interpreter that has packages."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cside_wrap.check.cases import cases
from cside_wrap.check.compare import Report, check
from cside_wrap.check.counter import Counter, available
from cside_wrap.errors import WrapError
from cside_wrap.packages.describe import describe
from cside_wrap.packages.make import built
from cside_wrap.project.reading import Project
from cside_wrap.trial.run import Outcome, run

__all__ = ["Whole", "whole"]

GOOD = (Outcome.RAN, Outcome.KEEPS, Outcome.FAILED)


@dataclass
class Whole:
    """What a check found."""

    functions: int
    """How many functions were compared."""
    bound: int
    """How many the packages have, of those that were asked for."""
    not_called: dict[str, str]
    """Why a function was not called."""
    reports: list[Report]


def whole(
    project: Project,
    asked: Callable[[str], bool] = lambda _: True,
    pythons: Collection[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Whole:
    """Check the functions that are `asked` for, with the packages of these interpreters (labels), or of all.

    This process must have no threads: trials fork. Raises `WrapError` where nothing is built.
    """
    packages = [one for one in built(project.folder) if not one.failed and (not pythons or one.python in pythons)]
    if not packages:
        raise WrapError("no package is built for that interpreter", f"Build first: cside build {project.folder}")
    binding, _ = describe(project)
    form = project.form()
    bound = {one.symbol for one in binding.calls if asked(one.symbol)}
    recipes = project.overrides.recipes
    tell("trials")
    trials = list(run(form, project.libraries, recipes, bound.__contains__))
    sizes = {
        one.function: [size for size, what in one.sizes.items() if what in ("ran", "failed")]
        for one in trials
        if one.outcome in GOOD
    }
    listed, without = cases(form, binding, recipes, sizes)
    without |= {one.function: f"{one.outcome} in a trial: {one.said}" for one in trials if one.outcome not in GOOD}
    closing = {one.close for one in binding.handles if one.close}
    reports = []
    with tempfile.TemporaryDirectory(prefix="cside-count-") as place:
        functions = [one.symbol for one in (*binding.calls, *binding.raw)]
        counter: Counter | None = None
        note = "calls of the library are not counted on this system"
        if available():
            made = Counter(Path(place), functions, project.libraries)
            failed = made.failed.partition("\n")[0]
            counter, note = (None, f"calls of the library are not counted: {failed}") if failed else (made, "")
        for _, ones in groupby(sorted(packages, key=lambda one: one.python), key=lambda one: one.python):
            reports.append(check(project.folder, listed, list(ones), counter, closing, tell))
            reports[-1].notes += [note] if note else []
    return Whole(len({str(case["function"]) for case in listed}), len(bound), without, reports)
