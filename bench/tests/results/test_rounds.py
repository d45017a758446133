# SPDX-License-Identifier: Apache-2.0
"""Rounds of a run are read from its files."""

import json
from pathlib import Path
from typing import Any

import pytest
from cside_bench.results.rounds import read_run
from cside_suite.subjects.names import SINGLE


def alone(folder: Path, subject: str, digest: str, calls: int, **facts: Any) -> None:
    """The file of a process of one binding."""
    (folder / "blocks").mkdir(exist_ok=True)
    extra = {"workload": "w", "subject": subject, "gil": "held", "empty": [1e-6] * 2}
    extra |= {"digest": digest, "counts": {"cside_noop": [calls, 0, 0]}}
    own = {"void": [], "skips": [], "engine_version": "1", "load_average": [1.0], "alone": subject}
    document = {
        "benchmarks": [{"stats": {"data": [2e-6, 3e-6], "iterations": 8}, "extra_info": extra}],
        "cside": own | {"in_turns": True, "reference": "cext"} | facts,
    }
    (folder / "blocks" / f"pypy-3.11-00@{subject}.json").write_text(json.dumps(document), encoding="utf-8")


def test_bindings_with_processes_of_their_own_are_held_to_the_reference(tmp_path: Path) -> None:
    """Each process saw one binding only: whoever reads them compares results, and calls of native functions."""
    for subject, digest, calls in (("cext", "a", 8), ("twin", "a", 8), ("cffi", "b", 8), ("ctypes", "a", 16)):
        alone(tmp_path, subject, digest, calls)
    (sample,) = read_run(tmp_path).values()
    (process,) = sample.processes
    assert process.ratio(("w", "twin"), ("w", "cext")) == pytest.approx(1)
    assert sample.void == {
        ("w", "cffi"): "result differs from that of cext",
        ("w", "ctypes"): "unequal native work: other calls of cside_noop than cext",
    }


def test_processes_that_did_not_take_turns_are_refused(tmp_path: Path) -> None:
    """Earlier versions measured bindings one after the other; their rounds must not be paired."""
    alone(tmp_path, "cffi", "a", 8, in_turns=False)
    with pytest.raises(ValueError, match="measure anew"):
        read_run(tmp_path)


def test_the_processes_of_a_divided_block_are_one_replicate(tmp_path: Path) -> None:
    """Each has its own workloads; a ratio stays within one of them, and the block counts once."""
    (tmp_path / "blocks").mkdir()
    for block in range(2):
        for part, workload in enumerate(("one", "two")):
            benchmarks = [
                {
                    "stats": {"data": [2e-6 * factor, 3e-6 * factor], "iterations": 8},
                    "extra_info": {
                        "workload": workload,
                        "subject": subject,
                        "gil": "held",
                        "empty": [1e-6, 1e-6],
                        "warm": [9e-6, 2e-6],
                        "warm_calls": [8, 800],
                        "warm_agreed": True,
                    },
                }
                for subject, factor in (("reference", 1), ("other", 2))
            ]
            jit = {"compiled_loops": 5, "compiled_bridges": 7, "freed_loops": 1, "freed_bridges": 0}
            facts = {"void": [], "skips": [], "engine_version": "1", "load_average": [1.0], "jit": jit}
            path = tmp_path / "blocks" / f"pypy-3.11-{block:02d}+{part}.json"
            path.write_text(json.dumps({"benchmarks": benchmarks, "cside": facts}), encoding="utf-8")
    (sample,) = read_run(tmp_path).values()
    assert sample.label == "pypy-3.11"
    assert len(sample.processes) == 2
    for process in sample.processes:
        assert {key[0] for key in process.net} == {"one", "two"}
        assert process.ratio(("two", "other"), ("two", "reference")) == pytest.approx((3 / 1 + 5 / 2) / 2)
        assert process.warm_calls[("one", "other")].tolist() == [8, 800]
        assert process.agreed[("one", "other")]
    assert (sample.compiled, sample.freed) == (48, 4)


def test_a_twin_that_is_a_declared_gap_is_no_void_cell(tmp_path: Path) -> None:
    """The binding says that it cannot be loaded twice: its twin is told with the reason, and is no cell."""
    (tmp_path / "blocks").mkdir()
    failed = {"workload": "one", "subject": "twin.cffi", "gil": "held", "reason": "failed its check"}
    declared = failed | {"subject": "twin.nanobind", "reason": f"{SINGLE}types are known by name"}
    facts = {"void": [failed, declared], "skips": [], "engine_version": "1", "load_average": [1.0]}
    path = tmp_path / "blocks" / "cpython-3.14-00.json"
    path.write_text(json.dumps({"benchmarks": [], "cside": facts}), encoding="utf-8")
    (sample,) = read_run(tmp_path).values()
    assert sample.void == {("one", "twin.cffi"): "failed its check"}
    assert sample.single == {"twin.nanobind": f"{SINGLE}types are known by name"}
