# SPDX-License-Identifier: Apache-2.0
"""The cside command as a user types it, in this process or in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result
from cside_bench.cli import main


def cside(*words: str | Path) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(main, [str(word) for word in words])


def program(*words: str | Path, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cside_bench", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **variables},
        timeout=120,
        check=False,
    )
