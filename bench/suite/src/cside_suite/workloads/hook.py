# SPDX-License-Identifier: Apache-2.0
"""The place where a measuring process leaves its collector for the fixtures of the workloads.

The ``benchmark`` fixture passes the callable of a test to the collector. If pytest runs without a collector,
pytest-benchmark times the call at once.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import pytest

from cside_suite.subjects.library import LibrarySet


class Taker(Protocol):
    """What takes the place of pytest-benchmark's ``benchmark`` in a measuring process."""

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Take a function that is always called with these arguments; return its result."""

    def each(self, function: Callable[..., Any], draws: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Take a function whose calls take the draws by turns; return its result for each of them."""


class Collector(Protocol):
    """What the fixtures need of a collector, such as :class:`cside_suite.process.collector.Collector`."""

    subjects: dict[str, Any]
    """The subjects to measure, by name."""

    seed: int
    """The seed from which values are drawn."""

    library: LibrarySet | None
    """The set of a user's library; None for the workloads of cside."""

    def taker(self, workload: str, subject: str, calls: str, *, varies: bool) -> "Taker":
        """Return what replaces pytest-benchmark's ``benchmark`` in one test."""


COLLECTOR: Final = pytest.StashKey[Collector]()
"""Key of the collector in the stash of pytest's configuration; there is none if pytest runs by itself."""
