# SPDX-License-Identifier: Apache-2.0
"""``python -m workshop``, which ``nox -s workshop`` runs: list, start, check and solve labs."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from workshop import checking, labs
from workshop.labs import LabError

EPILOG = """\
examples:
  nox -s workshop -- prepare      download and build all that the labs need; afterwards no network is needed
  nox -s workshop -- list         the labs, with the minutes that each takes
  nox -s workshop -- start 3      a folder of its own for lab 3
  nox -s workshop -- check 3      what is right, what is missing, and why
  nox -s workshop -- solve 3      a solution, and how yours differs from it

exit codes: 0 done, everything checked is right; 1 something is missing; 2 wrong usage
"""


def parser() -> argparse.ArgumentParser:
    """The parser of the command line. ``prepare`` is told in the help; nox does it before this program starts."""
    top = argparse.ArgumentParser(
        "nox -s workshop --",
        description="Labs on binding a C library to Python. Each has a sheet in docs/workshop/.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--folder", type=Path, help=f"where participants work (default: {labs.WORK}/ in the checkout)")
    top.add_argument("--results", type=Path, default=labs.ROOT / "results", help="the folder of runs and drills")
    actions = top.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("prepare", help="download and build all that the labs need")
    actions.add_parser("list", help="list the labs")
    for name, says in (
        ("start", "make the folder of a lab"),
        ("check", "say what is right and what is missing"),
        ("solve", "show a solution"),
    ):
        action = actions.add_parser(name, help=says)
        action.add_argument("number", type=int, help="the number of the lab")
        if name == "start":
            action.add_argument("--again", action="store_true", help="move the work that is there aside, begin anew")
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Do what the command line asks for; return the exit code."""
    asked = parser().parse_args(words)
    under = asked.folder.resolve() if asked.folder else labs.ROOT / labs.WORK
    try:
        if asked.action in ("list", "prepare"):
            _list()
            return 0
        lab = labs.one(asked.number)
        if asked.action == "start":
            _start(lab, under, again=asked.again)
            return 0
        if asked.action == "check":
            return _check(lab, under, asked.results.resolve())
        _solve(lab, under)
        return 0
    except LabError as error:
        print(error, file=sys.stderr)
        return 2


def _list() -> None:
    for lab in labs.every():
        print(f"{lab.number}  {lab.title:<48} {lab.minutes} minutes  {_told(lab.sheet)}")


def _start(lab: labs.Lab, under: Path, *, again: bool) -> None:
    folder = labs.start(lab, under, again=again)
    print(f"lab {lab.number}: {lab.title}, {lab.minutes} minutes")
    print(f"  your folder  {_told(folder)}")
    print(f"  the sheet    {_told(lab.sheet)}")
    print(f"  the Python   . {_told(Path(sys.executable).parent / 'activate')}")
    print(f"  the check    nox -s workshop -- check {lab.number}")


def _check(lab: labs.Lab, under: Path, results: Path) -> int:
    folder = lab.work(under)
    if not folder.is_dir():
        raise LabError(f"lab {lab.number} has not been started: nox -s workshop -- start {lab.number}")
    found = checking.check(lab, folder, results)
    print(checking.text(lab, found))
    return 0 if all(each.right for each in found.all) else 1


def _solve(lab: labs.Lab, under: Path) -> None:
    folder, difference = labs.solve(lab, under)
    if difference:
        print(difference)
    print(f"A solution is in {_told(folder)}; your own files are as they were.")


def _told(path: Path) -> str:
    """A path as the user types it at the top of the checkout."""
    return path.relative_to(labs.ROOT).as_posix() if path.is_relative_to(labs.ROOT) else str(path)


if __name__ == "__main__":
    sys.exit(main())
