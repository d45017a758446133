# SPDX-License-Identifier: Apache-2.0
"""The bindings and workloads of a measured environment, printed as JSON for the driver.

The driver's own environment has no bindings. Therefore it runs this module in an environment that has them, isolated
(``python -I -m cside_suite.process.inventory bindings``); the last line of the output is one JSON document.
"""

import contextlib
import io
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cside_suite.subjects.library import LibrarySet
    from cside_suite.workloads.hook import Taker


def first_words(documentation: str | None) -> str:
    """Return the first paragraph of a docstring as plain text."""
    text = " ".join((documentation or "").strip().partition("\n\n")[0].split())
    return text.replace(":mod:", "").replace("``", "").replace("`", "")


def bindings() -> list[dict[str, Any]]:
    """Return each binding and variant with its features and gaps, or the reason why it cannot be used here."""
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
    """A pytest plugin that records each workload that pytest collects.

    It is the collector of the workloads' fixtures as well, with one subject that stands for all, so that no binding has
    to be installed.
    """

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self.subjects: dict[str, Any] = {"any": None}
        self.seed = 0
        self.library: LibrarySet | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Make this object available to the workloads' fixtures."""
        from cside_suite.workloads.hook import COLLECTOR

        config.stash[COLLECTOR] = self

    def taker(self, workload: str, subject: str, calls: str, *, varies: bool) -> "Taker":
        """Tests are collected here and not run, so that nothing asks for this."""
        raise AssertionError(f"{workload} was run, although workloads are only collected")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Record one entry for each workload."""
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
    """Return each workload of every tier: its noun, what it does, its GIL policy, and the features that it needs."""
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
