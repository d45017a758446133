# SPDX-License-Identifier: Apache-2.0
"""What a run leaves out after a look at its first processes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cside_bench.results.plan import PlanError
from cside_bench.results.rounds import Sample, read_run
from cside_bench.statistics.selective import FALSE_COVERAGE, spent
from cside_bench.summary import look
from cside_bench.summary.calls import Look, Pair, compare, observe, pairs_of
from cside_bench.summary.targets import load_targets
from cside_suite.subjects.names import is_control
from synthetic_run import LABEL, NS, write_run

RANKED = frozenset({"cext", "cffi", "swig"})
CLOSE = "idioms.w03"
PLANNED = 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run with six of ten processes, in which two bindings differ by the margin at one workload."""
    write_run(tmp_path, 1, effects={(CLOSE, "swig"): NS["cffi"] / NS["swig"] / 1.03}, processes=6)
    plan = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    plan["blocks"] = [{"interpreter": LABEL, "number": number, "seed": number} for number in range(PLANNED)]
    (tmp_path / "run.json").write_text(json.dumps(plan), encoding="utf-8")
    (tmp_path / "calibration").mkdir()
    whole = json.dumps({"whole": sorted(RANKED)})
    (tmp_path / "calibration" / f"{LABEL}.json").write_text(whole, encoding="utf-8")
    return tmp_path


def test_only_undecided_cells_go_on(folder: Path) -> None:
    """Where two bindings differ by the margin they go on, with the reference; the file keeps what is decided."""
    assert look.read(folder, LABEL) is None
    left = look.take(folder, LABEL)
    bindings = {key for key in read_run(folder)[LABEL].cells() if key[1] in RANKED}
    with_the_twin = {key for key in bindings if key[1] == "cext"}
    assert bindings - left == with_the_twin | {(CLOSE, "cffi"), (CLOSE, "swig")}
    assert look.read(folder, LABEL) == Look(6, PLANNED, left)


def test_controls_are_measured_to_the_end(folder: Path) -> None:
    """Checks pool them over workloads; only those that happen to be undecided would be a biased selection."""
    left = look.take(folder, LABEL)
    controls = {key for key in read_run(folder)[LABEL].cells() if is_control(key[1])}
    assert controls and not controls & left


def test_what_a_target_compares_is_measured_to_the_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its limit is another one than the margin, by which a look decides."""
    cell = ("idioms.w06", "stdlib")
    target = load_targets()[0]
    monkeypatch.setattr(look, "load_targets", lambda: [replace(target, of=cell, to=None, base=None)])
    decided = decide(folder).decided
    assert cell not in decided and ("idioms.w05", "stdlib") in decided


def test_a_run_looks_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A resumed run may have more processes by then; it takes the look that was kept, even one that decided nothing."""
    monkeypatch.setattr(look, "decide", lambda *arguments: Look(6, PLANNED, frozenset()))
    assert look.take(folder, LABEL) == frozenset()
    monkeypatch.undo()
    assert look.take(folder, LABEL) == frozenset()


def test_a_look_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    """It named whole workloads. The error says what to do; it is no traceback."""
    (tmp_path / look.FOLDER).mkdir()
    old = json.dumps({"processes": 6, "of": 10, "decided": [CLOSE]})
    (tmp_path / look.FOLDER / f"{LABEL}.json").write_text(old, encoding="utf-8")
    with pytest.raises(PlanError, match="an earlier version of cside"):
        look.read(tmp_path, LABEL)


@pytest.mark.parametrize("reason", ["headline", "swept"])
def test_what_is_needed_later_is_measured_to_the_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    """Bindings and controls of a headline row, and of a size of a model by size, are never left out; others are."""
    name = "idioms.w05"
    rows = frozenset({name}) if reason == "headline" else frozenset()
    if reason == "swept":
        name = "idioms.w05[16]"
        monkeypatch.setattr(look.sizes, "FAMILIES", (("idioms.w05", ""),))
        monkeypatch.setattr(look, "pairs_of", renamed)
        assert name in {pair.workload for pair in renamed(read_run(folder)[LABEL], "cext", RANKED)}
        monkeypatch.setattr(look, "observe", lambda pair, processes: observe(original(pair), processes))
    found = decide(folder, rows)
    assert {subject for workload, subject in found.decided if workload == name} == {"stdlib"}
    assert {("idioms.w06", "cffi"), ("idioms.w06", "floor.direct")} <= found.decided


