# SPDX-License-Identifier: Apache-2.0
"""The comparison of two runs on the terminal and as Markdown."""

from pathlib import Path

import pytest
from compared import compare
from cside_bench.report.compare import percent
from synthetic_run import NS, WORKLOADS, write_run


def test_the_terminal_output_fits_a_hundred_columns(tmp_path: Path) -> None:
    """Long names of workloads do not make the table wider."""
    write_run(tmp_path / "base", 1, void=(("idioms.w00", "cffi", "a reason " * 30),))
    write_run(tmp_path / "other", 2, effects=dict.fromkeys(((it, "swig") for it in WORKLOADS), 1.3))
    done = compare(tmp_path, "--fail-over", "2%")
    assert max(map(len, done.output.splitlines())) <= 100
    assert done.output.count("swig") > 10


def test_markdown_has_every_cell_and_nothing_unrendered(tmp_path: Path) -> None:
    """Each cell has one row, and all rows of a table have equal width."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    assert compare(tmp_path, "--markdown", str(tmp_path / "c.md"), "--fail-over", "2%").exit_code == 0
    text = (tmp_path / "c.md").read_text(encoding="utf-8")
    assert "{{" not in text
    assert "{%" not in text
    for workload in WORKLOADS:
        for subject in NS:
            assert text.count(f"| {workload} | {subject} |") == 1
    for table in text.split("\n\n"):
        rows = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in rows}) <= 1, table


@pytest.mark.parametrize(
    ("ratio", "text"), [(None, "—"), (1.0, "+0.0 %"), (0.905, "-9.5 %"), (12.0, "12x"), (1e9, "> 1000x")]
)
def test_changes_are_told_in_percent(ratio: float | None, text: str) -> None:
    """A change has a sign; a large one is given as a factor."""
    assert percent(ratio) == text
