# SPDX-License-Identifier: Apache-2.0
"""Tests in two processes side by side: by pytest-xdist, or as programs whose output is printed when they have ended."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from provision import commands, paths, tools

WORKERS = min(2, os.cpu_count() or 1)
"""Processes that run tests at a time; many tests start a process of their own."""


def plugin(requirements: Iterable[str], python: Path) -> Path:
    """The folder with pytest-xdist and what it requires. They are pure Python, so that it serves all interpreters.

    They are not installed in the environments, in which processes that measure run pytest too and would load them.
    """
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


def run_side_by_side(programs: Sequence[Sequence[str | Path]], env: Mapping[str, str]) -> None:
    """Run programs at the same time, and print the whole output of each in their order; `Problem` unless all exit 0.

    For tests that fork: a worker of pytest-xdist has a second thread, and a fork of a process with threads may hang.
    """
    failed = []
    with ExitStack() as stack:
        started = []
        for words in programs:
            output = stack.enter_context(tempfile.TemporaryFile())
            child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=dict(env), cwd=paths.ROOT
            )
            stack.callback(child.wait)
            stack.callback(child.terminate)  # after Ctrl-C; a child that has ended is not affected
            started.append((words, child, output))
        for words, child, output in started:
            code = child.wait()
            output.seek(0)
            sys.stdout.write(output.read().decode(errors="replace"))
            sys.stdout.flush()
            if code:
                failed.append(f"exit code {code} from: {' '.join(map(str, words))}")
    if failed:
        raise commands.Problem("\n".join(failed))
