"""The fixture in front of the workloads: which binding, variant or reference a test runs on."""

from collections.abc import Iterator
from typing import Any

import pytest

from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pytest_options import selected
from cside_suite.workloads import corpus
from cside_suite.workloads.hook import COLLECTOR
from cside_suite.workloads.names import base_name, identify
from cside_suite.workloads.participation import Subject, refuses
from cside_suite.workloads.references import REFERENCES, Reference


def pytest_configure(config: pytest.Config) -> None:
    """Markers of the suite."""
    config.addinivalue_line("markers", "needs(feature): skipped for a binding that lacks it")
    config.addinivalue_line(
        "markers", "calls(function): the contract's function whose GIL policy holds, if not the test's own"
    )
    config.addinivalue_line("markers", "varies: results differ from call to call, so that they are not compared")


def _subjects(config: pytest.Config) -> dict[str, Subject]:
    collector = config.stash.get(COLLECTOR, None)
    if collector is not None:
        return collector.subjects
    subjects: dict[str, Subject] = {it.name: it for it in selected(config) if it.unavailable is None}
    return subjects | {it.name: it for it in REFERENCES}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on each subject that offers it; parameters are plain strings, so that reports can be written."""
    if "subject" not in metafunc.fixturenames:
        return
    base = base_name(metafunc.module.__name__, metafunc.definition.name)
    subjects = _subjects(metafunc.config)
    names = [name for name, it in subjects.items() if not isinstance(it, Reference) or base in it.offers]
    metafunc.parametrize("subject", names, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a partial variant has no function for."""
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
    """Its ``idioms`` module."""
    return subject.idioms


@pytest.fixture
def codec(subject: Subject) -> Any:
    """Its ``codec`` module."""
    return subject.codec


@pytest.fixture
def any_load(request: pytest.FixtureRequest) -> Any:
    """How a PKCS #11 module is opened to be made ready for all: by the first of the bindings."""
    bindings = [it for it in _subjects(request.config).values() if isinstance(it, Implementation) and not it.partial]
    if not bindings:
        pytest.skip("no binding is there to make the module ready")
    return bindings[0].pkcs11.load


@pytest.fixture
def benchmark(benchmark: Any, request: pytest.FixtureRequest, subject: Subject) -> Iterator[Any]:
    """pytest-benchmark's own fixture; under the driver, what takes the callable instead of timing it at once."""
    workload, name = identify(request.node)
    collector = request.config.stash.get(COLLECTOR, None)
    if collector is None:
        benchmark.group = workload
        yield benchmark
        return
    calls = next((mark.args[0] for mark in request.node.iter_markers("calls")), workload.partition("[")[0])
    varies = request.node.get_closest_marker("varies") is not None
    yield collector.taker(workload, name, calls, varies=varies)


@pytest.fixture(scope="session")
def corpora() -> dict[str, bytes]:
    """Real input by name: ``text``, ``machine``, ``random`` and, where named, ``user``."""
    return corpus.load()
