# SPDX-License-Identifier: Apache-2.0
"""Find the labs, put a participant in front of one, and show its solution."""

import difflib
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
GIVEN: Final = HERE / "given"
"""Programs that several labs hand out."""
WORK: Final = "my-labs"
"""The folder at the top of the checkout in which participants work. git ignores it."""
PATCH: Final = "solution.patch"


class LabError(Exception):
    """A lab cannot be shown, started or checked; the message says why and what to type."""


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab: its texts and the folder that it comes from."""

    number: int
    name: str
    """Number and short name, as ``3-buffers``; the name of its folder and of its sheet."""
    title: str
    minutes: int
    given: tuple[str, ...]
    """Programs of `GIVEN` that are handed out with it."""
    folder: Path

    @property
    def sheet(self) -> Path:
        """The page that a participant reads."""
        return ROOT / "docs" / "workshop" / f"{self.name}.md"

    def work(self, under: Path) -> Path:
        """The participant's folder of this lab."""
        return under / self.name


def every() -> list[Lab]:
    """All labs, by number."""
    found = [_read(file) for file in (HERE / "labs").glob("*/lab.toml")]
    return sorted(found, key=lambda lab: lab.number)


def one(number: int) -> Lab:
    """The lab of this number. Raises `LabError` if there is none."""
    for lab in every():
        if lab.number == number:
            return lab
    numbers = ", ".join(str(lab.number) for lab in every())
    raise LabError(f"there is no lab {number}; the labs are {numbers}. nox -s workshop -- list describes them")


def _read(file: Path) -> Lab:
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    name = file.parent.name
    number = re.match(r"\d+", name)
    if number is None:
        raise LabError(f"{file.parent}: the name of a lab's folder begins with its number")
    given = tuple(str(each) for each in told.get("given", ()))
    return Lab(int(number[0]), name, str(told["title"]), int(told["minutes"]), given, file.parent)


def start(lab: Lab, under: Path, *, again: bool = False) -> Path:
    """Make the participant's folder and return it. Work that is there stays; with ``again`` it is moved aside.

    The folder appears in one step, so that an interruption leaves none that is half filled. Raises `LabError` if the
    folder is there and ``again`` is not given.
    """
    target = lab.work(under)
    if target.exists():
        if not again:
            raise LabError(
                f"{target} is there already, and your work in it stays as it is. "
                f"To begin anew: nox -s workshop -- start {lab.number} --again"
            )
        target.rename(_free(target))
    under.mkdir(parents=True, exist_ok=True)
    beside = under / f".{lab.name}.{os.getpid()}.tmp"
    shutil.rmtree(beside, ignore_errors=True)
    _fill(lab, beside)
    beside.rename(target)
    return target


def _free(target: Path) -> Path:
    """The first name of the form ``NAME.old-1`` that is not taken."""
    number = 1
    while (name := target.with_name(f"{target.name}.old-{number}")).exists():
        number += 1
    return name


def _fill(lab: Lab, folder: Path) -> None:
    """Write what the lab hands out into a folder that is not there yet."""
    shutil.copytree(lab.folder / "start", folder, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    for name in lab.given:
        shutil.copy2(GIVEN / name, folder / name)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def solved(lab: Lab, folder: Path) -> Path:
    """Write the lab with its solution into a folder that is not there yet, and return it.

    Raises `LabError` if the patch does not apply, which a test of every lab rules out.
    """
    _fill(lab, folder)
    apply(lab, folder)
    return folder


def apply(lab: Lab, folder: Path) -> None:
    """Apply the solution to a folder that is as the lab hands it out. Raises `LabError` if it does not apply."""
    # git looks for a repository in the folders above, and would take the paths of the patch as relative to its top
    env = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
    command = ["git", "apply", "--whitespace=nowarn", str(lab.folder / PATCH)]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"the solution of lab {lab.number} does not apply to {folder}: {done.stderr.strip()}")


def solve(lab: Lab, under: Path) -> tuple[Path, str]:
    """Write the solution beside the participant's work; return its folder, and how the participant's files differ.

    The participant's own files are not changed.
    """
    target = lab.work(under).with_name(f"{lab.name}.solution")
    shutil.rmtree(target, ignore_errors=True)
    under.mkdir(parents=True, exist_ok=True)
    solved(lab, target)
    mine = lab.work(under)
    return target, "".join(_difference(mine, target)) if mine.exists() else ""


def _difference(mine: Path, solution: Path) -> Iterator[str]:
    """The lines of a unified diff from the participant's files to those of the solution."""
    for file in sorted(solution.rglob("*")):
        name = file.relative_to(solution)
        if not file.is_file() or name.name == ".gitignore":
            continue
        before = (mine / name).read_text(encoding="utf-8").splitlines(keepends=True) if (mine / name).exists() else []
        after = file.read_text(encoding="utf-8").splitlines(keepends=True)
        yield from difflib.unified_diff(before, after, f"yours/{name}", f"solution/{name}")
