# SPDX-License-Identifier: Apache-2.0
"""A question is asked in a process of its own, and what happens there is told."""

import textwrap
from pathlib import Path

import pytest

from workshop import checking, labs
from workshop.checking import WIDTH, Findings


def test_what_a_question_raises_is_what_is_seen(tmp_path: Path) -> None:
    """An exception by its last line, an assertion by its text, a signal by its name."""
    for code, seen in (
        ("same(1 + 1, 2)", ""),
        ("same(1 + 1, 3)", "it is 2, not 3"),
        ("raises(ValueError, int, 'x')", ""),
        ("raises(TypeError, int, 'x')", "it raised ValueError: invalid literal for int() with base 10: 'x'"),
        ("raises(ValueError, int, '1')", "it returned 1 and raised nothing"),
        ("import absent_from_here", "ModuleNotFoundError: No module named 'absent_from_here'"),
        ("import os\nos.abort()", "the process was ended by SIGABRT"),
        ("sys.exit(3)", "it ended without a message"),
    ):
        assert checking.run(tmp_path, checking.PRELUDE + textwrap.dedent(code)) == seen


def test_a_question_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And said to hang."""
    monkeypatch.setattr(checking, "PATIENCE_S", 1)
    assert checking.run(tmp_path, "while True: pass") == "it had not ended after 1 s"


def test_what_is_right_needs_no_explanation(tmp_path: Path) -> None:
    """What is missing has what was seen, and why, within the width of the page."""
    found = Findings(tmp_path, tmp_path)
    assert found.add(True, "one", seen="hidden", why="hidden")
    assert not found.add(False, "two", seen="seen " * 40, why="a-command --with-hyphens " * 10)
    text = checking.text(labs.one(1), found)
    assert "hidden" not in text
    assert "1 of 2 are right." in text
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(line.split()[-1] in ("a-command", "--with-hyphens") for line in text.splitlines() if "hyphens" in line)
