# SPDX-License-Identifier: Apache-2.0
"""``cside report`` draws one page from one or several runs."""

import json
import webbrowser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import small_run
from click.testing import CliRunner
from command import cside
from cside_bench.cli import main
from synthetic_run import write_run


def test_report_of_several_runs_is_one_page(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to results/merged under the names of all, or where -o says; the browser is asked to open it."""
    from cside_bench.cli.commands import report

    def load(folder: Path) -> Any:
        cells = [{"void": None}]
        return SimpleNamespace(
            name=folder.name, folder=folder, machine="a machine", labels=["x"], summary={"cells": cells}
        )

    def draw(runs: list[Any], out: Path) -> Path:
        out.write_text(" ".join(run.name for run in runs), encoding="utf-8")
        return out

    asked: list[str] = []
    monkeypatch.setattr(report, "load", load)
    monkeypatch.setattr(report, "draw", draw)

    def browse(address: str) -> bool:
        asked.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    write_run(tree / "results" / "20260202-000000", 2)
    done = cside("report", "20260101-000000", "20260202-000000", "--json", "--open")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    page = tree / "results" / "merged" / "20260101-000000+20260202-000000.html"
    assert Path(told["page"]) == page
    assert page.read_text(encoding="utf-8") == "20260101-000000 20260202-000000"
    assert asked == [page.as_uri()]
    assert [run["run"] for run in told["runs"]] == ["20260101-000000", "20260202-000000"]
    elsewhere = tree / "elsewhere.html"
    assert cside("report", "20260101-000000", "20260202-000000", "-o", elsewhere).exit_code == 0
    assert elsewhere.exists()


def test_report_command_redraws_and_explains_a_wrong_name(tmp_path: Path) -> None:
    """``cside report RUN`` works from raw files; a run that is not there is an error in words."""
    run = tmp_path / "run"
    run.mkdir()
    small_run.write_run(run, "quick", processes=3)
    runner = CliRunner()
    done = runner.invoke(main, ["report", "run", "--results", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert (run / "report.md").exists()
    wrong = runner.invoke(main, ["report", "nothing", "--results", str(tmp_path)])
    assert wrong.exit_code == 2
    assert "is no run" in wrong.output
