# SPDX-License-Identifier: Apache-2.0
"""What ``nox -s fuzz`` keeps, what it says of a target, and what it refuses."""

import shutil
from pathlib import Path

import pytest

from provision.commands import Problem
from provision.reliability import corpus, fuzzing
from provision.reliability.fuzzing import Asked, Row


def test_inputs_with_a_comment_stay_and_of_the_others_the_shortest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finding is kept for good, however long it is; what a merge gives replaces the rest."""
    monkeypatch.setattr(corpus, "MOST_INPUTS", 3)
    file = tmp_path / "target.hex"
    file.write_text(f"# it crashed\n{'ab' * 5000}\n\nff\n", encoding="utf-8")
    assert corpus.read(file) == [(("# it crashed",), b"\xab" * 5000), ((), b""), ((), b"\xff")]
    assert corpus.write(file, [b"123", b"1", b"12", b"\xab" * 5000]) == 3
    assert corpus.read(file) == [(("# it crashed",), b"\xab" * 5000), ((), b"1"), ((), b"12")]
    assert corpus.unpack(file, tmp_path / "inputs") == 3
    assert sorted(each.read_bytes() for each in (tmp_path / "inputs").iterdir()) == [b"1", b"12", b"\xab" * 5000]


def test_every_target_has_a_corpus_that_can_be_read() -> None:
    """A target without one would begin from nothing each time, and a test of no input would pass."""
    assert len(fuzzing.targets()) >= 6
    for name in fuzzing.targets():
        assert corpus.read(fuzzing.source() / "corpus" / f"{name}.hex"), name


def test_what_is_asked_for_is_read_and_anything_else_refused() -> None:
    """A misspelt name is told with the names that there are, before anything is built."""
    asked = fuzzing.read(["--time", "5", "--target", "codec", "--keep"], ["grammar"])
    assert asked == Asked(5, ("codec",), keep=True, python="")
    assert set(fuzzing.read([], ["grammar"]).targets) == {*fuzzing.targets(), "grammar"}
    with pytest.raises(Problem, match="no target has the name 'codek'; there are codec"):
        fuzzing.read(["--target", "codek"])
    with pytest.raises(Problem, match="1 or more"):
        fuzzing.read(["--time", "0"])
    with pytest.raises(Problem, match="--time SECONDS"):
        fuzzing.read(["--tiem", "5"])


def test_without_clang_the_problem_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """libFuzzer is a part of clang."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Problem, match="apt-get install clang"):
        fuzzing.check()


def test_the_table_adds_up() -> None:
    """The last line has the sums."""
    printed = fuzzing.table([Row("codec", 1_000_000, 60.2, 80, ()), Row("store", 5, 1.0, 3, ("crash-1 (overflow)",))])
    assert printed.splitlines() == [
        "target  executions  seconds  corpus  findings",
        "codec   1,000,000   60       80      none",
        "store   5           1        3       crash-1 (overflow)",
        "all     1,000,005   61       83      1",
    ]
