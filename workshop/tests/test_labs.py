# SPDX-License-Identifier: Apache-2.0
"""Every lab can be begun and solved, and its check tells one from the other."""

from pathlib import Path

import pytest

from workshop import checking, labs
from workshop.labs import Lab, LabError

EVERY = labs.every()
MEASURED = {2: {"the experiment has been made"}, 7: {"the change has been drilled"}}
"""What a solution cannot bring with it, by the number of the lab: the participant's machine has to make it."""


def test_there_are_eight_labs_of_twenty_to_forty_minutes() -> None:
    """Each has a number of its own, and a sheet."""
    assert [lab.number for lab in EVERY] == list(range(1, 9))
    for lab in EVERY:
        assert 20 <= lab.minutes <= 40
        assert lab.sheet.read_text(encoding="utf-8").startswith(f"# Lab {lab.number}: ")
        assert f"**Time**: {lab.minutes} minutes" in lab.sheet.read_text(encoding="utf-8")


@pytest.mark.parametrize("lab", EVERY, ids=lambda lab: lab.name)
def test_what_is_handed_out_is_not_right_and_says_why(lab: Lab, tmp_path: Path, results: Path) -> None:
    """Whatever is missing is explained."""
    found = checking.check(lab, labs.start(lab, tmp_path), results)
    missing = [each for each in found.all if not each.right]
    assert missing
    for each in missing:
        assert each.seen
        assert f"MISSING  {each.what}" in checking.text(lab, found)


@pytest.mark.parametrize("lab", EVERY, ids=lambda lab: lab.name)
def test_the_solution_is_a_patch_that_makes_everything_right(lab: Lab, tmp_path: Path, results: Path) -> None:
    """All but what is measured."""
    found = checking.check(lab, labs.solved(lab, tmp_path / lab.name), results)
    wrong = [each for each in found.all if not each.right and each.what not in MEASURED.get(lab.number, ())]
    assert not wrong, checking.text(lab, found)


def test_work_is_kept_unless_one_begins_anew(tmp_path: Path) -> None:
    """And then it is moved aside."""
    lab = labs.one(3)
    mine = labs.start(lab, tmp_path) / "with_ctypes.py"
    mine.write_text("mine", encoding="utf-8")
    with pytest.raises(LabError, match="--again"):
        labs.start(lab, tmp_path)
    assert mine.read_text(encoding="utf-8") == "mine"
    labs.start(lab, tmp_path, again=True)
    assert mine.read_text(encoding="utf-8") != "mine"
    assert (tmp_path / "3-buffers.old-1" / mine.name).read_text(encoding="utf-8") == "mine"


def test_a_solution_is_shown_beside_the_work(tmp_path: Path) -> None:
    """As what would have to change in it; the work itself stays."""
    lab = labs.one(3)
    mine = labs.start(lab, tmp_path)
    before = {file.name: file.read_bytes() for file in mine.iterdir()}
    folder, difference = labs.solve(lab, tmp_path)
    assert "--- yours/with_ctypes.py" in difference
    assert "+    view = memoryview(out)" in difference
    assert {file.name: file.read_bytes() for file in mine.iterdir()} == before
    assert "from_buffer" in (folder / "with_ctypes.py").read_text(encoding="utf-8")


def test_a_patch_that_does_not_apply_is_told(tmp_path: Path) -> None:
    """It is never applied by half."""
    lab = labs.one(3)
    mine = labs.start(lab, tmp_path)
    (mine / "with_ctypes.py").write_text("mine", encoding="utf-8")
    before = (mine / "with_cython.pyx").read_bytes()
    with pytest.raises(LabError, match="does not apply"):
        labs.apply(lab, mine)
    assert (mine / "with_cython.pyx").read_bytes() == before
