# SPDX-License-Identifier: Apache-2.0
"""``cside run``."""

from click.testing import CliRunner
from cside_bench.cli import main


def test_help_teaches_by_example() -> None:
    """Help names the commands that people type."""
    runner = CliRunner()
    assert "nox -s bench -- --quick" in runner.invoke(main, ["--help"]).output
    assert "--only codec.crc32" in runner.invoke(main, ["run", "--help"]).output
