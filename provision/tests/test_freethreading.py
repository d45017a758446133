# SPDX-License-Identifier: Apache-2.0
"""Which bindings are tested without a GIL."""

import json
from pathlib import Path

import pytest

from provision import commands, freethreading
from provision.commands import Problem


def answer(monkeypatch: pytest.MonkeyPatch, **reasons: str | None) -> None:
    """Let the environment's bindings answer so."""
    monkeypatch.setattr(commands, "output", lambda *_, **__: f"a line of noise\n{json.dumps(reasons)}\n")


def test_those_that_declare_it_are_tested(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are named with their own reason."""
    answer(monkeypatch, one=None, two="no locks")
    assert freethreading.declared(Path("python")) == ["one"]
    assert "two is left out, it does not declare free threading: no locks" in capsys.readouterr().err


def test_without_one_the_session_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run without tests must not look like a success."""
    answer(monkeypatch, two="no locks")
    with pytest.raises(Problem, match="nothing to test"):
        freethreading.declared(Path("python"))
