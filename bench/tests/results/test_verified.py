# SPDX-License-Identifier: Apache-2.0
"""Which cells are verified, what their files are called, and which ratios these give."""

import math
from pathlib import Path

import numpy as np
import pytest
from cside_bench.results import headline
from cside_bench.results.evidence import Run
from cside_bench.results.plan import PlanError
from cside_bench.results.selection import Selection
from cside_bench.results.verified import (
    CRASHES,
    Cell,
    Settings,
    choose,
    read,
    seeds_of,
    stem,
    unmeasurable,
    with_references,
)
from kept_run import CPYTHON, write_kept_run
from synthetic_run import LABEL, block, entry, write

CELL = Cell(LABEL, "idioms.w00", "cffi")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The kept run."""
    return Run.load(write_kept_run(tmp_path_factory.mktemp("runs")))


def test_the_cells_are_those_of_the_short_table_that_have_a_ratio(run: Run) -> None:
    """Without --only; the reference, imports, partial variants and void cells are no cells to verify."""
    cells = choose(run, Selection(), None, 1)
    shown = {row["workload"] for row in headline.rows()}
    assert {cell.workload for cell in cells} <= shown - {"import"}
    assert {cell.subject for cell in cells} == set(run.bindings) - {run.reference}
    assert Cell(CPYTHON, "idioms.bytes_sum[bytes]", "swig") not in cells  # void
    assert Cell(CPYTHON, "idioms.bytes_sum[bytes]", "cffi") in cells
    assert unmeasurable(run, Selection()) > 0


def test_the_options_select(run: Run) -> None:
    """Any workload with --only, and so many at random with a sample, which the seed repeats."""
    cells = choose(run, Selection(("3.14",), ("cffi",), ("codec.crc32",)), None, 1)
    assert {cell.interpreter for cell in cells} == {CPYTHON}
    assert {cell.subject for cell in cells} == {"cffi", "cffi.abi"}
    assert not {cell.workload for cell in cells} <= {row["workload"] for row in headline.rows()}
    some = choose(run, Selection(), 7, 1)
    assert len(some) == 7
    assert some == choose(run, Selection(), 7, 1) != choose(run, Selection(), 7, 2)


def test_names_of_files_are_names(tmp_path: Path) -> None:
    """A workload with a slash in its name gets a file in the same folder; cells never share one."""
    name = stem(Cell(LABEL, "codec.compress_corpus[a/b+c@d-6]", "cffi.abi"), 2)
    assert "/" not in name and name.count("@") == 1
    (tmp_path / name).touch()


def test_all_subjects_of_a_workload_get_the_same_draws() -> None:
    """The subject is no part of a seed; interpreter, workload and process are. A workload has one series."""
    seeds = [seeds_of(5, label, workload, number) for label in "ab" for workload in "vw" for number in range(3)]
    assert len({it.draws for it in seeds}) == 12
    assert len({it.series for it in seeds}) == 4
    assert len(set(seeds)) == 12 and {it.number for it in seeds} == {0, 1, 2}
    assert with_references([CELL, CELL._replace(subject="swig")], "cext")[2:] == [CELL._replace(subject="cext")]


def alone(folder: Path, subject: str, net: object, number: int = 0, digest: str = "d") -> None:
    """The file of a process with one binding that measured in turns with others."""
    found = [entry(CELL.workload, subject, net)]
    found[0]["extra_info"]["digest"] = digest
    document = block(LABEL, 0, found, ())
    document["cside"] |= {"alone": subject, "in_turns": True, "reference": "cext"}
    write(folder / f"{stem(CELL._replace(subject=subject), number)}.json", document)


def test_rounds_of_processes_that_took_turns_are_paired(tmp_path: Path) -> None:
    """A machine that is slow for half of the rounds is so for both. Other rounds are not paired."""
    speeds = np.where(np.arange(20) < 11, 1.0, 1.6)
    alone(tmp_path, "cext", 50 * speeds)
    alone(tmp_path, "cffi", 150 * speeds)
    assert read(tmp_path, [CELL], "cext", 1).logs[CELL] == pytest.approx([math.log(3)])
    alone(tmp_path, "cffi", 150 * speeds[:-1])
    assert "no finite ratio" in read(tmp_path, [CELL], "cext", 1).reasons[CELL]


def test_a_cell_without_all_its_processes_has_no_ratio(tmp_path: Path) -> None:
    """One that was not measured yet is missing; one that crashed, or has another result, has a reason."""
    alone(tmp_path, "cext", np.full(20, 50.0))
    alone(tmp_path, "cffi", np.full(20, 150.0))
    assert read(tmp_path, [CELL], "cext", 2).missing == [CELL]
    alone(tmp_path, "cffi", np.full(20, 150.0), digest="other")
    assert "differs from that of cext" in read(tmp_path, [CELL], "cext", 1).reasons[CELL]
    write(tmp_path / CRASHES, {stem(CELL._replace(subject="cext"), 1): "crashed"})
    alone(tmp_path, "cffi", np.full(20, 150.0))
    assert read(tmp_path, [CELL], "cext", 2).reasons == {CELL: "crashed"}


def test_damaged_settings_are_told(tmp_path: Path) -> None:
    """They come back as they were saved."""
    assert Settings.load(tmp_path) is None
    Settings(1, 2.0, 3).save(tmp_path)
    assert Settings.load(tmp_path) == Settings(1, 2.0, 3)
    (tmp_path / "settings.json").write_text("{", encoding="utf-8")
    with pytest.raises(PlanError, match="--again"):
        Settings.load(tmp_path)
