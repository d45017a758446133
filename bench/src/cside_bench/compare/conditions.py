# SPDX-License-Identifier: Apache-2.0
"""Under which conditions two runs were made: what may be compared, and what differs.

Times may be compared only where both runs were made on the same machine by the same build of an interpreter. No run
records a machine's identity; two machines count as the same where every fact of :data:`MACHINE` is equal. Two
instances of one cloud offering pass that test, which is why the output names the facts.
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
"""Facts of ``environment.json`` by which a machine is told, and how they are called."""
BUILD: Final = ("version", "compiler", "cflags", "config_args", "pgo", "lto", "shared", "free_threaded", "debug")
"""Facts by which a build of an interpreter is told."""
NATIVE: Final = {
    "version": "libcside",
    "build_type": "build type of libcside",
    "compiler": "compiler of libcside",
    "flags": "flags of libcside",
    "engine": "engine",
    "engine_origin": "origin of the engine",
    "engine_version": "version of the engine",
}
PACKAGES_LEFT_OUT: Final = frozenset({"cside-native"})
"""Distributions told by their SHA-256 elsewhere."""
LONGEST: Final = 120
"""Characters of a value shown; flags of a compiler are longer."""


def facts_of(environment: dict[str, Any], label: str) -> dict[str, Any]:
    """What ``environment.json`` holds about one interpreter; empty where it holds nothing."""
    return next((dict(it) for it in environment.get("interpreters", []) if it.get("label") == label), {})


def same_machine(base: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two ``environment.json`` are of the same machine, as far as they tell; not where one tells nothing."""
    mine, its = base.get("machine", {}), other.get("machine", {})
    if mine.get("id") and its.get("id") and mine["id"] != its["id"]:
        return False
    return bool(mine) and bool(its) and all(mine.get(name) == its.get(name) for name in MACHINE)


def same_build(base: dict[str, Any], other: dict[str, Any], label: str) -> bool:
    """Whether both runs used the same build of an interpreter: equal version, compiler, flags and options."""
    mine, its = facts_of(base, label), facts_of(other, label)
    return bool(mine) and bool(its) and all(mine.get(name) == its.get(name) for name in BUILD)


def shown(value: Any) -> str:
    """A value as the table of differences has it."""
    text = "not recorded" if value is None else str(value).replace("\n", " ")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def difference(what: str, base: Any, other: Any) -> dict[str, str] | None:
    """One row of the table; ``None`` where nothing differs.

    Of two long values the part that both begin with is left out, so that what differs is seen.
    """
    if base == other:
        return None
    mine, its = str(base), str(other)
    if base is not None and other is not None and max(len(mine), len(its)) > LONGEST:
        same = next((at for at, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), min(len(mine), len(its)))
        start = max(0, mine.rfind(" ", 0, same))
        if start:
            base, other = f"…{mine[start:]}", f"…{its[start:]}"
    return {"what": what, "base": shown(base), "other": shown(other)}


Pair = tuple[dict[str, Any], dict[str, Any]]
"""A document of BASE, and of OTHER."""


def differences(plans: Pair, environments: Pair, summaries: Pair, labels: list[str]) -> list[dict[str, str]]:
    """Every condition in which two runs differ: ``what``, ``base``, ``other``.

    From ``run.json``, ``environment.json`` and ``summary.json``, on the interpreters that both have.
    """
    found: list[dict[str, str] | None] = []
    for name, called in (
        ("tier", "tier"),
        ("seed", "seed"),
        ("reference", "reference binding"),
        ("library_sha256", "SHA-256 of libcside"),
        ("bindings", "bindings asked for"),
        ("only", "workloads asked for"),
        ("rounds", "rounds of a process"),
        ("isolated", "a process for each binding"),
        ("handicaps", "slowed down on purpose"),
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
        mine, its = (facts_of(it, label) for it in environments)
        found += [difference(f"{label}: {name}", mine.get(name), its.get(name)) for name in BUILD]
        found += [
            difference(f"{label}: {called}", mine.get("native", {}).get(name), its.get("native", {}).get(name))
            for name, called in NATIVE.items()
        ]
        found += packages(label, mine, its)
    return [row for row in found if row is not None]


def packages(label: str, base: dict[str, Any], other: dict[str, Any]) -> list[dict[str, str] | None]:
    """Distributions of other versions, or of equal version and other content."""
    mine, its = base.get("packages", {}), other.get("packages", {})
    names = sorted((set(mine) | set(its)) - PACKAGES_LEFT_OUT)
    found = [difference(f"{label}: {name}", mine.get(name), its.get(name)) for name in names]
    builds = [facts.get("provisioned", {}).get("builds", {}) for facts in (base, other)]
    for name in sorted(set(builds[0]) & set(builds[1])):
        digests = [build[name].get("source_digest") for build in builds]
        if digests[0] != digests[1]:
            found.append(difference(f"{label}: sources of {name}", *(str(it)[:12] for it in digests)))
    return found
