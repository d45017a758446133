# SPDX-License-Identifier: Apache-2.0
"""``cside profile`` of a project writes profile.toml, or says why it cannot; bench/tests/run has that of modules."""

import json
import sys
import tomllib
from pathlib import Path

import pytest
from command import cside, program

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="LD_AUDIT is of glibc"),
    pytest.mark.usefixtures("small_project"),
]

PROGRAM = "import ctypes, sys; box = ctypes.CDLL('./libbox.so'); box.box_count(); box.box_fill(None, 0); sys.exit(6)"


def test_calls_are_written_and_shown() -> None:
    """With the share of calls of functions that are bound; the exit code is the program's."""
    done = program("profile", "prj", "--", sys.executable, "-c", PROGRAM)
    assert done.returncode == 6, done.stderr
    assert (
        "2 calls of 2 functions" in done.stderr and "50.0% of the calls are of functions that are bound" in done.stderr
    )
    written = tomllib.loads(Path("prj", "profile.toml").read_text(encoding="utf-8"))
    assert set(written["functions"]) == {"box_count", "box_fill"}
    again = program("profile", "prj", "--json", "--", sys.executable, "-c", PROGRAM)
    assert json.loads(again.stderr)["functions"]["box_count"]["calls"] == 1


def test_a_program_without_calls_writes_nothing() -> None:
    """It says why, and what was there stays."""
    done = program("profile", "prj", "--", sys.executable, "-c", "pass")
    assert done.returncode == 1 and "called no function of the project" in done.stderr
    assert not Path("prj", "profile.toml").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prj",), "there is no --"),
        (("prj", "--"), "nothing stands after --"),
        (("nowhere", "--", "true"), "there is no nowhere/cside.toml"),
        (("--module", "x.so", "prj", "--", "true"), "DIR is a project of another library"),
    ],
)
def test_wrong_usage_is_told(words: tuple[str, ...], said: str) -> None:
    """Before anything runs."""
    done = cside("profile", *words)
    assert done.exit_code == 2 and said in done.output
