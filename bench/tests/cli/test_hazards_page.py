# SPDX-License-Identifier: Apache-2.0
"""The generated parts of ``docs/hazards.md``."""

from pathlib import Path

import click
import pytest
from cside_bench.cli import hazards_page
from repository import ROOT


def test_the_page_is_as_generated() -> None:
    """Its tables are those of the outcomes that ship."""
    assert hazards_page.page(ROOT) == (ROOT / hazards_page.PAGE).read_text(encoding="utf-8")


def test_a_page_without_a_place_is_refused(tmp_path: Path) -> None:
    """Nothing is dropped silently."""
    (tmp_path / "docs").mkdir()
    (tmp_path / hazards_page.PAGE).write_text("# Nothing\n", encoding="utf-8")
    with pytest.raises(click.ClickException, match="no place"):
        hazards_page.page(tmp_path)
