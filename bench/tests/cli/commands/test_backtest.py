# SPDX-License-Identifier: Apache-2.0
"""``cside backtest`` as it is typed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cside_bench.cli.commands.backtest import command
from cside_bench.recommend import backtest
from synthetic_advice import KNOWN, LABEL, ON_PYPY, PYPY, drill, write

CASE = """
[[case]]
name = "ours"
technique_now = ["ctypes"]
defensible = ["ctypes"]
embarrassing = [%s]
facts = { functions = 5, compiler_at_build = "no", compiler_at_install = "no", wheels = "none", pypy = false }
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run in it, ``both``."""
    folder = tmp_path_factory.mktemp("results")
    drill(write(folder / "both", {LABEL: KNOWN, PYPY: ON_PYPY}).folder, dict.fromkeys(KNOWN, 0))
    return folder


def tried(results: Path, *arguments: str) -> Result:
    """Run the command on ``both``, unless arguments name another run."""
    return CliRunner().invoke(command, ["--results", str(results), "--run", "both", *arguments])


def test_json_has_each_trial_and_the_totals(results: Path) -> None:
    """And nothing else on standard output; the exit code says whether any embarrasses."""
    done = tried(results, "--json")
    found = json.loads(done.stdout)
    assert [set(it) >= {"name", "leads", "verdict", "answer"} for it in found["trials"]] == [True] * 12
    assert sum(found["totals"].values()) == 12
    assert done.exit_code == (1 if found["totals"][backtest.EMBARRASSING] else 0)


def test_without_a_run_the_one_that_ships_is_named_as_another_machines(tmp_path: Path) -> None:
    """It is said before the first line, and in the JSON."""
    words = ["--results", str(tmp_path), "--only", "CuPy"]
    assert CliRunner().invoke(command, words).stdout.lstrip().startswith("Another machine's numbers")
    assert json.loads(CliRunner().invoke(command, [*words, "--json"]).stdout)["another_machine"]


def test_an_answer_that_embarrasses_is_something_to_look_at(results: Path, tmp_path: Path) -> None:
    """Exit code 1 for it, and 0 for the same answer where it does not embarrass."""
    path = tmp_path / "mine.toml"
    for embarrassing, code in (('"ctypes"', 1), ("", 0)):
        path.write_text(CASE % embarrassing, encoding="utf-8")
        done = tried(results, "--file", str(path))
        assert done.exit_code == code, done.output
        assert ("1 embarrassing" in done.output) == bool(code)


def test_some_are_tried_and_told_in_full(results: Path) -> None:
    """By a part of the name, as Markdown."""
    done = tried(results, "--only", "libnacl", "--markdown")
    assert done.exit_code == 0, done.output
    assert "### libnacl (Salt)" in done.output and "pyzmq" not in done.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "neither"], "there is no decision 'neither'"),
        (["--file", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["--run", "neither"], "neither is no run"),
    ],
)
def test_wrong_usage_ends_with_exit_code_2(results: Path, arguments: list[str], told: str) -> None:
    """And says what would be right."""
    done = tried(results, *arguments)
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