def test_a_workload_with_a_cell_that_is_not_steady_is_measured_to_the_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of its cells are, since nothing is known of one of them."""

    def mark(sample: Sample, reference: str) -> None:
        sample.unsteady = {("idioms.w05", "swig"): "its ratio moves"}

    monkeypatch.setattr(look.steady, "mark", mark)
    found = decide(folder)
    assert "idioms.w05" not in {workload for workload, _ in found.decided}
    assert ("idioms.w06", "swig") in found.decided


def test_the_reference_goes_on_where_another_cell_does() -> None:
    """A ratio needs both of its cells; a reference without any other cell is left out too."""
    pairs = [Pair("a", "swig", "cext"), Pair("a", "cffi", "cext"), Pair("b", "swig", "cext")]
    decided = {("a", "cext"), ("a", "swig"), ("b", "swig")}
    assert look.with_their_reference(decided, pairs, "cext") == {("a", "swig"), ("b", "swig"), ("b", "cext")}


def decide(folder: Path, rows: frozenset[str] = frozenset()) -> Look:
    """What a look at the run decides, if the short table has these rows."""
    return look.decide(marked(folder), "cext", RANKED, PLANNED, rows)


def marked(folder: Path) -> Sample:
    """The sample of the run, with its unsteady cells."""
    sample = read_run(folder)[LABEL]
    look.steady.mark(sample, "cext")
    return sample


def original(pair: Pair) -> Pair:
    """The pair under the name that the files have."""
    return replace(pair, workload=pair.workload.partition("[")[0])


def renamed(sample: Sample, reference: str, ranked: frozenset[str]) -> list[Pair]:
    """The pairs, those of one workload under the name of a size."""
    pairs = pairs_of(sample, reference, ranked)
    return [replace(it, workload="idioms.w05[16]") if it.workload == "idioms.w05" else it for it in pairs]


def test_what_a_look_spent_is_missing_at_the_end(folder: Path) -> None:
    """Intervals of the look are those of its own level; the rest has what is left, so both are wider than alone."""
    sample = marked(folder)
    once = compare(sample, "cext", RANKED)
    looked = compare(sample, "cext", RANKED, Look(6, PLANNED, frozenset({("idioms.w00", "swig")})))
    assert looked.found.keys() == once.found.keys()
    assert 0 < spent(0.6) < FALSE_COVERAGE / 2
    for pair, compared in looked.found.items():
        assert compared.value == once.found[pair].value
        assert compared.adjusted_low < once.found[pair].adjusted_low
        assert compared.adjusted_high > once.found[pair].adjusted_high


def test_processes_after_the_look_do_not_count_for_what_it_decided(tmp_path: Path) -> None:
    """Pairs with a cell that was decided have the interval of the look, even if a later process measured it again."""
    write_run(tmp_path, 1, processes=8)
    sample = read_run(tmp_path)[LABEL]
    found = compare(sample, "cext", RANKED, Look(6, 8, frozenset({("idioms.w00", "swig")}))).found
    early = {pair for pair, it in found.items() if it.processes == 6}
    assert early == {Pair("idioms.w00", "swig", "cext"), Pair("idioms.w00", "cffi", "swig")}
    assert {it.processes for pair, it in found.items() if pair not in early} == {8}


def test_a_look_spends_little_and_the_end_all() -> None:
    """The shares are those of O'Brien and Fleming at 5 %: 0.0114 after six of ten, and everything at the end."""
    assert spent(0.6) == pytest.approx(0.0114, abs=5e-5)
    assert spent(0.5) == pytest.approx(0.00557, abs=5e-5)
    assert spent(1.0) == FALSE_COVERAGE
