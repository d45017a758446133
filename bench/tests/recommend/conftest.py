# SPDX-License-Identifier: Apache-2.0
"""A run of two interpreters, and the advisor that answers from it."""

import pytest
from cside_bench.recommend.answer import Advisor
from cside_bench.results.evidence import Run
from profiles_of_tests import RULES, SEED
from synthetic_advice import KNOWN, LABEL, ON_PYPY, PYPY, drill, write

BOTH = {LABEL: KNOWN, PYPY: ON_PYPY}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A trustworthy run of two interpreters, with ten processes of each, and a drill in which nothing goes wrong."""
    found = write(tmp_path_factory.mktemp("runs") / "both", BOTH)
    drill(found.folder, dict.fromkeys(KNOWN, 0))
    return found


@pytest.fixture(scope="module")
def advisor(run: Run) -> Advisor:
    """An advisor that answers from the run."""
    return Advisor(run, RULES, SEED)
