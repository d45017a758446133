# SPDX-License-Identifier: Apache-2.0
"""Runs, environments and results are found from any folder of a checkout."""

import json
import sys
from pathlib import Path

import pytest
from command import cside
from cside_bench.machine import checkout


def test_it_works_from_any_folder_of_a_checkout(tree: Path) -> None:
    """Runs are found at the top, from every folder below it; a path still counts from where one is."""
    assert checkout.root() == tree
    assert checkout.results() == tree / "results"
    (row,) = json.loads(cside("list", "runs", "--json").stdout)
    assert (row["name"], row["tier"]) == ("20260101-000000", "default")
    assert cside("compare", "20260101-000000", "../../../results/20260101-000000", "--json").exit_code == 0


def test_environments_of_tools_and_drills_are_measured_by_nobody(tree: Path) -> None:
    """Only those of interpreters are told of, whatever else nox has built beside them."""
    labels = ("cpython-3.13", "cpython-3.14t", "pypy-3.11", "driver", "workbench", "drill-cpython-3.14")
    for label in labels:
        program = tree / ".cside" / "envs" / label / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.touch()
    assert list(checkout.environments()) == ["cpython-3.13", "cpython-3.14t", "pypy-3.11"]


def test_outside_of_a_checkout_results_are_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no checkout is around the folder or the environment, the current folder counts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert checkout.root() is None
    assert checkout.results() == Path("results")
