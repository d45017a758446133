# SPDX-License-Identifier: Apache-2.0
"""``cside review`` prints what is open, takes answers, and writes them as rules."""

import json
from pathlib import Path

import pytest
import small_library
from command import cside


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of the small library, in the current folder."""
    small_library.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cside("init", "--header", "box.h", "--library", "./libbox.so", "prj").exit_code == 0
    return tmp_path / "prj"


def asked(argument: str, function: str) -> str:
    """The id of the question of an argument."""
    rows = json.loads(cside("review", "prj", "--json").stdout)
    return str(next(row["id"] for row in rows if [function, argument] in row["places"]))


def test_questions_are_printed(box: Path) -> None:
    """With the declaration and the draft; the exit code says that some are open."""
    done = cside("review", "prj")
    assert done.exit_code == 1
    assert "int box_fill(void *dst, size_t dstCapacity)" in done.output
    assert "role=bytes-out,room=dstCapacity" in done.output
    assert "17 of 34 functions bound, 12 asked" in done.output


def test_an_answer_is_written_and_counts(box: Path) -> None:
    """One line more in overrides.toml, one function more is bound."""
    before = (box / "overrides.toml").read_text(encoding="utf-8").splitlines()
    done = cside("review", "prj", "--answer", f"{asked('dst', 'box_fill')}=yes")
    assert "18 of 34 functions bound, 11 asked" in done.output
    assert len((box / "overrides.toml").read_text(encoding="utf-8").splitlines()) == len(before) + 1


def test_a_wrong_answer_writes_nothing(box: Path) -> None:
    """Neither does one that is right beside it, nor one whose rule fits no argument."""
    before = (box / "overrides.toml").read_bytes()
    right = f"{asked('dst', 'box_fill')}=yes"
    key = asked("k", "box_key")
    for wrong in ("0000=yes", f"{key}=maybe", f"{key}=role=bytes-in", f"{key}=role=text"):
        assert cside("review", "prj", "--answer", right, "--answer", wrong).exit_code == 2
        assert (box / "overrides.toml").read_bytes() == before


def test_roles_of_one_function(box: Path) -> None:
    """Each argument with its confidence and the reason."""
    done = cside("review", "prj", "--roles", "box_sum")
    assert done.exit_code == 0
    assert "data: bytes-in (size=size); likely: constant bytes beside their length size" in done.output
    assert cside("review", "prj", "--roles", "gone").exit_code == 2


def test_a_folder_without_a_project_is_told(tmp_path: Path) -> None:
    """With the command that makes one."""
    done = cside("review", str(tmp_path))
    assert done.exit_code == 2 and "cside init" in done.output
