"""How the tests of :mod:`cside_suite.workloads` hand their callables to the driver's process instead of timing them.

A pytest plugin, registered by :mod:`cside_suite.process.block` with ``pytest.main(plugins=[Collector(...)])``. Each test
runs once, for its assertions; the callable that it gives to ``benchmark`` is run once, with the library's trace on,
and kept.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import pytest

from cside_suite.process.native_trace import Counts, NativeTrace
from cside_suite.workloads.hook import COLLECTOR
from cside_suite.workloads.names import identify


@dataclass(slots=True)
class Target:
    """One callable to time: a workload on a subject."""

    workload: str
    subject: str
    calls: str
    """The function of the contract whose GIL policy holds."""
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    counts: Counts
    """Native calls and bytes of one run."""
    digest: str | None
    """SHA-256 of the result, where it is plain data."""
    first_ns: int = 0
    """The first call in the process, with the library's trace on."""
    void: str | None = None


@dataclass(slots=True)
class Skip:
    """A workload that a subject cannot run, for want of a declared feature."""

    workload: str
    subject: str
    reason: str


def digest(result: object) -> str | None:
    """SHA-256 of plain data; ``None`` for objects, about which the test's own assertions must do.

    A named tuple counts as the tuple that it is: what a binding calls its type is its own affair.
    """
    plain = _plain(result)
    return None if plain is NotImplemented else hashlib.sha256(repr(plain).encode()).hexdigest()


def _plain(value: object) -> Any:
    if isinstance(value, list | tuple):
        items = [_plain(item) for item in value]
        return NotImplemented if NotImplemented in items else (type(value) is list, items)
    return value if value is None or isinstance(value, int | float | str | bytes) else NotImplemented


@dataclass
class Collector:
    """The plugin: subjects in, targets and skips out."""

    subjects: dict[str, Any]
    trace: NativeTrace
    announce: Callable[[str, str], None]
    """Told the workload and subject before each first run, so that a crash can be blamed."""
    exclude: frozenset[tuple[str, str]] = frozenset()
    """(workload, subject) pairs that took an earlier process down."""
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    """Patterns of workloads to leave out, as the tier has them."""
    refuses: Callable[[str, str], bool] = lambda workload, subject: False
    """Told a workload and a subject: whether that subject, being a partial one, has nothing for it."""
    targets: list[Target] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    failures: dict[tuple[str, str], str] = field(default_factory=dict)
    _current: tuple[str, str] = ("", "")

    @pytest.fixture
    def benchmark(self) -> None:
        """In the place of pytest-benchmark's fixture, which is switched off; the workloads' own takes over
        from here.
        """

    def pytest_configure(self, config: pytest.Config) -> None:
        """Let the workloads' fixtures find this object."""
        config.stash[COLLECTOR] = self

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what was not asked for, and what killed an earlier process."""
        kept = [item for item in items if self._wanted(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept

    def _wanted(self, item: pytest.Item) -> bool:
        workload, subject = identify(item)
        if (workload, subject) in self.exclude or self.refuses(workload, subject):
            return False
        if any(fnmatchcase(workload, pattern) for pattern in self.skip):
            return False
        return not self.only or any(word in workload for word in self.only)

    def taker(self, workload: str, subject: str, calls: str, *, varies: bool) -> Callable[..., Any]:
        """What stands in for pytest-benchmark's ``benchmark`` in one test.

        Where results vary from call to call, only the test's own assertions judge them.
        """

        def take(function: Callable[..., Any], *arguments: Any) -> Any:
            self.announce(workload, subject)
            with self.trace.counting() as counts:
                start = time.perf_counter_ns()
                result = function(*arguments)
                first_ns = time.perf_counter_ns() - start
            told = None if varies else digest(result)
            self.targets.append(Target(workload, subject, calls, function, arguments, counts, told, first_ns))
            return result

        return take

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Remember whose test runs."""
        self._current = identify(item)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A skip is a gap for the ledger; a failure voids the cell."""
        workload, subject = self._current
        if report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            self.skips.append(Skip(workload, subject, reason.removeprefix("Skipped: ")))
        elif report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message if crash is not None else str(report.longrepr)
            lines = text.strip().splitlines()
            self.failures[(workload, subject)] = (
                f"wrong result or error: {lines[0] if crash is not None else lines[-1]}"
            )
