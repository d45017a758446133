# SPDX-License-Identifier: Apache-2.0
"""Makes the plan of a run from the options and the manifest, and checks whether an earlier plan is still valid."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cside_bench.machine import interpreter_facts
from cside_bench.machine.interpreters import label_from
from cside_bench.results.plan import Interpreter, Plan, PlanError, Tier, draw_blocks
from cside_bench.results.selection import matches


def load_manifest(path: Path | None) -> dict[str, Any]:
    """Read the manifest of what nox provisioned and built; without one, describe this interpreter and its packages."""
    if path is not None:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    import cside_native

    return {
        "interpreters": [{"label": label_from(interpreter_facts.facts()), "python": sys.executable}],
        "missing": [],
        "native": {"sha256": cside_native.build_info()["sha256"]},
    }


def make_plan(
    manifest: dict[str, Any],
    tier: Tier,
    seed: int,
    python: tuple[str, ...],
    binding: tuple[str, ...],
    only: tuple[str, ...],
    *,
    budget_minutes: float | None = None,
    isolated: bool = False,
    counted: bool = False,
    handicaps: Sequence[tuple[str, str, float]] = (),
    library: str = "",
    reference: str = "",
) -> Plan:
    """Make a plan, without corpora yet. Raises :class:`PlanError` for an interpreter that does not exist.

    A plan that depends on a pilot has no blocks yet. ``library`` is the name of the run's file with the subjects of a
    user's library, ``reference`` the subject that replaces the tier's.
    """
    interpreters = []
    for entry in manifest["interpreters"]:
        if not python or any(matches(entry["label"], wanted) for wanted in python):
            facts = {name: value for name, value in entry.items() if name not in {"label", "python"}}
            interpreters.append(Interpreter(entry["label"], entry["python"], facts))
    labels = [interpreter.label for interpreter in interpreters]
    for wanted in python:
        if not any(matches(label, wanted) for label in labels):
            known = ", ".join(entry["label"] for entry in manifest["interpreters"]) or "none"
            raise PlanError(f"--python {wanted}: there is no such interpreter here (found: {known})")
    if not interpreters:
        raise PlanError("there is no interpreter to measure")
    bindings = list(binding)
    reference = reference or tier.reference
    if bindings and reference not in bindings:
        bindings.insert(0, reference)  # every ratio refers to it
    later = budget_minutes is not None or counted
    return Plan(
        tier=tier.name,
        seed=seed,
        reference=reference,
        library_sha256=manifest["native"]["sha256"],
        interpreters=interpreters,
        blocks=[] if later else draw_blocks({label: tier.of(label).blocks for label in labels}, seed),
        bindings=bindings,
        only=list(only),
        corpora={},
        budget_minutes=budget_minutes,
        isolated=isolated,
        counted=counted,
        handicaps=list(handicaps),
        library=library,
        missing=[
            entry
            for entry in manifest.get("missing", [])
            if not python or any(matches(entry["label"], p) for p in python)
        ],
    )


def check_unchanged(plan: Plan, manifest: dict[str, Any]) -> None:
    """Raise :class:`PlanError` if the library, an interpreter or a binding has changed since the run began."""
    if manifest["native"]["sha256"] != plan.library_sha256:
        raise PlanError("libcside has been rebuilt since this run began: start a new run")
    current = {entry["label"]: entry for entry in manifest["interpreters"]}
    for interpreter in plan.interpreters:
        entry = current.get(interpreter.label)
        if entry is None:
            raise PlanError(f"{interpreter.label} is no longer installed: install it again, or start a new run")
        now, then = digests(entry.get("builds", {})), digests(interpreter.facts.get("builds", {}))
        if rebuilt := sorted(name for name in now.keys() | then.keys() if now.get(name) != then.get(name)):
            raise PlanError(f"{interpreter.label}: {', '.join(rebuilt)} rebuilt since this run began: start a new run")


def digests(builds: dict[str, Any]) -> dict[str, str]:
    """Return the SHA-256 of each wheel by its distribution."""
    return {name: build["sha256"] for name, build in builds.items()}
