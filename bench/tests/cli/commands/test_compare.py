# SPDX-License-Identifier: Apache-2.0
"""``cside compare``: its output, its help and its errors."""

import json
from pathlib import Path

from click.testing import CliRunner
from compared import SLOWED, compare
from cside_bench.cli.commands.compare import command
from synthetic_run import write_run


def test_json_has_standard_output_for_itself(tmp_path: Path) -> None:
    """Standard output is one JSON document without NaN, also where --fail-over ends the command with an error."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={SLOWED: 1.5})
    done = compare(tmp_path, "--json", "--fail-over", "2%", "--markdown", str(tmp_path / "c.md"))
    assert done.exit_code == 1

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found = json.loads(done.stdout, parse_constant=refuse)
    assert found["exceeded"] is True
    assert found["fail_over"] == 0.02


def test_wrong_usage_exits_with_2_and_says_why(tmp_path: Path) -> None:
    """A run that is not there, a limit that is no percentage, and runs with nothing in common; no traceback."""
    write_run(tmp_path / "base", 1)
    nowhere = compare(tmp_path)
    assert nowhere.exit_code == 2
    assert "other is no run" in nowhere.output
    assert "there are: base" in nowhere.output
    write_run(tmp_path / "other", 2)
    for limit in ("much", "-1%", "nan"):
        assert compare(tmp_path, "--fail-over", limit).exit_code == 2
    nothing = compare(tmp_path, "--only", "nothing")
    assert nothing.exit_code == 2
    assert "no cell in common of what --only nothing selects" in nothing.output


def test_help_teaches_by_example_and_documents_exit_codes() -> None:
    """Examples can be copied, and each exit code has its meaning."""
    text = CliRunner().invoke(command, ["--help"]).output
    assert "latest --fail-over 2%" in text
    assert "Exit codes: 0 compared" in text
