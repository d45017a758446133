# SPDX-License-Identifier: Apache-2.0
"""Where the fixtures of the workloads find the object that takes their callables, in a measuring process.

Run plainly by ``pytest``, no such object is there, and pytest-benchmark times the calls at once.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

import pytest


class Collector(Protocol):
    """What the fixtures ask of it; :class:`cside_suite.process.collector.Collector` is one."""

    subjects: dict[str, Any]
    """What to measure, by name."""

    def taker(self, workload: str, subject: str, calls: str, *, varies: bool) -> Callable[..., Any]:
        """What stands in for pytest-benchmark's ``benchmark`` in one test."""


COLLECTOR: Final = pytest.StashKey[Collector]()
