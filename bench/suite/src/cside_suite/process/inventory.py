# SPDX-License-Identifier: Apache-2.0
"""What a measured environment holds: its bindings and the workloads.

The driver's environment has no binding in it, and is to import none. So an environment that has them runs this module,
isolated (``python -I -m cside_suite.process.inventory bindings``), and prints one JSON document as its last line.
"""

import contextlib
import io
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest


def first_words(documentation: str | None) -> str:
    """The first paragraph of a docstring, as plain text."""
    text = " ".join((documentation or "").strip().partition("\n\n")[0].split())
    return text.replace(":mod:", "").replace("``", "").replace("`", "")


def bindings() -> list[dict[str, Any]]:
    """Each binding and variant: what it is, what it offers, what it lacks and why, or why it cannot be used here."""
    from cside_suite.subjects.bindings import BindingError, discover

    found = []
    for one in discover(partial=True):
        entry: dict[str, Any] = {
            "name": one.name,
            "distribution": one.distribution,
            "version": "",
            "partial": one.partial,
            "technique": "",
            "features": [],
            "gaps": {},
            "unavailable": None,
        }
        with contextlib.suppress(PackageNotFoundError):
            entry["version"] = version(one.distribution)
        try:
            entry["technique"] = first_words(one.package.__doc__)
            entry["unavailable"] = one.unavailable
            if not one.partial:
                entry["features"] = sorted(one.features)
                entry["gaps"] = dict(sorted(one.gaps.items()))
        except BindingError as error:
            entry["unavailable"] = str(error)
        found.append(entry)
    return found


class Lister:
    """A pytest plugin that keeps each workload it sees collected."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """One entry for each workload, whichever subjects it is for."""
        from cside_suite.subjects.gil import gil_policy
        from cside_suite.workloads.names import identify

        for item in items:
            if not isinstance(item, pytest.Function):
                continue
            name, _ = identify(item)
            if name in self.found:
                continue
            calls = next((mark.args[0] for mark in item.iter_markers("calls")), name.partition("[")[0])
            self.found[name] = {
                "name": name,
                "noun": name.partition(".")[0],
                "idiom": first_words(item.function.__doc__).removesuffix("."),
                "calls": calls,
                "gil": gil_policy(calls, name, frozenset()),
                "needs": sorted(mark.args[0] for mark in item.iter_markers("needs")),
            }


def workloads() -> list[dict[str, Any]]:
    """Each workload of every tier: its noun, what it does, whose GIL policy holds, the features it needs."""
    lister = Lister()
    arguments = ["--pyargs", "cside_suite.workloads", "--collect-only", "-q", "-p", "no:cacheprovider"]
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = pytest.main(arguments, plugins=[lister])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the workloads cannot be collected:\n{told.getvalue()}")
    return list(lister.found.values())


if __name__ == "__main__":
    print(json.dumps({"bindings": bindings, "workloads": workloads}[sys.argv[1]]()))
