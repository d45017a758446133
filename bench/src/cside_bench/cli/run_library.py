# SPDX-License-Identifier: Apache-2.0
"""What ``cside run`` does before it measures the packages of a project."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from cside_suite.files import write_json
from cside_wrap.errors import WrapError
from cside_wrap.project import settings
from rich.console import Console

from cside_bench.library import native, staging
from cside_bench.results.files import LIBRARY_FILE
from cside_bench.results.plan import Plan, PlanError, Tier
from cside_bench.results.selection import matches

SHOWN: Final = 3
"""Functions that are named with the reason for which they are not measured."""


def check(project: Path, only: tuple[str, ...], *, isolated: bool, counted: bool, corpus: Path | None) -> None:
    """Raise `click.UsageError` for a folder that is no project, and for options that a project has not."""
    try:
        settings.read(project)
    except WrapError as error:
        raise click.UsageError(str(error)) from error
    for given, name in ((isolated, "--isolated"), (counted, "--count"), (corpus is not None, "--corpus")):
        if given:
            raise click.UsageError(f"{name} measures the bindings of cside, and not those of a project")


def staged(
    project: Path,
    manifest: dict[str, Any],
    python: tuple[str, ...],
    binding: tuple[str, ...],
    only: tuple[str, ...],
    console: Console,
) -> dict[str, Any]:
    """Build the packages of a project and draft its workloads. Raises :class:`PlanError`."""
    chosen = [
        (entry["label"], entry["python"])
        for entry in manifest["interpreters"]
        if not python or any(matches(entry["label"], wanted) for wanted in python)
    ]
    if not chosen:
        raise PlanError(f"--python {', '.join(python)}: there is no such interpreter here")
    try:
        with console.status("building") as status:
            library, notes = staging.stage(project, chosen, binding, only, status.update)
    except WrapError as error:
        raise PlanError(str(error)) from error
    for note in notes:
        console.print(f"note: {note}", highlight=False, markup=False)
    names = {it["function"] for it in library["workloads"]}
    console.print(
        f"{library['name']}: {len(library['workloads'])} workloads of {len(names)} functions; "
        f"{library['bound']} are bound",
        highlight=False,
    )
    for line in left_out(library["left_out"]):
        console.print(line, highlight=False, markup=False)
    return library


def left_out(reasons: Mapping[str, str]) -> list[str]:
    """Return a line for each reason for which functions are not measured, the most frequent first."""
    of_reason: dict[str, list[str]] = {}
    for function, reason in reasons.items():
        of_reason.setdefault(reason, []).append(function)
    return [
        f"not measured, {len(names)}: {reason} ({', '.join(names[:SHOWN])}{', …' if len(names) > SHOWN else ''})"
        for reason, names in sorted(of_reason.items(), key=lambda it: -len(it[1]))
    ]


def prepare(project: Path, folder: Path, plan: Plan, library: dict[str, Any], console: Console) -> None:
    """Write the files of a run that its processes read, and note the cells whose native work is not the reference's."""
    staging.write(folder, library)
    with console.status("counting native calls"):
        programs = {it.label: it.python for it in plan.interpreters}
        unequal = native.take(project, folder, programs, plan.reference)
    if unequal:
        write_json(folder / "crashes.json", unequal, indent=1)
        console.print(f"{len(unequal)} cells do other native work than {plan.reference}, and are void", highlight=False)


def results(project: Path) -> Path:
    """Return the folder of a project's runs, which are none of cside's own."""
    return project / "build" / "results"


def measured(manifest: dict[str, Any], library: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest with the user's library in place of libcside, and without copies in other layouts."""
    interpreters = [{name: it[name] for name in it if name != "layouts"} for it in manifest["interpreters"]]
    return {**manifest, "interpreters": interpreters, "native": {"sha256": library["sha256"]}}


def planned(library: dict[str, Any]) -> dict[str, str]:
    """Return what a plan says of a library: the file, and the technique that ratios refer to.

    That is the one of cside's own runs, or else the first that all interpreters have.
    """
    common = set.intersection(*(set(its) for its in library["packages"].values()))
    if not common:
        raise PlanError("no technique has a package for all of these interpreters; name fewer by --python")
    usual = Tier.named("quick").reference
    return {"library": LIBRARY_FILE, "reference": usual if usual in common else sorted(common)[0]}
