# SPDX-License-Identifier: Apache-2.0
"""What a verification prints: counts by binding, cells with both numbers, and what the sample of a run says."""

from io import StringIO
from typing import Any

import pytest
from cside_bench.report.verify import sampled, show
from rich.console import Console

COUNTS = {"tried": 20, "with_interval": 20, "in_interval": 15, "with_prediction": 20, "in_prediction": 18}
BINDING = {**COUNTS, "subject": "cffi", "wrong": 0, "contradicted": 0}
SHIFT = {"shift": 1.08, "shift_low": 1.05, "shift_high": 1.11, "beyond": True}


def cell(number: int, *, wrong: bool = False, times: float = 1.05) -> dict[str, Any]:
    """A cell outside its prediction interval."""
    return {
        "interpreter": "pypy-3.11",
        "workload": f"idioms.w{number:02d}",
        "subject": "cffi",
        "ratio": 2.0,
        "ratio_low": 1.9,
        "ratio_high": 2.1,
        "verdict": "slower",
        "alone": 2.0 * times,
        "predicted_low": 1.95,
        "predicted_high": 2.05,
        "in_prediction": False,
        "wrong": wrong,
        "times": times,
    }


def document(cells: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A verification of one interpreter."""
    entry = {
        "label": "pypy-3.11",
        "margin": 0.03,
        "excess": 0.04,
        "reach": 0.025,
        "reference_time": 1.04,
        **COUNTS,
        "wrong": sum(it["wrong"] for it in cells),
        "failed": [{"workload": "idioms.w99", "subject": "swig", "reason": "crashed"}],
        "bindings": [{**BINDING, **SHIFT}],
    }
    return {"interpreters": [entry], "cells": cells, "passed": False, "without_ratio": 3} | changes


def printed(plain: dict[str, Any]) -> str:
    """What is printed to a file, on one line."""
    console = Console(file=(out := StringIO()), width=100)
    show(plain, console)
    assert max(map(len, out.getvalue().splitlines())) <= 100
    return " ".join(out.getvalue().split())


def test_cells_are_listed_with_both_numbers_and_all_that_are_wrong() -> None:
    """Those that are wrong come first, however many; of the others the worst."""
    cells = [cell(number, times=1.05 + number / 1000) for number in range(20)]
    cells += [cell(number, wrong=True, times=1.5) for number in range(30, 40)]
    text = printed(document(cells))
    assert text.count("WRONG") == 10
    assert "and 20 more outside" in text
    assert "WRONG: cffi at idioms.w30: 2 in the run (1.9 to 2.1; slower), 3 alone (expected 1.95 to 2.05)" in text
    few = printed(document(cells[:10]))
    assert few.count("outside: ") == 8 and "idioms.w09" in few and "idioms.w00" not in few


def test_a_shift_and_what_was_not_tried_are_told() -> None:
    """With the interval, and the width of the prediction intervals."""
    text = printed(document([]))
    assert "15 of 20" in text and "18 of 20" in text
    assert "! cffi: its ratios alone are 1.080 times those of the run" in text
    assert "typically ±2.5%" in text and "scatters by ±4.0% beyond" in text
    assert "not measured: swig at idioms.w99: crashed" in text
    assert "3 selected cells have no ratio" in text
    assert "NOT VERIFIED: 18 of 20" in text


@pytest.mark.parametrize(("time", "another"), [(1.04, False), (0.9, False), (1.29, True), (0.8, True)])
def test_a_machine_in_another_state_is_told(time: float, another: bool) -> None:
    """By the reference's own time, since ratios belong to a state."""
    plain = document([])
    plain["interpreters"][0]["reference_time"] = time
    text = printed(plain)
    assert f"the reference took {time:.2f} times as long as in the run" in text
    assert ("the machine is in another state" in text) == another
    plain["interpreters"][0]["reference_time"] = None
    assert "the reference took" not in printed(plain)


@pytest.mark.parametrize("beyond", [True, False])
def test_the_sample_is_told_in_sentences(beyond: bool) -> None:
    """One for each kind; a shift beyond the margin limits what ratios say."""
    row = {"subject": "ctypes", "shift": 1.028, "shift_low": 1.021, "shift_high": 1.035, "beyond": beyond}
    part = {
        "processes": 2,
        "excess": 0.01,
        "decides": True,
        "workloads": ["a", "b"],
        "cells": 8,
        "outside": [{}],
        "bindings": [row],
    }
    (says,) = sampled({"interpreters": [{"label": "cpython-3.14", "alone": None, "chunks": part}]})
    assert says.startswith(
        "cpython-3.14: measured in chunks of 4 ms, ratios of 2 workloads move by ctypes +2.8% (+2.1%"
    )
    assert "7 of 8 cells" in says
    assert ("beyond the margin" in says) is beyond
    noisy = part | {"excess": 0.08, "decides": False}
    (says,) = sampled({"interpreters": [{"label": "cpython-3.14", "alone": noisy, "chunks": None}]})
    assert "measured in a process of its own" in says and "scatter by ±8.0% beyond" in says
    assert sampled(None) == []
