# SPDX-License-Identifier: Apache-2.0
"""What a participant types."""

from pathlib import Path

import pytest

from workshop import labs
from workshop.__main__ import main


def test_the_list_names_every_lab_and_its_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    """With the minutes that it takes."""
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(labs.every())
    assert "docs/workshop/1-first-call.md" in lines[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["start", "11"], "there is no lab 11; the labs are 1, 2, 3, 4, 5, 6, 7, 8"),
        (["check", "3"], "lab 3 has not been started: nox -s workshop -- start 3"),
    ],
)
def test_what_is_not_there_is_said(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what to type."""
    assert main(["--folder", str(tmp_path), *words]) == 2
    assert says in capsys.readouterr().err


def test_the_exit_code_says_whether_everything_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1 at the beginning, 0 with the solution."""
    folder = ["--folder", str(tmp_path)]
    assert main([*folder, "start", "5"]) == 0
    assert "your folder" in capsys.readouterr().out
    assert main([*folder, "check", "5"]) == 1
    assert main([*folder, "solve", "5"]) == 0
    work = labs.one(5).work(tmp_path)
    for file in work.with_name(f"{work.name}.solution").iterdir():
        (work / file.name).write_bytes(file.read_bytes())
    assert main([*folder, "check", "5"]) == 0
