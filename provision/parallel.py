# SPDX-License-Identifier: Apache-2.0
"""pytest-xdist in a folder of its own, for tests that two processes run side by side.

It is no part of the interpreters' environments: a measuring process runs pytest too, and would load it.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from provision import commands, paths, tools

WORKERS = min(2, os.cpu_count() or 1)
"""Processes that run tests at a time; many tests start a process of their own."""


def plugin(requirements: Iterable[str], python: Path) -> Path:
    """The folder that holds these distributions, which are pure Python: it serves all interpreters."""
    wanted = sorted(requirements)
    folder = paths.STATE / "pytest-plugins" / "-".join(wanted)
    if folder.is_dir():
        return folder
    with paths.one_at_a_time():
        if folder.is_dir():
            return folder
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        install = [tools.uv(), "pip", "install", "--python", python, "--no-deps", "--target", partial, *wanted]
        commands.run(install, log="pytest-plugins")
        partial.rename(folder)
    return folder
