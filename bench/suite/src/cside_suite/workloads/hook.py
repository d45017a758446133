# SPDX-License-Identifier: Apache-2.0
"""The place where a measuring process leaves its collector for the fixtures of the workloads.

The ``benchmark`` fixture passes the callable of a test to the collector. If pytest runs without a collector,
pytest-benchmark times the call at once.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

import pytest


class Collector(Protocol):
    """What the fixtures need of a collector, such as :class:`cside_suite.process.collector.Collector`."""

    subjects: dict[str, Any]
    """The subjects to measure, by name."""

    def taker(self, workload: str, subject: str, calls: str, *, varies: bool) -> Callable[..., Any]:
        """Return what replaces pytest-benchmark's ``benchmark`` in one test."""


COLLECTOR: Final = pytest.StashKey[Collector]()
"""Key of the collector in the stash of pytest's configuration; there is none if pytest runs by itself."""
