# SPDX-License-Identifier: Apache-2.0
"""``cside bench`` starts nox and passes its options and its exit code on."""

import json
import sys
from pathlib import Path

import pytest
from command import cside
from cside_bench.cli import main
from cside_bench.machine import checkout

NOX = """
import subprocess, sys
words = sys.argv[1:]
assert words[:2] == ["-f", sys.argv[2]] and words[2:5] == ["-s", "bench", "--"], words
print("nox > a line of nox's own")
done = subprocess.run([sys.executable, "-m", "cside_bench", "run", *words[5:]])
sys.exit(1 if done.returncode else 0)
"""
"""Stands in for nox, which knows success and failure only."""


def test_bench_passes_words_on_and_the_exit_code_back(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """``cside bench`` ends with the code that ``cside run`` had inside of nox, which would say 1 for any failure."""
    fake = tmp_path / "nox.py"
    fake.write_text(NOX, encoding="utf-8")
    monkeypatch.setattr(checkout, "nox", lambda: [sys.executable, str(fake)])
    assert cside("bench", "--nonsense").exit_code == 2
    assert "--nonsense" in capfd.readouterr().err
    assert cside("bench", "--python", "0.1", "--quick").exit_code == 2


def test_bench_prints_one_json_document(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What nox and the run print goes to standard error then; a run that never began is told as none."""
    fake = tmp_path / "nox.py"
    fake.write_text(NOX, encoding="utf-8")
    monkeypatch.setattr(checkout, "nox", lambda: [sys.executable, str(fake)])
    with pytest.raises(SystemExit) as end:
        main(["bench", "--json", "--nonsense"])
    told = capfd.readouterr()
    assert json.loads(told.out) == {"exit_code": 2, "run": None}
    assert "a line of nox's own" in told.err
    assert end.value.code == 2


def test_bench_without_nox_says_how_to_install_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of a checkout the message says that one is needed."""
    monkeypatch.setattr(checkout, "nox", lambda: None)
    done = cside("bench")
    assert done.exit_code == 2
    assert "pip install nox" in done.stderr
    monkeypatch.setattr(checkout, "root", lambda: None)
    assert "in no checkout of cside" in cside("bench").stderr
