# SPDX-License-Identifier: Apache-2.0
"""Commands are loaded when they are used, and their help is printed without loading what takes time."""

import subprocess
import sys

import pytest

SLOW = {"scipy", "altair", "vl_convert", "numpy", "pandas", "jsonschema", "cside_bench.cli.commands.run"}


def loaded_by(*words: str) -> set[str]:
    """Modules that a process has imported once it has run the command."""
    code = (
        "import sys\nfrom cside_bench.cli import main\n"
        f"try:\n    main({list(words)!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stderr.splitlines())


def test_help_imports_nothing_that_takes_time() -> None:
    """Neither arrays nor statistics nor charts are loaded to print the help."""
    assert not SLOW & loaded_by("--help")


@pytest.mark.parametrize("name", ["bench", "list", "doctor", "completion", "claims", "recommend"])
def test_commands_that_answer_at_once_load_no_statistics_and_no_charts(name: str) -> None:
    """What only reads files of a run, or looks around, leaves scipy and the chart library alone."""
    assert not {"scipy", "altair", "vl_convert"} & loaded_by(name, "--help")
