# SPDX-License-Identifier: Apache-2.0
"""``docs/command.md`` has the help of every command and every JSON document."""

import subprocess
import sys

from cside_bench.cli import command_page
from repository import ROOT


def test_the_page_of_commands_is_as_generated() -> None:
    """``docs/command.md`` has every command's help of today; ``python -m cside_bench.cli.command_page`` writes it."""
    done = subprocess.run(  # in a process of its own: click keeps the help option of whoever asked first
        [sys.executable, "-m", "cside_bench.cli.command_page", "--check"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_page_of_commands_tells_of_every_json_document() -> None:
    """Each command with --json is in its table, and no other."""
    found = {
        context.command_path
        for context in command_page.contexts()
        if any("--json" in parameter.opts for parameter in context.command.params)
    }
    assert found | {"cside bench"} == set(command_page.DOCUMENTS)
