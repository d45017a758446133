# SPDX-License-Identifier: Apache-2.0
"""The fixtures of the conformance suite, which run each test on every implementation."""

import os
from collections.abc import Iterator

import hypothesis
import pytest

from cside_suite.conformance import isolation, partial
from cside_suite.conformance.native import Native
from cside_suite.contract import FEATURES
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms
from cside_suite.subjects import pytest_options
from cside_suite.subjects.bindings import Implementation

hypothesis.settings.register_profile(
    "cside",
    max_examples=int(os.environ.get("CSIDE_EXAMPLES", "20")),
    deadline=None,
    database=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("cside")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options of the suite if its plugin is not installed and this file is read in time."""
    if not pluginmanager.hasplugin(pytest_options.__name__):
        pytest_options.pytest_addoption(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers of the suite."""
    config.addinivalue_line(
        "markers",
        "needs(feature): skip the test for a binding that lacks the feature, with the reason that it declares",
    )
    config.addinivalue_line("markers", "crash_prone: run the test in a forked child")
    config.addinivalue_line("markers", "alone: run the test with no other beside it: it looks at a clock or a CPU")
    config.addinivalue_line(
        "markers", "thread_unsafe(reason): for pytest-run-parallel, run the test in one thread only"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests that read the library's counters, which are those of all threads of the process."""
    if isinstance(item, pytest.Function) and "native" in item._fixtureinfo.argnames:
        item.add_marker(pytest.mark.thread_unsafe(reason="it reads counters of the whole process"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that uses an implementation once for each of them."""
    if "implementation" in metafunc.fixturenames:
        whole = not partial.concerns(metafunc)
        names = [one.name for one in pytest_options.selected(metafunc.config) if not (whole and one.partial)]
        metafunc.parametrize("implementation", names, indirect=True, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run the body of a test marked ``crash_prone`` in a forked child; its fixtures run in this process."""
    if pyfuncitem.get_closest_marker("crash_prone") is None or not isolation.CAN_FORK:
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    isolation.run_forked(lambda: pyfuncitem.obj(**arguments), pyfuncitem.nodeid)
    return True


@pytest.fixture(scope="session")
def implementation(request: pytest.FixtureRequest) -> Implementation:
    """One of the selected implementations; the test's id contains its name."""
    (chosen,) = (one for one in pytest_options.selected(request.config) if one.name == request.param)
    return chosen


@pytest.fixture(scope="session")
def idioms(implementation: Implementation) -> Idioms:
    """The implementation's module ``idioms``."""
    module: Idioms = partial.noun(implementation, "idioms")
    return module


@pytest.fixture(scope="session")
def codec(implementation: Implementation) -> Codec:
    """The implementation's module ``codec``."""
    module: Codec = partial.noun(implementation, "codec")
    return module


@pytest.fixture(scope="session")
def native() -> Native:
    """The library itself, without a binding."""
    return Native()


@pytest.fixture(autouse=True)
def _skip_on_gaps(request: pytest.FixtureRequest) -> None:
    """Skip a test marked ``needs(feature)`` with the reason that the binding declares."""
    for marker in request.node.iter_markers("needs"):
        (feature,) = marker.args
        assert feature in FEATURES, f"{feature!r} is not a feature of the contract"
        chosen: Implementation = request.getfixturevalue("implementation")
        if feature not in chosen.features:
            pytest.skip(f"{chosen.name} lacks {feature}: {chosen.gaps.get(feature, 'NO REASON DECLARED')}")


@pytest.fixture(autouse=True)
def _clean_library(native: Native) -> Iterator[None]:
    """Reset the state that the library keeps for the process after each test."""
    yield
    native.restore()
