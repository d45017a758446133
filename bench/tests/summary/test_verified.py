# SPDX-License-Identifier: Apache-2.0
"""A wrong ratio of a run is found by cells that were measured again, and a right one is not."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cside_bench.machine.guard import Guard
from cside_bench.results.evidence import Run
from cside_bench.results.plan import Plan
from cside_bench.results.rounds import Process, Sample, read_run
from cside_bench.results.selection import Selection
from cside_bench.results.verified import Again, Cell, Seeds, Settings, choose, read
from cside_bench.run import verify
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.summary import verified
from cside_bench.summary.build import summarise
from rich.console import Console
from synthetic_run import LABEL, WORKLOADS
from synthetic_verify import Processes, finished

ALL = Selection(only=("idioms.w",))
SETTINGS = Settings(9, 2.0, 3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of twelve workloads, in which one cell was 60 % slower than it is alone."""
    wrong = {(WORKLOADS[4], "cffi"): 1.6}
    return finished(tmp_path_factory.mktemp("run") / "r", effects=wrong, processes=10)


def document(folder: Path, place: Path, monkeypatch: pytest.MonkeyPatch, fake: Processes) -> dict[str, Any]:
    """Verify all cells of the run with these processes."""
    fake.install(monkeypatch)
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    run = Run.load(folder)
    cells = choose(run, ALL, None, 1)
    display = Display(Console(quiet=True))
    machine = Machine(None, Guard(100.0, 0.0, display))
    verify.again(Plan.load(folder), folder, place, cells, SETTINGS, display, machine)
    found = verified.judge(run, read(place, cells, run.reference, SETTINGS.processes), SETTINGS)
    verified.write(run, found)  # against its schema
    return found


