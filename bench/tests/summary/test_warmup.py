# SPDX-License-Identifier: Apache-2.0
"""The series of a cell: its chunks in succession, then those in turns with other cells."""

import json
from pathlib import Path
from typing import Any

import pytest
from cside_bench.results.rounds import read_run
from cside_bench.summary.warmup import series_of


@pytest.mark.parametrize("settling", [None, 3])
def test_the_settling_rounds_are_among_those_in_turns(tmp_path: Path, settling: int | None) -> None:
    """They are written with the warm-up, and run in turns with other cells as the rounds do."""
    extra = {
        "workload": "w",
        "subject": "s",
        "gil": "held",
        "empty": [1e-7] * 4,
        "warm": [9e-6, 5e-6, *[2e-6] * 4],
        "warm_calls": [8, 80, 800, *[400] * 3],
        "warm_agreed": True,
        **({} if settling is None else {"settling": settling}),
    }
    entry = {"stats": {"data": [2e-6] * 4, "iterations": 400}, "extra_info": extra}
    facts: dict[str, Any] = {"void": [], "skips": [], "engine_version": "1", "load_average": None}
    (tmp_path / "blocks").mkdir()
    path = tmp_path / "blocks" / "pypy-3.11-00.json"
    path.write_text(json.dumps({"benchmarks": [entry], "cside": facts}), encoding="utf-8")
    ((series,),) = series_of(read_run(tmp_path)["pypy-3.11"], ["w"], ["s"]).values()
    assert series.rounds_from == 6 - (settling or 0)
    assert series.calls.tolist() == [8, 80, 800, 400, 400, 400, *[400] * 4]
    assert len(series.ns) == 10
