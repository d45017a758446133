# SPDX-License-Identifier: Apache-2.0
"""``cside hazards`` shows the outcomes that ship, narrows them, and makes mistakes from what nox prepared."""

import json
import platform
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from cside_bench.cli.commands.hazards import command
from cside_bench.results import hazards


def test_without_a_run_the_shipped_outcomes_are_shown(tmp_path: Path) -> None:
    """They say when they were made."""
    done = CliRunner().invoke(command, ["--results", str(tmp_path), "--only", "no_nul", "--says"])
    assert done.exit_code == 0 and "no_nul" in done.output and "token 01" in done.output
    assert "int_too_large" not in done.output
    assert hazards.reference()["made"] in done.output


def test_json_is_the_document(tmp_path: Path) -> None:
    """Limited, it is a whole document too."""
    words = ["--results", str(tmp_path), "--json", "--python", "3.14", "--binding", "cffi"]
    done = CliRunner().invoke(command, words)
    told = json.loads(done.stdout)
    hazards.check(told)
    assert told["approaches"] == ["cffi"] and [each["label"] for each in told["interpreters"]] == ["cpython-3.14"]


@pytest.mark.parametrize("words", [["--only", "nothing"], ["--binding", "perl"], ["--python", "2.7"]])
def test_unknown_names_are_refused(tmp_path: Path, words: list[str]) -> None:
    """The error names what there is."""
    done = CliRunner().invoke(command, ["--results", str(tmp_path), *words])
    assert done.exit_code == 2 and "there are:" in done.output


def test_a_damaged_file_of_nox_is_told(tmp_path: Path) -> None:
    """The exit code says that something failed that is no outcome."""
    (tmp_path / "prepared.json").write_text("{}", encoding="utf-8")
    done = CliRunner().invoke(command, ["--prepared", str(tmp_path / "prepared.json"), "--results", str(tmp_path)])
    assert done.exit_code == 3 and "run it again" in done.output


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler")
def test_an_interpreter_without_tools_is_no_outcome(tmp_path: Path) -> None:
    """A build that fails for another reason than the mistake fails the run."""
    sources = Path(__file__).parents[3] / "hazards"
    python = {"label": "cpython-0.0", "python": sys.executable, "release": platform.python_version()}
    told = {
        "sources": str(sources),
        "built": str(tmp_path / "built"),
        "compiler": {"compiler": "cc"},
        "compilers": {".c": ["cc"], ".cpp": ["c++"]},
        "left_out": [],
        "interpreters": [python | {"include": str(tmp_path), "suffix": ".so", "packages": "", "versions": {}}],
    }
    (tmp_path / "prepared.json").write_text(json.dumps(told), encoding="utf-8")
    words = ["--prepared", str(tmp_path / "prepared.json"), "--results", str(tmp_path), "--only", "no_nul"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 3 and "does not build" in done.output
