# SPDX-License-Identifier: Apache-2.0
"""The workloads of a user's library, each a call that the file of its set writes down.

No name here begins with ``test_``, so that pytest collects this file only where it is named: for a run on such a set.
"""

from typing import Any

import pytest

from cside_suite.workloads.hook import COLLECTOR


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each workload of the set."""
    library = metafunc.config.stash[COLLECTOR].library
    assert library is not None
    metafunc.parametrize("workload", list(library.workloads))


def test_call(benchmark: Any, subject: Any, workload: str, request: pytest.FixtureRequest) -> None:
    """A call of one function, with values that were made before."""
    library = request.config.stash[COLLECTOR].library
    assert library is not None
    own = library.workloads[workload]
    if not hasattr(subject.noun(""), own.function):
        pytest.skip(f"this technique does not bind {own.function}")
    function, arguments = own.prepared(subject.noun(""))
    benchmark(function, *arguments)
