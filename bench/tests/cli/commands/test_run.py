# SPDX-License-Identifier: Apache-2.0
"""``cside run``."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from command import cside
from cside_bench.cli import main


def test_help_teaches_by_example() -> None:
    """Help names the commands that people type."""
    runner = CliRunner()
    assert "nox -s bench -- --quick" in runner.invoke(main, ["--help"]).output
    assert "--only codec.crc32" in runner.invoke(main, ["run", "--help"]).output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--only", "codec.crc23"), "the nearest: codec.crc32"),
        (("--only", "crc23"), "codec.crc32"),
        (("--only", "codec.crc32", "--only", "nonsense"), "--only nonsense: no workload has this in its name"),
        (("--quick", "--only", "codec.crc32[262144]"), "the tier quick leaves out codec.crc32[262144]"),
        (("--binding", "cyton"), "the nearest: cython"),
        (("--binding", "nonsense"), "there are: "),
        (("--handicap", "cext:idioms.nop=5"), "idioms.noop"),
        (("--python", "3.99"), "--python 3.99: there is no such interpreter here"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_matches_nothing_is_refused_before_there_is_a_run(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    """The error has the nearest names, and no folder is made, so that ``latest`` stays what it was."""
    done = cside("run", *words, "--results", str(tmp_path / "results"))
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.split())
    assert not (tmp_path / "results").exists()


def test_a_dry_run_prints_what_would_be_measured(tmp_path: Path) -> None:
    """The names of the workloads, one in a line, and nothing else happens."""
    done = cside("run", "--dry-run", "--only", "crc32[16]", "--only", "noop", "--results", str(tmp_path / "results"))
    assert done.exit_code == 0
    assert done.stdout.split() == ["codec.crc32[16]", "idioms.noop"]
    assert not (tmp_path / "results").exists()


def test_going_on_needs_a_run_that_is_not_complete(tree: Path) -> None:
    """Without one, the error says so."""
    done = cside("run", "--resume", "--results", str(tree / "nowhere"))
    assert done.exit_code == 2
    assert "none to go on with" in done.stderr
