"""A pytest plugin that collects the callables of the tests in :mod:`cside_suite.workloads` instead of timing them.

:mod:`cside_suite.process.block` registers it with ``pytest.main(plugins=[Collector(...)])``. Each test runs once, for
its assertions. The callable that a test passes to ``benchmark`` is called once, with the library's trace on, and kept.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import pytest

from cside_suite.process.chunks import Arguments
from cside_suite.process.native_trace import Counts, Trace
from cside_suite.subjects.library import LibrarySet
from cside_suite.workloads.hook import COLLECTOR
from cside_suite.workloads.names import identify


@dataclass(slots=True)
class Target:
    """A callable to time: one workload of one subject."""

    workload: str
    subject: str
    calls: str
    """The function of the contract whose GIL policy applies."""
    function: Callable[..., Any]
    draws: tuple[Arguments, ...]
    """The arguments that its calls take by turns: one set of them or more."""
    counts: Counts
    """The native calls and bytes of one call for each draw."""
    digest: str | None
    """The SHA-256 of the results of all draws, if they are plain data."""
    first_ns: int = 0
    """The duration of the first call in the process, with the library's trace on."""
    void: str | None = None
    """Why the target does not count; None if it does."""

    @property
    def arguments(self) -> Arguments:
        """The first draw of the arguments."""
        return self.draws[0]


@dataclass(slots=True)
class Skip:
    """A workload that a subject cannot run, since it lacks a feature."""

    workload: str
    subject: str
    reason: str


def digest(result: object) -> str | None:
    """Return the SHA-256 of plain data; None for other objects, which only the test's own assertions check.

    A named tuple is treated as a tuple, since bindings may name its type differently.
    """
    plain = _plain(result)
    return None if plain is NotImplemented else hashlib.sha256(repr(plain).encode()).hexdigest()


def run_tests(items: Sequence[pytest.Item]) -> None:
    """Run tests as pytest does, and take all down that they set up."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _plain(value: object) -> Any:
    if isinstance(value, list | tuple):
        items = [_plain(item) for item in value]
        return NotImplemented if NotImplemented in items else (type(value) is list, items)
    return value if value is None or isinstance(value, int | float | str | bytes) else NotImplemented


@dataclass
class Collector:
    """The plugin: it is given the subjects, and fills the lists of targets, skips and failures."""

    subjects: dict[str, Any]
    trace: Trace
    announce: Callable[[str, str], None]
    """Called with the workload and subject before each first run, so that a crash can be attributed."""
    exclude: frozenset[tuple[str, str]] = frozenset()
    """(workload, subject) pairs that crashed an earlier process, or that a look at the run has decided."""
    only: tuple[str, ...] = ()
    """Parts of the names of the workloads to run; empty for all."""
    skip: tuple[str, ...] = ()
    """Patterns of workloads that the tier leaves out."""
    keep: tuple[str, ...] = ()
    """Patterns of the only workloads that the tier measures; empty for all."""
    without: tuple[str, ...] = ()
    """Patterns of bindings and variants that the tier leaves out."""
    workloads: frozenset[str] = frozenset()
    """The names of the workloads of this process, if a block is divided into several; empty for all."""
    library: LibrarySet | None = None
    """The set of a user's library, whose workloads are run in place of those of cside."""
    seed: int = 0
    """The seed from which values are drawn (:mod:`cside_suite.workloads.values`)."""
    refuses: Callable[[str, str], bool] = lambda workload, subject: False
    """Called with a workload and a subject; returns whether the subject takes no part in it."""
    targets: list[Target] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    failures: dict[tuple[str, str], str] = field(default_factory=dict)
    instead: Callable[[dict[str, list[pytest.Item]]], None] | None = None
    """Called with the tests of each workload in place of running them; an exception of it is the ``problem``."""
    problem: Exception | None = None
    _current: tuple[str, str] = ("", "")

    @pytest.fixture
    def benchmark(self) -> None:
        """Replace pytest-benchmark's fixture, which is switched off; the workloads' fixture overrides this one."""

    def pytest_configure(self, config: pytest.Config) -> None:
        """Make this object available to the workloads' fixtures."""
        config.stash[COLLECTOR] = self

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect workloads that were not asked for, and the pairs that are excluded."""
        kept = [item for item in items if self._wanted(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept

    def _wanted(self, item: pytest.Item) -> bool:
        workload, subject = identify(item)
        if (workload, subject) in self.exclude or self.refuses(workload, subject):
            return False
        if any(fnmatchcase(subject, pattern) for pattern in self.without):
            return False
        if not self.wants(workload) or any(fnmatchcase(workload, pattern) for pattern in self.skip):
            return False
        if self.keep and not any(fnmatchcase(workload, pattern) for pattern in self.keep):
            return False
        return not self.only or any(word in workload for word in self.only)

    def taker(self, workload: str, subject: str, calls: str, *, varies: bool) -> "Taker":
        """Return what replaces pytest-benchmark's ``benchmark`` in one test.

        With ``varies``, results differ from call to call and are not compared between subjects.
        """
        return Taker(self, workload, subject, calls, varies=varies)

    def wants(self, workload: str) -> bool:
        """Whether this process measures a workload, if it is divided between processes."""
        return not self.workloads or workload in self.workloads

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Hand the tests over, if something else is done instead of running them."""
        if self.instead is None or session.testsfailed:  # a file could not be imported, which pytest tells
            return None
        tests: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            tests.setdefault(identify(item)[0], []).append(item)
        try:
            self.instead(tests)
        except Exception as problem:
            self.problem = problem
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Remember the workload and subject of the test that runs next."""
        self._current = identify(item)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a skipped test with its reason, and a failed one as a failure, which voids the cell."""
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


@dataclass(frozen=True, slots=True)
class Taker:
    """Takes the place of pytest-benchmark's ``benchmark`` in one test, and collects what it is given."""

    collector: Collector
    workload: str
    subject: str
    calls: str
    varies: bool

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Collect a function that is always called with the same arguments; return its result."""
        return self.each(function, [arguments])[0]

    def each(self, function: Callable[..., Any], draws: Sequence[Arguments]) -> list[Any]:
        """Collect a function whose calls take the draws by turns; return its result for each of them."""
        collector = self.collector
        collector.announce(self.workload, self.subject)
        results = []
        with collector.trace.counting() as counts:
            start = time.perf_counter_ns()
            results.append(function(*draws[0]))
            first_ns = time.perf_counter_ns() - start
            results += [function(*arguments) for arguments in draws[1:]]
        told = None if self.varies else digest(results)
        target = Target(self.workload, self.subject, self.calls, function, tuple(draws), counts, told, first_ns)
        collector.targets.append(target)
        return results
