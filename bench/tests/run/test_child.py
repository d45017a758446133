# SPDX-License-Identifier: Apache-2.0
"""What a measuring process is given, and how its end is described."""

from pathlib import Path

from cside_bench.run.child import describe, environment


def test_nuisances_differ_between_processes_and_repeat_with_the_seed(tmp_path: Path) -> None:
    """Hash seed and padding are drawn; settings of the user's Python do not reach a measuring process."""
    first, second = environment(1, tmp_path), environment(2, tmp_path)
    assert first == environment(1, tmp_path)
    assert (first["PYTHONHASHSEED"], first["CSIDE_PADDING"]) != (second["PYTHONHASHSEED"], second["CSIDE_PADDING"])
    assert "trim_threshold" in first["GLIBC_TUNABLES"]
    assert "PYTHONPATH" not in first


def test_exit_codes_are_told_in_words() -> None:
    """A signal has a name."""
    assert describe(-11) == "SIGSEGV"
    assert describe(3) == "exit code 3"
