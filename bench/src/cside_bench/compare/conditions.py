# SPDX-License-Identifier: Apache-2.0
"""The conditions of two runs: what may be compared, and what differs.

Times may be compared only if both runs were made on the same machine with the same build of an interpreter. Two
machines count as the same if no recorded identities differ and every fact of :data:`MACHINE` is equal. Two instances of
one cloud offering may pass this test without identities, which is why the output names the facts.
"""

from typing import Any, Final

MACHINE: Final = {
    "cpu": "processor",
    "cpus": "number of CPUs",
    "architecture": "architecture",
    "system": "operating system and kernel",
    "libc": "C library",
    "governor": "frequency governor",
}
"""Facts of ``environment.json`` that identify a machine, and their names in the output."""
BUILD: Final = ("version", "compiler", "cflags", "config_args", "pgo", "lto", "shared", "free_threaded", "debug")
"""Facts that identify a build of an interpreter."""
NATIVE: Final = {
    "version": "libcside",
    "build_type": "build type of libcside",
    "compiler": "compiler of libcside",
    "flags": "flags of libcside",
    "engine": "engine",
    "engine_origin": "origin of the engine",
    "engine_version": "version of the engine",
}
"""Facts that identify a build of libcside, and their names in the output."""
PACKAGES_LEFT_OUT: Final = frozenset({"cside-native"})
"""Distributions that are identified by their SHA-256 elsewhere in the output."""
LONGEST: Final = 120
"""Largest number of characters of a value in the output; a compiler's flags may be longer."""


def facts_of(environment: dict[str, Any], label: str) -> dict[str, Any]:
    """Return what ``environment.json`` records about one interpreter; empty if it records nothing."""
    return next((dict(it) for it in environment.get("interpreters", []) if it.get("label") == label), {})


def same_machine(base: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two ``environment.json`` describe the same machine, as far as both record it."""
    one, two = base.get("machine", {}), other.get("machine", {})
    if one.get("id") and two.get("id") and one["id"] != two["id"]:
        return False
    return bool(one) and bool(two) and all(one.get(name) == two.get(name) for name in MACHINE)


def same_build(base: dict[str, Any], other: dict[str, Any], label: str) -> bool:
    """Whether both runs used the same build of an interpreter: equal version, compiler, flags and options."""
    one, two = facts_of(base, label), facts_of(other, label)
    return bool(one) and bool(two) and all(one.get(name) == two.get(name) for name in BUILD)


def shown(value: Any) -> str:
    """Format a value for the table of differences."""
    text = "not recorded" if value is None else str(value).replace("\n", " ")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def difference(what: str, base: Any, other: Any) -> dict[str, str] | None:
    """Return one row of the table; ``None`` if nothing differs.

    The common beginning of two long values is left out, so that the difference is visible.
    """
    if base == other:
        return None
    one, two = str(base), str(other)
    if base is not None and other is not None and max(len(one), len(two)) > LONGEST:
        same = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
        start = max(0, one.rfind(" ", 0, same))
        if start:
            base, other = f"…{one[start:]}", f"…{two[start:]}"
    return {"what": what, "base": shown(base), "other": shown(other)}


Pair = tuple[dict[str, Any], dict[str, Any]]
"""One document of BASE and the same of OTHER."""


def differences(plans: Pair, environments: Pair, summaries: Pair, labels: list[str]) -> list[dict[str, str]]:
    """Return every condition in which two runs differ: ``what``, ``base``, ``other``.

    Conditions are read from ``run.json``, ``environment.json`` and ``summary.json``, for the interpreters that both
    runs have.
    """
    found: list[dict[str, str] | None] = []
    for name, called in (
        ("tier", "tier"),
        ("seed", "seed"),
        ("reference", "reference binding"),
        ("library_sha256", "SHA-256 of libcside"),
        ("bindings", "selected bindings"),
        ("only", "selected workloads"),
        ("rounds", "rounds per process"),
        ("isolated", "a process for each binding"),
        ("handicaps", "cells slowed down on purpose"),
    ):
        found.append(difference(called, *(plan.get(name) for plan in plans)))
    found.append(difference("method of the summary (its format)", *(it.get("format") for it in summaries)))
    found.append(difference("commit", *(it.get("commit") for it in environments)))
    machines = [it.get("machine", {}) for it in environments]
    for name, called in MACHINE.items():
        found.append(difference(called, *(machine.get(name) for machine in machines)))
    for name, called in {"affinity": "CPUs allowed", "aslr": "address space randomisation"}.items():
        found.append(difference(called, *(machine.get(name) for machine in machines)))
    for name in sorted({name for it in environments for name in it.get("process_environment", {})}):
        found.append(difference(name, *(it.get("process_environment", {}).get(name) for it in environments)))
    for name in sorted({name for it in environments for name in it.get("corpora", {})}):
        found.append(difference(f"corpus {name}", *(it.get("corpora", {}).get(name) for it in environments)))
    for label in labels:
        one, two = (facts_of(it, label) for it in environments)
        found += [difference(f"{label}: {name}", one.get(name), two.get(name)) for name in BUILD]
        found += [
            difference(f"{label}: {called}", one.get("native", {}).get(name), two.get("native", {}).get(name))
            for name, called in NATIVE.items()
        ]
        found += packages(label, one, two)
    return [row for row in found if row is not None]


def packages(label: str, base: dict[str, Any], other: dict[str, Any]) -> list[dict[str, str] | None]:
    """Return the distributions whose version differs, or whose sources differ at equal versions."""
    one, two = base.get("packages", {}), other.get("packages", {})
    names = sorted((set(one) | set(two)) - PACKAGES_LEFT_OUT)
    found = [difference(f"{label}: {name}", one.get(name), two.get(name)) for name in names]
    builds = [facts.get("provisioned", {}).get("builds", {}) for facts in (base, other)]
    for name in sorted(set(builds[0]) & set(builds[1])):
        digests = [build[name].get("source_digest") for build in builds]
        if digests[0] != digests[1]:
            found.append(difference(f"{label}: sources of {name}", *(str(it)[:12] for it in digests)))
    return found
