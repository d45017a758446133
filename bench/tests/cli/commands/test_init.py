# SPDX-License-Identifier: Apache-2.0
"""``cside init`` writes a project, tells what it found, and never overwrites what the user wrote."""

from pathlib import Path

import pytest
import small_library
from command import cside


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with box.h and libbox.so, which is the current one."""
    small_library.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_project_is_written(box: Path) -> None:
    """Three files, in a folder named like the library, and a summary of what was found and refused."""
    done = cside("init", "--header", "box.h", "--library", "./libbox.so")
    assert done.exit_code == 0
    assert {path.name for path in (box / "box").iterdir()} == {"cside.toml", "overrides.toml", "cside.lock"}
    assert "34 functions, 17 bound, 12 asked, 5 refused" in done.output
    assert "1 more are declared and not exported" in done.output
    assert "takes a va_list: box_vprint" in done.output
    assert "not confirmed: 0" in done.output


def test_nothing_is_overwritten(box: Path) -> None:
    """A second init changes nothing; an update keeps the rules and tells what changed in the header."""
    assert cside("init", "--header", "box.h", "--library", "./libbox.so").exit_code == 0
    mine = 'rules = [\n  { functions = "box_key", refuse = "mine" },\n]\n'
    (box / "box" / "overrides.toml").write_text(mine, encoding="utf-8")
    again = cside("init", "--header", "box.h", "--library", "./libbox.so")
    assert again.exit_code == 2 and "--update" in again.output
    header = box / "box.h"
    header.write_text(header.read_text(encoding="utf-8").replace("int box_check(int", "long box_check(int"), "utf-8")
    updated = cside("init", "--update", "box")
    assert updated.exit_code == 0
    assert "changed: int box_check(int number) is now long box_check(int number)" in updated.output
    assert (box / "box" / "overrides.toml").read_text(encoding="utf-8") == mine


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--header", "gone.h", "--library", "./libbox.so"), "no header gone.h"),
        (("--header", "box.h", "--library", "gone"), "no shared library gone"),
        (("--header", "box.h"), "give --header and --library"),
        (("--header", "broken.h", "--library", "./libbox.so"), "does not parse"),
    ],
)
def test_mistakes_are_told_and_write_nothing(box: Path, words: tuple[str, ...], said: str) -> None:
    """They are wrong usage."""
    (box / "broken.h").write_text("int f(unknown x);\n", encoding="utf-8")
    done = cside("init", *words, "made")
    assert done.exit_code == 2 and said in done.output
    assert not (box / "made").exists()
