# SPDX-License-Identifier: Apache-2.0
"""The generated parts of ``docs/backtest.md``."""

from pathlib import Path

import click
import pytest
from cside_bench.cli import backtest_page
from repository import ROOT
from synthetic_advice import KNOWN, drill, write


def test_the_page_is_as_generated() -> None:
    """Its table of profiles is that of the decisions that ship."""
    assert backtest_page.page(ROOT) == (ROOT / backtest_page.PAGE).read_text(encoding="utf-8")


def test_the_answers_are_written_by_a_run_alone(tmp_path: Path) -> None:
    """Without a run they stay as they are."""
    (tmp_path / "docs").mkdir()
    path = tmp_path / backtest_page.PAGE
    parts = "".join(f"<!-- {it}: begin -->\nold\n<!-- {it}: end -->\n" for it in ("profiles", "answers"))
    path.write_text(parts, encoding="utf-8")
    assert backtest_page.page(tmp_path).count("old") == 1
    run = write(tmp_path / "run")
    drill(run.folder, dict.fromkeys(KNOWN, 0))
    told = backtest_page.page(tmp_path, run.folder)
    assert "old" not in told and "Run run, default tier, cpython-3.14." in told
    path.write_text("# Nothing\n", encoding="utf-8")
    with pytest.raises(click.ClickException, match="no place"):
        backtest_page.page(tmp_path)
