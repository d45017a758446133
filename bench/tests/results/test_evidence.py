# SPDX-License-Identifier: Apache-2.0
"""What arguments are made from: a run's evidence says what its raw rounds say, and refuses what it cannot read."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from cside_bench.results.evidence import FILE, Run, RunError
from cside_bench.summary.build import summarise
from synthetic_run import LABEL, REFERENCE, WORKLOADS, write, write_run

SLOWER = ("idioms.w03", "cffi")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Twelve workloads, one cell of which takes 20 % longer; ``swig`` is void at another."""
    folder = tmp_path_factory.mktemp("evidence") / "run"
    write_run(folder, 5, effects={SLOWER: 1.2}, void=(("idioms.w05", "swig", "another result"),))
    (folder / "calibration").mkdir()
    write(folder / "calibration" / f"{LABEL}.json", {"whole": [REFERENCE, "cffi", "swig"]})
    summarise(folder)
    return Run.load(folder)


def test_subjects_are_told_apart_by_what_they_are(run: Run) -> None:
    """Whole bindings with the reference first; floors, the library's own and controls are references."""
    assert run.bindings == [REFERENCE, "cffi", "swig"]
    assert run.variants == []
    assert run.references == ["floor.direct", "stdlib", "twin"]


def test_twins_are_no_variants(tmp_path: Path) -> None:
    """They are controls: recommendations and tables, which name bindings and variants, leave them out."""
    folder = write_run(
        tmp_path / "run", 6, subjects={REFERENCE: 50.0, "cffi": 90.0, "cffi.abi": 95.0, "twin.cffi": 90.0}
    )
    (folder / "calibration").mkdir()
    write(folder / "calibration" / f"{LABEL}.json", {"whole": [REFERENCE, "cffi"]})
    summarise(folder)
    found = Run.load(folder)
    assert (found.bindings, found.variants, found.references) == ([REFERENCE, "cffi"], ["cffi.abi"], [])
    pair = found.pair(LABEL, WORKLOADS[0], "twin.cffi", "cffi")
    assert pair is not None
    assert pair.value == pytest.approx(1.0, abs=0.01)
    assert found.cell(LABEL, WORKLOADS[0], "twin.cffi") is not None
    assert {cell["rank"] for cell in found.summary["cells"] if cell["binding"] == "twin"} == {None}


def test_observations_are_one_per_process_and_agree_with_the_cell(run: Run) -> None:
    """The geometric mean of a cell's observations is the ratio that the summary tells."""
    for workload in WORKLOADS:
        ratios = run.ratios(LABEL, workload, "cffi")
        cell = run.cell(LABEL, workload, "cffi")
        assert cell is not None and len(ratios) == cell["processes"] == 7
        assert math.exp(np.log(ratios).mean()) == pytest.approx(cell["ratio"], rel=1e-4)
        assert np.median(run.ns(LABEL, workload, "cffi")) == pytest.approx(cell["ns_net"], rel=1e-4)
    assert run.ratios(LABEL, *SLOWER).mean() == pytest.approx(3.6, rel=0.02)


def test_a_pair_is_the_same_comparison_from_both_sides(run: Run) -> None:
    """Turned round, a ratio and its bounds are their inverses, and faster is slower."""
    one, two = run.pair(LABEL, "idioms.w00", "cffi", "swig"), run.pair(LABEL, "idioms.w00", "swig", "cffi")
    assert one is not None and two is not None
    assert one.low is not None and two.high is not None and one.alone_low is not None
    assert one.value == pytest.approx(1 / two.value) == pytest.approx(150 / 70, rel=0.02)
    assert one.low == pytest.approx(1 / two.high)
    assert one.low < one.value and one.alone_low < one.value
    assert (one.verdict, two.verdict) in {("slower", "faster"), ("none", "none")}


def test_a_void_cell_is_evidence_of_nothing(run: Run) -> None:
    """A void cell has no observations and no pairs; other cells keep theirs."""
    assert run.pair(LABEL, "idioms.w05", "swig", REFERENCE) is None
    assert len(run.ratios(LABEL, "idioms.w05", "swig")) == 0
    assert run.pair(LABEL, "idioms.w05", "cffi", REFERENCE) is not None


def test_what_was_not_measured_is_none(run: Run) -> None:
    """Unknown workloads and subjects are no errors."""
    assert run.pair(LABEL, "idioms.unheard", "cffi", REFERENCE) is None
    assert run.cell(LABEL, "idioms.w00", "unheard") is None
    assert run.ns(LABEL, "idioms.w00", "unheard").size == 0


@pytest.mark.parametrize("name", ["summary.json", "environment.json", FILE])
def test_a_folder_that_lacks_a_file_says_which_and_what_to_do(run: Run, name: str, tmp_path: Path) -> None:
    """A run gets the command that draws it again; anything else is told to be none."""
    for file in ("summary.json", "environment.json", FILE, "run.json"):
        if file != name:
            (tmp_path / file).write_bytes((run.folder / file).read_bytes())
    with pytest.raises(RunError, match=f"has no {name}; compute its files again: cside report"):
        Run.load(tmp_path)
    (tmp_path / "run.json").unlink()
    with pytest.raises(RunError, match="it is not the folder of a run"):
        Run.load(tmp_path)


@pytest.mark.parametrize(("text", "says"), [("{", "is damaged"), (json.dumps({"format": 99}), "has format 99")])
def test_a_damaged_or_foreign_file_is_named(run: Run, text: str, says: str, tmp_path: Path) -> None:
    """A damaged file and a file of another format are refused with the file's name."""
    for file in ("summary.json", "environment.json", "run.json"):
        (tmp_path / file).write_bytes((run.folder / file).read_bytes())
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=says):
        Run.load(tmp_path)
