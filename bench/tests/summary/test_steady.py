# SPDX-License-Identifier: Apache-2.0
"""A cell that is not steady has a reason and a time, and no ratio anywhere."""

import json
from pathlib import Path

import numpy as np
import pytest
from cside_bench.results.evidence import Run
from cside_bench.results.rounds import Process, Sample
from cside_bench.summary import steady
from cside_bench.summary.build import summarise
from cside_bench.summary.calls import compare
from small_run import write_run

REFERENCE = "cext"


def sample(drifts: dict[str, float]) -> Sample:
    """A run of ten processes of twenty rounds, in which some subjects become faster or slower by a share."""
    draw = np.random.default_rng(11)
    found = Sample("pypy-3.11")
    for _ in range(10):
        process = Process()
        for subject in (REFERENCE, "cffi", "ctypes"):
            times = 100 * np.exp(0.03 * draw.standard_normal(20) + np.linspace(0, 1, 20) * drifts.get(subject, 0.0))
            process.net[("w", subject)] = times
            process.raw[("w", subject)] = times + 1
        found.processes.append(process)
    steady.mark(found, REFERENCE)
    return found


def test_a_steady_run_is_left_alone() -> None:
    """No cell has a reason."""
    assert sample({}).unsteady == {}


def test_a_cell_that_drifts_is_in_no_comparison() -> None:
    """Neither with the reference nor with another binding; the others are compared as ever."""
    found = sample({"cffi": -0.2})
    assert set(found.unsteady) == {("w", "cffi")}
    assert "first third of the rounds to the last" in found.unsteady[("w", "cffi")]
    pairs = compare(found, REFERENCE, frozenset({REFERENCE, "cffi", "ctypes"})).found
    assert [(pair.first, pair.second) for pair in pairs] == [("ctypes", REFERENCE)]


def test_where_the_reference_is_not_steady_no_cell_has_a_ratio() -> None:
    """Its own single calls tell; every ratio of the workload refers to it."""
    found = sample({})
    for process in found.processes:
        process.warm_calls[("w", REFERENCE)] = np.array([8.0, 400.0])
    steady.mark(found, REFERENCE)
    assert set(found.unsteady) == {("w", name) for name in (REFERENCE, "cffi", "ctypes")}
    assert "too few to be compiled" in found.unsteady[("w", REFERENCE)]
    assert f"{REFERENCE}, to which ratios refer, is not steady here" in found.unsteady[("w", "cffi")]


def test_a_loop_in_c_needs_no_calls_to_be_compiled() -> None:
    """However few it made before the rounds; a binding's cell with as many is not steady."""
    found = sample({})
    for process in found.processes:
        for subject in ("floor.direct", "ctypes"):
            process.net[("w", subject)] = process.net[("w", "cffi")] * 1.2
            process.warm_calls[("w", subject)] = np.array([8.0, 400.0])
    steady.mark(found, REFERENCE)
    assert set(found.unsteady) == {("w", "ctypes")}


def test_a_cell_whose_processes_run_at_different_speeds_is_in_no_comparison() -> None:
    """Its mean would be the time of no process."""
    found = sample({})
    for process in found.processes[:4]:
        process.net[("w", "ctypes")] = process.net[("w", "ctypes")] * 2.5
    found.processes = [Process(raw=it.raw, net=it.net) for it in found.processes]  # without what the others remember
    steady.mark(found, REFERENCE)
    assert set(found.unsteady) == {("w", "ctypes")}
    assert "its 10 processes take" in found.unsteady[("w", "ctypes")]


def test_a_void_cell_and_one_compiled_away_are_not_looked_at() -> None:
    """They have no ratio for another reason."""
    found = sample({"cffi": -0.2})
    found.void = {("w", "cffi"): "differs"}
    steady.mark(found, REFERENCE)
    assert found.unsteady == {}
    found = sample({"cffi": -0.2})
    found.processes = [
        Process(raw=it.raw, net=it.net | {("w", "cffi"): it.net[("w", "cffi")] * 1e-3}) for it in found.processes
    ]
    steady.mark(found, REFERENCE)
    assert found.unsteady == {}


@pytest.mark.parametrize("tier", ["quick", "default"])
def test_the_files_of_a_run_say_so(tmp_path: Path, tier: str) -> None:
    """summary.json has the reason and the time, evidence.json the reason alone; the class that reads them has no
    ratio.
    """
    write_run(tmp_path, tier, processes=10)
    for path in (tmp_path / "blocks").glob("*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        for entry in document["benchmarks"]:
            if entry["extra_info"]["subject"] == "b.v":
                data = entry["stats"]["data"]
                entry["stats"]["data"] = [
                    value * (2.0 if at < len(data) // 2 else 1.0) for at, value in enumerate(data)
                ]
        path.write_text(json.dumps(document), encoding="utf-8")
    summary = summarise(tmp_path)
    spoiled = [cell for cell in summary["cells"] if (cell["binding"], cell["variant"]) == ("b", "v")]
    assert spoiled
    for cell in spoiled:
        assert "first third of the rounds" in cell["unsteady"]
        assert (cell["ratio"], cell["verdict"], cell["rank"], cell["void"]) == (None, "none", None, None)
        assert cell["ns_net"] > 0
    assert any(cell["ratio"] is not None for cell in summary["cells"])
    evidence = json.loads((tmp_path / "evidence.json").read_text(encoding="utf-8"))
    for interpreter in evidence["interpreters"].values():
        for workload in interpreter["workloads"].values():
            assert "b.v" not in workload["ratios"]
            assert "b.v" not in workload["ns"]
            assert "b.v" in workload["unsteady"]
            assert not any("b.v" in pair.split("/") for pair in workload["pairs"])
    run = Run.load(tmp_path)
    for cell in spoiled:
        assert run.pair(cell["interpreter"], cell["workload"], "b.v", run.reference) is None
        assert not len(run.ratios(cell["interpreter"], cell["workload"], "b.v"))