def test_a_planted_wrong_cell_is_found(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is wrong by 1.6 times, and nearly all others lie where they are expected."""
    found = document(folder, tmp_path, monkeypatch, Processes())
    (entry,) = found["interpreters"]
    assert [(it["workload"], it["subject"]) for it in found["cells"] if it["wrong"]] == [(WORKLOADS[4], "cffi")]
    (wrong,) = (it for it in found["cells"] if it["wrong"])
    assert wrong["times"] == pytest.approx(1.6, rel=0.03)
    assert wrong["in_prediction"] is False and wrong["in_interval"] is False
    assert entry["tried"] == 24 and entry["in_prediction"] >= 20
    assert not found["passed"]
    assert json.loads((folder / "verify.json").read_text(encoding="utf-8")) == found


def test_a_right_run_passes(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the cell is as slow alone as it was in the run, nothing is wrong, and no binding is shifted."""
    found = document(folder, tmp_path, monkeypatch, Processes({(WORKLOADS[4], "cffi"): 1.6}))
    (entry,) = found["interpreters"]
    assert found["passed"], entry
    assert entry["wrong"] == 0
    assert [row["beyond"] for row in entry["bindings"]] == [False, False]
    assert entry["reach"] < 0.02


def test_a_slower_machine_is_found(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the reference's own time, whatever the ratios are."""
    slower = {(workload, subject): 1.5 for workload in WORKLOADS for subject in ("cext", "cffi", "ctypes")}
    times = []
    for name, fake in (("as-ever", Processes()), ("slower", Processes(slower))):
        found = document(folder, tmp_path / name, monkeypatch, fake)
        times.append(found["interpreters"][0]["reference_time"])
    assert times[1] / times[0] == pytest.approx(1.5, rel=0.02)


def test_a_binding_that_co_residence_moves_is_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All ratios of one binding are 6 % less alone: no cell is wrong, and the shift is beyond the margin of 3 %."""
    effects = {(workload, "swig"): 0.94 for workload in WORKLOADS} | {(WORKLOADS[4], "cffi"): 1.6}
    found = document(folder, tmp_path, monkeypatch, Processes(effects))
    by_subject = {row["subject"]: row for row in found["interpreters"][0]["bindings"]}
    assert by_subject["swig"]["beyond"] and not by_subject["cffi"]["beyond"]
    assert by_subject["swig"]["shift"] == pytest.approx(0.94, abs=0.01)
    assert by_subject["swig"]["in_prediction"] < 6
    assert found["interpreters"][0]["wrong"] == 0
    assert not found["passed"]


def a_run(logs: Sequence[float], verdict: str) -> Any:
    """A run of one cell, with as much of its class as is needed."""
    cell = {"ratio": math.exp(float(np.mean(logs))), "ratio_low": None, "ratio_high": None, "verdict": verdict}
    return SimpleNamespace(
        name="r",
        reference="cext",
        labels=[LABEL],
        bindings=["cext", "cffi"],
        cells={Cell(LABEL, "w", "cffi"): cell},
        ratios=lambda *cell: np.exp(logs),
        margin=lambda label: 0.03,
        trusted=lambda label: True,
    )


def test_an_inconclusive_cell_is_not_wrong_and_a_failed_one_is_no_success() -> None:
    """The run does not give its ratio; a cell that could not be measured again has to be looked at."""
    logs, cell = [0.0, 0.3, -0.3, 0.2, -0.2, 0.1], Cell(LABEL, "w", "cffi")
    for verdict, wrong in (("inconclusive", False), ("slower", True), ("none", True), ("equivalent", True)):
        its = verified.judged(a_run(logs, verdict), cell, [0.3, 0.3], None, None)
        assert (its["times"] > 1.3, its["wrong"], its["in_prediction"]) == (True, wrong, True)
    again = Again(reasons={cell: "crashed"})
    found = verified.judge(a_run(logs, "slower"), again, SETTINGS)
    assert found["interpreters"][0]["failed"] == [{"workload": "w", "subject": "cffi", "reason": "crashed"}]
    assert not found["passed"]
    unfinished = verified.judge(a_run(logs, "slower"), Again({cell: [0.0]}, missing=[cell]), SETTINGS)
    assert unfinished["unfinished"] == 1 and not unfinished["passed"]


@pytest.mark.parametrize(
    ("verdict", "ratio", "turned"),
    [
        ("faster", 1.1, True),
        ("faster", 1.02, False),
        ("slower", 0.9, True),
        ("slower", 1.4, False),
        ("equivalent", 1.2, False),
        ("none", 5.0, False),
    ],
)
def test_a_verdict_is_contradicted_beyond_the_margin(verdict: str, ratio: float, turned: bool) -> None:
    """Faster in the run and slower alone, or the other way round."""
    assert verified.contradicted(verdict, ratio, 0.03) is turned


def test_the_summary_says_what_the_sample_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """swig is 10 % slower alone and in long chunks, and its shift is beyond the margin; cffi does not move."""
    folder = finished(tmp_path / "r")
    assert json.loads((folder / "summary.json").read_text(encoding="utf-8"))["sample"] is None
    Processes({(workload, "swig"): 1.1 for workload in WORKLOADS}).install(monkeypatch)
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    display = Display(Console(quiet=True))
    place = folder / "sample"
    for number in range(2):
        for subject in ("cext", "cffi", "swig", ""):
            request = verify.alone(
                Plan.load(folder), folder, LABEL, subject, WORKLOADS[:6], Seeds(5 + number, 5, number)
            )
            request = replace(request, turn_visits=1)
            name = f"alone+{LABEL}@{subject}-{number}" if subject else f"chunks+{LABEL}@all-{number}"
            verify.process(Plan.load(folder), request, place, name, 1, display)
    (entry,) = summarise(folder)["sample"]["interpreters"]
    for kind in ("alone", "chunks"):
        assert entry[kind]["processes"] == 2 and entry[kind]["workloads"] == list(WORKLOADS[:6])
        by_subject = {row["subject"]: row for row in entry[kind]["bindings"]}
        assert by_subject["swig"]["beyond"] and not by_subject["cffi"]["beyond"]
        assert by_subject["swig"]["shift"] == pytest.approx(1.1, abs=0.02)
        assert {it["subject"] for it in entry[kind]["outside"]} >= {"swig"}
    assert len(read_run(folder)[LABEL].processes) == 7  # the sample is no block


def test_a_sample_of_processes_that_differ_decides_nothing() -> None:
    """Ratios of one process are 1.3 times the run's and those of the other the same: no shift is told."""

    def process(times: float) -> Process:
        found = Process()
        for subject, ns in (("cext", 50.0), ("cffi", 150.0 * times)):
            found.net[("w", subject)] = np.full(5, ns)
        return found

    run = Sample(LABEL, processes=[process(1 + number / 1000) for number in range(10)])
    quiet, noisy = ([process(1.2), process(factor)] for factor in (1.201, 1.6))
    assert verified.part(run, quiet, "cext", 0.03)["bindings"][0]["beyond"]
    told = verified.part(run, noisy, "cext", 0.03)
    assert not told["decides"] and not told["bindings"][0]["beyond"]
    alone = verified.part(run, quiet[:1], "cext", 0.03)
    assert alone["excess"] is None and not alone["decides"]
