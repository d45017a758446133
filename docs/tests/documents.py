# SPDX-License-Identifier: Apache-2.0
"""Runs a Markdown page: writes the files that it shows, types the commands that it shows, and compares what they print.

A fenced block whose first line is a comment with a file's name is that file: ``# count.py`` or ``/* count.h */``. In a
block of the language ``console``, a line that begins with ``$`` is a command, and the lines behind it are its output.
All commands of a page run in one folder, each in the environment and the folder that the last one left. The comment
``<!-- measured: why -->`` before a block says that its numbers differ from run to run; the rest is compared.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

NAME: Final = re.compile(r"(?:#|/\*|//|<!--) (?P<name>[\w./-]+\.\w+)(?::| \*/| -->|$)", re.M)
"""The first line of a block that is a file; a colon may follow, and what the file is for."""
MEASURED: Final = re.compile(r"<!-- measured: .+ -->")
NUMBER: Final = re.compile(r"\d+(\.\d+)?( ?(ns|us|ms|sec))?\b")
COMPARED: Final = re.compile(r"\d+(\.\d+)?x (slower|faster)|not significant")
"""How pyperf says that one time is more or less than another."""
PATIENCE_S: Final = 300


@dataclass(frozen=True, slots=True)
class File:
    """A file that a page shows."""

    line: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a page shows, and what it prints."""

    line: int
    text: str
    printed: str
    measured: bool


def steps(page: str) -> Iterator[File | Command]:
    """Yield the files and the commands of a page in its order, with their lines counted from 1."""
    measured = False
    for token in MarkdownIt().parse(page):
        if token.type == "html_block":
            measured = MEASURED.match(token.content) is not None
        elif token.type == "fence":
            first = (token.map or [0])[0] + 2
            if token.info == "console":
                yield from _commands(token.content, first, measured=measured)
            elif named := NAME.match(token.content):
                yield File(first, named["name"], token.content)
            measured = False


def _commands(block: str, first: int, *, measured: bool) -> Iterator[Command]:
    line, text, printed = 0, "", list[str]()
    for number, each in enumerate(block.splitlines(), first):
        if each.startswith("$ "):
            if text:
                yield Command(line, text, "\n".join(printed), measured)
            line, text, printed = number, each[2:], []
        elif text.endswith("\\") and not printed:
            text += "\n" + each
        else:
            printed.append(each)
    if text:
        yield Command(line, text, "\n".join(printed), measured)


def alike(expected: str, printed: str, *, measured: bool) -> bool:
    """Whether a command printed what the page shows; spaces at the ends of lines do not count."""
    return _comparable(expected, measured) == _comparable(printed, measured)


def _comparable(text: str, measured: bool) -> list[str]:
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    if not measured:
        return lines
    told = (NUMBER.sub("0", COMPARED.sub("?", line)) for line in lines)
    return [re.sub(r"[-=]{2,}", "--", re.sub(r"\s+", " ", it)) for it in told]


@dataclass
class Shell:
    """Runs commands one after the other in a folder, as a user types them in one terminal."""

    folder: Path
    variables: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def __post_init__(self) -> None:
        self._state = self.folder.parent / f"{self.folder.name}.state"
        self._state.write_text(f"cd {self.folder}\n", encoding="utf-8")

    def run(self, command: str) -> tuple[int, str]:
        """Return the exit code of a command, and what it wrote to standard output and standard error."""
        script = (
            f'. "{self._state}"\n{command}\ncode=$?\n'
            f'{{ export -p | grep -v "declare -x PWD="; echo "cd \\"$PWD\\""; }} > "{self._state}"\nexit $code'
        )
        ended = subprocess.run(
            ["bash", "-c", script],
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        return ended.returncode, ended.stdout


def follow(page: str, folder: Path) -> Iterator[str]:
    """Do what a page says in an empty folder; yield a message for each command that fails or prints something else."""
    shell = Shell(folder)
    for step in steps(page):
        if isinstance(step, File):
            path = folder / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")
            continue
        code, printed = shell.run(step.text)
        if code != 0:
            yield f"line {step.line}: {step.text}\nended with {code}, and printed:\n{printed}"
            return
        if not alike(step.printed, printed, measured=step.measured):
            yield f"line {step.line}: {step.text}\nprints:\n{printed}\nand the page shows:\n{step.printed}"
