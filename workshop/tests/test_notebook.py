# SPDX-License-Identifier: Apache-2.0
"""The notebook runs from its first cell to its last, and says what its text promises."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from workshop.labs import HERE, ROOT

FILE = HERE / "notebook" / "statistics.ipynb"


def notebook() -> Any:
    """The notebook, as it is kept."""
    return nbformat.read(FILE, as_version=4)  # type: ignore[no-untyped-call]  # this function of nbformat has no types


@pytest.fixture(scope="module")
def printed() -> str:
    """What the cells print, in a kernel of its own. A cell that raises fails the test."""
    opened = notebook()
    NotebookClient(opened, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    return "".join(
        output.get("text", "") for cell in opened.cells if cell.cell_type == "code" for output in cell.outputs
    )


def test_it_is_kept_without_outputs() -> None:
    """What is shown is what was computed on the machine that shows it."""
    for cell in notebook().cells:
        assert not cell.get("outputs")
        assert not cell.get("execution_count")


def test_it_reads_the_run_that_ships(printed: str) -> None:
    """And says where it was measured."""
    assert re.search(r"measured on \d{4}-\d\d-\d\d on .*CPython 3\.14", printed)


def test_pairing_helps_where_the_machine_is_busy(printed: str) -> None:
    """In a larger share of the cells than on the idle machine, where it helps in the smaller part of them."""
    shares = {}
    for title, fewer, cells in re.findall(r"(\w+ machine) +ratios spread less than times in (\d+) of (\d+)", printed):
        assert int(cells) > 60
        shares[title] = int(fewer) / int(cells)
    assert shares["idle machine"] < 0.5 < shares["busy machine"]


def test_the_twin_is_as_good_as_its_original(printed: str) -> None:
    """A difference is found in few workloads, all of them false."""
    found = re.search(r"the twin differs in (\d+) of (\d+) workloads", printed)
    assert found is not None
    assert int(found[1]) <= 2 < int(found[2])


def test_times_of_one_process_promise_more_than_they_hold(printed: str) -> None:
    """And paired ratios less so, which is what the section says."""
    found = re.search(r"of times ([\d.]+)% of (\d+), of ratios ([\d.]+)% of (\d+)", printed)
    assert found is not None
    assert int(found[2]) > int(found[4]) > 400
    assert float(found[1]) > 7 > float(found[3])


def test_selection_breaks_a_promise_and_the_adjustment_keeps_it(printed: str) -> None:
    """The simulation has a fixed seed."""
    before = re.search(r"each interval at 95 %: (\d+) decide, and (\d+) of them", printed)
    after = re.search(r"adjusted: (\d+) decide, and (\d+) of them", printed)
    assert before is not None and after is not None
    assert int(before[2]) > 0.05 * int(before[1])
    assert 0 < int(after[1]) < int(before[1])
    assert int(after[2]) <= 0.05 * int(after[1])


def test_its_folder_of_results_is_named_once() -> None:
    """So that a reader changes one line."""
    assert Path(FILE).read_text(encoding="utf-8").count("MINE = ") == 1
