# SPDX-License-Identifier: Apache-2.0
"""Progress is one line on a terminal, which is overwritten, and a line for each step anywhere else."""

import io
import sys

import pytest

from provision import commands


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """It always is."""
        return True


def test_on_a_terminal_a_step_overwrites_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """No step ends its line; a message removes the line first, and no line is wider than the terminal."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "40")
    for number in range(28):
        commands.step(f"cpython-3.14: installing something {number}: not there yet")
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().count(f"\r{commands.CLEAR}") == 28
    assert max(len(line) for line in stream.getvalue().split(f"\r{commands.CLEAR}")) < 40
    commands.say("done")
    assert stream.getvalue().endswith(f"\r{commands.CLEAR}cside: done\n")
    commands.say("more")
    assert stream.getvalue().endswith("done\ncside: more\n")


def test_elsewhere_every_step_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log keeps all of them, and has no control characters."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    commands.step("one")
    commands.step("two")
    commands.settle()
    assert stream.getvalue() == "cside: one\ncside: two\n"
