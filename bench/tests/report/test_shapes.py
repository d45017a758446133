# SPDX-License-Identifier: Apache-2.0
"""The tables of costs by shape."""

from pathlib import Path

import pytest
from cside_bench.report import shapes
from cside_bench.results.evidence import Run
from cside_bench.summary import shapes as summary
from synthetic_shapes import LABEL, TIMES, write


def made(folder: Path, few: bool = False) -> Run:
    """Return a run with costs, or with too few idioms for any."""
    found = write(folder, noise=0.01, measured=lambda key, shape: not few or key == "idioms.noop")
    summary.write(found)
    return Run.load(found.folder)


def test_errors_are_a_row_per_approach_with_medians_and_counts(tmp_path: Path) -> None:
    """As long as the headings; of an exact model they are close to 1."""
    rows = shapes.errors(made(tmp_path / "run"), LABEL)
    assert [row[0] for row in rows] == sorted(TIMES) and {len(row) for row in rows} == {len(shapes.ERRORS)}
    for row in rows:
        assert float(row[3].partition(",")[0]) == pytest.approx(1.0, abs=0.05), row
        assert row[3].endswith("(18)")


def test_costs_are_a_row_per_term_that_some_approach_has(tmp_path: Path) -> None:
    """With the interval over processes; what an approach cannot have is a dash."""
    run = made(tmp_path / "run")
    rows = {row[0]: row[1:] for row in shapes.costs(run, LABEL)}
    assert shapes.subjects(run, LABEL) == sorted(TIMES)
    assert rows["release of the GIL"][1] == shapes.MISSING and " to " in rows["call"][0]


def test_a_run_without_costs_says_why_and_shows_no_table(tmp_path: Path) -> None:
    """One sentence per approach."""
    run = made(tmp_path / "run", few=True)
    assert shapes.errors(run, LABEL) == [] and shapes.costs(run, LABEL) == []
    assert shapes.markdown(run) == "" and shapes.made(run)
    assert shapes.lacking(run, LABEL)[0] == "cext: a fit takes 12 measured calls, and the run has 1."


def test_the_report_has_a_table_of_costs_and_one_of_errors(tmp_path: Path) -> None:
    """All rows of a table have as many cells as its headings."""
    text = shapes.markdown(made(tmp_path / "run"))
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert [len({line.count("|") for line in table}) for table in tables] == [1, 1]
    assert shapes.EXPLAINED in text
