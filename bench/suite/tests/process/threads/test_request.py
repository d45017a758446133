# SPDX-License-Identifier: Apache-2.0
"""What a process that measures threads is asked to do."""

from pathlib import Path

import pytest
from cside_suite.process.threads.request import LONGEST_NS, SHORTEST_NS, Request, Shape, counts, divide


def test_the_budget_decides_how_long_cells_last() -> None:
    """Cells are as long as the budget allows, within bounds; rounds go before the shortest cells do."""
    shapes = [Shape(threads, "released", native=False) for threads in (1, 2, 4, 8)]
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=1e6), 0.005) == (3, LONGEST_NS)
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=12 * 50), 0.005) == (3, 50_000_000)
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=8 * SHORTEST_NS / 1e6), 0.005) == (2, SHORTEST_NS)
    assert divide(shapes, Request("x", "", rounds=3, budget_ms=1), 0.005) == (1, SHORTEST_NS)


def test_a_machine_has_no_more_than_two_threads_for_a_cpu() -> None:
    """Speed-ups need two threads even where there is one CPU."""
    assert counts(1) == [1, 2]
    assert counts(2) == [1, 2, 4]
    assert counts(6) == counts(64) == [1, 2, 4, 8]


def test_threads_that_take_turns_get_several() -> None:
    """Where the GIL is held, each of many threads has time for three turns; elsewhere a cell is not stretched."""
    assert Shape(8, "held", native=False).lasting(40_000_000, 0.005) == 120_000_000
    assert Shape(8, "released", native=False).lasting(40_000_000, 0.005) == 40_000_000
    assert Shape(1, "held", native=False).lasting(40_000_000, 0.005) == 40_000_000


def test_a_request_without_one_thread_is_refused(tmp_path: Path) -> None:
    """Speed-ups have to refer to something; a misspelt key is an error, too."""
    path = tmp_path / "request.json"
    Request("x", "", threads=[2, 4]).save(path)
    with pytest.raises(ValueError, match="one thread"):
        Request.load(path)
    path.write_text('{"interpreter": "x", "out": "", "round": 1}', encoding="utf-8")
    with pytest.raises(TypeError):
        Request.load(path)
