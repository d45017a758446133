# SPDX-License-Identifier: Apache-2.0
"""Completion in the shell offers commands, options, runs and bindings."""

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from command import cside
from cside_bench.cli import main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(shell: str) -> None:
    """The script calls the program by its own name."""
    done = cside("completion", shell)
    assert done.exit_code == 0
    assert f"_CSIDE_COMPLETE={shell}_complete" in done.stdout
    assert "cside" in done.stdout


def offered(words: list[str], incomplete: str) -> list[str]:
    """What a shell would be told."""
    return [it.value for it in ShellComplete(main, {}, "cside", "_CSIDE_COMPLETE").get_completions(words, incomplete)]


def test_completion_knows_commands_and_data(tree: Path) -> None:
    """Commands, runs, tiers' options, and what the checkout declares."""
    assert offered([], "com") == ["compare", "completion"]
    assert offered(["compare"], "2026") == ["20260101-000000"]
    assert offered(["list"], "w") == ["workloads"]
    assert "--quick" in offered(["bench"], "--q")
    (tree / "bindings" / "some" / "pyproject.toml").write_text(
        '[project]\nname = "cside-some"\n[project.entry-points."cside.bindings"]\nsome = "cside_some"\n',
        encoding="utf-8",
    )
    assert offered(["export", "--binding"], "so") == ["some"]
    assert offered(["export", "--only"], "") == []
