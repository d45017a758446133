# SPDX-License-Identifier: Apache-2.0
"""Which interpreters this machine has: those for which nox has built the bindings, and all others that are found.

Building environments and downloading what is missing is left to nox.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from cside_bench.machine import checkout, interpreter_search


@dataclass(frozen=True, slots=True)
class Found:
    """One interpreter."""

    label: str
    """Its name in results, as ``cpython-3.13``."""
    release: str
    """As ``3.13.0``; for PyPy with the version of PyPy."""
    executable: str
    """The interpreter's own program, not that of an environment."""
    headers: bool
    """Whether its C headers are there, so that extensions can be built for it."""
    environment: str | None
    """The interpreter of the environment in which nox has installed the bindings; None where there is none."""
    source: str
    """How it was found: ``environment``, ``system``, ``pyenv`` or ``uv``."""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def label_of(name: str) -> str:
    """The label in results for a name of nox: ``pypy3.11`` to ``pypy-3.11``, ``3.13`` to ``cpython-3.13``."""
    return name.replace("pypy", "pypy-") if name.startswith("pypy") else f"cpython-{name}"


def label_from(facts: Mapping[str, Any]) -> str:
    """Return the label of an interpreter, as ``cpython-3.14t``, from its own :mod:`facts <interpreter_facts>`."""
    version = ".".join(map(str, facts["version"][:2])) + ("t" if facts["free_threaded"] else "")
    return f"{facts['implementation']}-{version}"


def search() -> list[Found]:
    """Find every interpreter and sort them by label; of one label, those with an environment come first, then those
    with headers.
    """
    environments = checkout.environments()
    with ThreadPoolExecutor(interpreter_search.AT_ONCE) as pool:
        described = pool.map(interpreter_search.describe, environments.values())
        found = [
            _found(facts, label, str(python), "environment")
            for (label, python), facts in zip(environments.items(), described, strict=True)
            if facts is not None
        ]
    known = {one.executable for one in found}
    for facts in interpreter_search.find():
        if facts["base_executable"] not in known:
            found.append(_found(facts, label_from(facts), None, facts["source"]))
    return sorted(found, key=lambda one: (_order(one.label), one.environment is None, not one.headers))


def _found(facts: dict[str, Any], label: str, environment: str | None, source: str) -> Found:
    release = facts["release"] + (f" (PyPy {facts['pypy']})" if facts["pypy"] else "")
    headers = bool(facts["headers"] or environment)
    return Found(label, release, facts["base_executable"], headers, environment, source)


def _order(label: str) -> tuple[str, int, int, str]:
    """Sort key: CPython before PyPy, versions by their numbers."""
    implementation, _, version = label.partition("-")
    major, _, minor = version.rstrip("t").partition(".")
    return implementation, int(major or 0), int(minor or 0), version
