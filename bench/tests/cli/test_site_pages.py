# SPDX-License-Identifier: Apache-2.0
"""The program that writes the sources of the documentation site."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from cside_bench.cli import site_pages
from cside_bench.site import links, staging


def test_it_says_how_many_pages_it_wrote(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And writes them where it is told."""
    told = []

    def stage(root: Path, into: Path) -> int:
        told.append((root / "docs" / "index.md").is_file() and into)
        return 7

    monkeypatch.setattr(staging, "stage", stage)
    result = CliRunner().invoke(site_pages.command, [str(tmp_path)])
    assert (result.exit_code, result.output) == (0, "wrote 7 pages\n")
    assert told == [tmp_path]


def test_a_page_that_cannot_be_made_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the page's message, and without a traceback."""

    def stage(root: Path, into: Path) -> int:
        raise links.BrokenLink("guide.md links to gone.md")

    monkeypatch.setattr(staging, "stage", stage)
    result = CliRunner().invoke(site_pages.command, [str(tmp_path)])
    assert result.exit_code == 1
    assert "guide.md links to gone.md" in result.output
