# SPDX-License-Identifier: Apache-2.0
"""Carries out what the sheet of a lab shows: its blocks of the kind ``console``, in their order.

A line that begins with ``$`` is a command, one that begins with ``>`` continues it, and what follows is what the
command prints; ``...`` in it stands for anything. ``<!-- solution -->`` says that from here on the lab is solved.
Blocks of another kind, as ``sh``, are not carried out: they measure for minutes.
"""

import doctest
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from workshop import labs
from workshop.labs import ROOT, WORK, Lab

SOLUTION: Final = "<!-- solution -->"
SESSION: Final = "nox -s workshop --"
COMPARE: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, slots=True)
class Step:
    """A command and what it prints; without a command, the place from which on the lab is solved."""

    command: str
    printed: str


def steps(text: str) -> Iterator[Step]:
    """What a sheet shows, in its order."""
    for token in MarkdownIt().parse(text):
        if token.type == "html_block" and token.content.strip() == SOLUTION:
            yield Step("", "")
        if token.type != "fence" or token.info != "console":
            continue
        command, printed = "", ""
        for line in token.content.splitlines():
            if line.startswith("$ "):
                if command:
                    yield Step(command, printed)
                command, printed = line[2:], ""
            elif line.startswith(">"):
                command += f"\n{line[2:]}"
            else:
                printed += f"{line}\n"
        yield Step(command, printed)


def differs(wanted: str, got: str) -> bool:
    """Whether a command printed something else than the sheet shows."""
    return not doctest.OutputChecker().check_output(wanted, got, COMPARE)


class Participant:
    """Somebody who works through a lab in a folder of their own, and types what the sheet shows."""

    def __init__(self, lab: Lab, folder: Path, results: Path) -> None:
        self.lab = lab
        self.folder = folder
        self.results = results
        self.place = ROOT

    def run(self, command: str) -> str:
        """Type a command; return what it prints."""
        if command.startswith("cd "):
            self.place = self.folder / Path(command[3:]).relative_to(WORK)
            return ""
        there = f"{sys.executable} -m workshop --folder {self.folder} --results {self.results}"
        command = command.replace(SESSION, there)
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        env = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.place,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout.replace(str(self.folder), WORK)

    def solve(self) -> None:
        """Have solved the lab, as its patch does."""
        work = self.lab.work(self.folder)
        kept = {name: (work / name).read_bytes() for name in ("samples.json",) if (work / name).exists()}
        shutil.rmtree(work)
        labs.solved(self.lab, work)
        for name, content in kept.items():
            (work / name).write_bytes(content)
