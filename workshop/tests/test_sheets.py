# SPDX-License-Identifier: Apache-2.0
"""What a sheet shows is what happens."""

from pathlib import Path

import pytest

from workshop import labs
from workshop.labs import Lab
from workshop.tests.sheets import Participant, Step, differs, steps


@pytest.mark.parametrize("lab", labs.every(), ids=lambda lab: lab.name)
def test_every_command_of_a_sheet_prints_what_the_sheet_shows(lab: Lab, tmp_path: Path, results: Path) -> None:
    """From the beginning of the lab to its solution."""
    participant = Participant(lab, tmp_path, results)
    shown = list(steps(lab.sheet.read_text(encoding="utf-8")))
    assert Step("", "") in shown
    for step in shown:
        if not step.command:
            participant.solve()
            continue
        printed = participant.run(step.command)
        assert not differs(step.printed, printed), f"$ {step.command}\n{printed}\n--- shown:\n{step.printed}"


def test_a_sheet_that_shows_something_else_is_found() -> None:
    """Dots stand for anything, spaces for any space, and nothing else is lenient."""
    text = "1. Do\n\n   ```console\n   $ echo a\n   > echo b\n   a\n   ...\n   $ true\n   ```\n\n<!-- solution -->\n"
    assert list(steps(text)) == [Step("echo a\necho b", "a\n...\n"), Step("true", ""), Step("", "")]
    assert not differs("a\n...\nc\n", "a\nb\nb\nc\n")
    assert differs("a\n...\nc\n", "a\nb\nd\n")
    assert differs("", "something\n")
