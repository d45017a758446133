"""The fixtures of the workloads, which choose the binding, variant or reference that a test runs on."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pytest_options import selected
from cside_suite.workloads import corpus
from cside_suite.workloads.hook import COLLECTOR
from cside_suite.workloads.names import base_name, identify
from cside_suite.workloads.participation import Subject, refuses
from cside_suite.workloads.references import REFERENCES, Reference


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers of the workloads."""
    config.addinivalue_line("markers", "needs(feature): skip the test for a binding that lacks the feature")
    config.addinivalue_line(
        "markers",
        "calls(function): the function of the contract that the test times, if it is not that of the test's name",
    )
    config.addinivalue_line("markers", "varies: results differ from call to call and are not compared between bindings")


def _subjects(config: pytest.Config) -> dict[str, Subject]:
    collector = config.stash.get(COLLECTOR, None)
    if collector is not None:
        return collector.subjects
    subjects: dict[str, Subject] = {it.name: it for it in selected(config) if it.unavailable is None}
    return subjects | {it.name: it for it in REFERENCES}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on each subject that takes part in it; parameters are strings, so that reports can be written."""
    if "subject" not in metafunc.fixturenames:
        return
    base = base_name(metafunc.module.__name__, metafunc.definition.name)
    subjects = _subjects(metafunc.config)
    names = [name for name, it in subjects.items() if not isinstance(it, Reference) or base in it.offers]
    metafunc.parametrize("subject", names, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the workloads in which a subject takes no part."""
    if config.stash.get(COLLECTOR, None) is None:
        refuse = refuses(dict(_subjects(config)), few=False)
        items[:] = [
            item for item in items if "subject" not in getattr(item, "fixturenames", ()) or not refuse(*identify(item))
        ]


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Subject:
    """The binding, variant or reference under test."""
    found = _subjects(request.config)[request.param]
    for mark in request.node.iter_markers("needs"):
        if mark.args[0] not in found.features:
            pytest.skip(f"lacks {mark.args[0]}: {getattr(found, 'gaps', {}).get(mark.args[0], 'not offered')}")
    return found


@pytest.fixture
def idioms(subject: Subject) -> Any:
    """The module ``idioms`` of the subject."""
    return subject.idioms


@pytest.fixture
def codec(subject: Subject) -> Any:
    """The module ``codec`` of the subject."""
    return subject.codec


@pytest.fixture
def any_load(request: pytest.FixtureRequest) -> Any:
    """The function ``load`` of the first binding that has one, which prepares a PKCS #11 module for all subjects."""
    whole = [it for it in _subjects(request.config).values() if isinstance(it, Implementation) and not it.partial]
    bindings = [it for it in whole if "pkcs11" in it.nouns]
    if not bindings:
        pytest.skip("no binding with the noun pkcs11 is selected, and one is needed to prepare the PKCS #11 module")
    return bindings[0].pkcs11.load


@pytest.fixture
def benchmark(benchmark: Any, request: pytest.FixtureRequest, subject: Subject) -> Iterator[Any]:
    """pytest-benchmark's fixture; in a measuring process, a function that collects the callable instead."""
    workload, name = identify(request.node)
    collector = request.config.stash.get(COLLECTOR, None)
    if collector is None:
        benchmark.group = workload
        yield benchmark
        return
    calls = next((mark.args[0] for mark in request.node.iter_markers("calls")), workload.partition("[")[0])
    library = collector.library
    varies = request.node.get_closest_marker("varies") is not None
    varies |= library is not None and library.workloads[workload].varies
    yield collector.taker(workload, name, calls, varies=varies)


@pytest.fixture
def each(benchmark: Any) -> Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]:
    """A function like ``benchmark`` for calls that take draws of their arguments by turns, which returns the result of
    each draw.

    If pytest runs by itself, the first draw is what pytest-benchmark times.
    """
    if isinstance(benchmark, BenchmarkFixture):

        def plain(function: Callable[..., Any], draws: Sequence[tuple[Any, ...]]) -> list[Any]:
            results = [function(*arguments) for arguments in draws]
            benchmark(function, *draws[0])
            return results

        return plain
    found: Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]] = benchmark.each
    return found


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> random.Random:
    """The source of a workload's values: the same for all of its subjects, another one in each measuring process."""
    collector = request.config.stash.get(COLLECTOR, None)
    seed = 0 if collector is None else collector.seed
    return random.Random(f"{seed} {identify(request.node)[0]}")


@pytest.fixture(scope="session")
def corpora() -> dict[str, bytes]:
    """The corpora by name: ``text``, ``machine``, ``random`` and, if the user names one, ``user``."""
    return corpus.load()
