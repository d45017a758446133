# SPDX-License-Identifier: Apache-2.0
"""What the labs of the workshop need is downloaded and built before they begin."""

import os
from pathlib import Path

from provision import labs, paths
from provision.drill import changes


def test_a_file_with_two_names_counts_once(tmp_path: Path) -> None:
    """Interpreters may share files by hard links."""
    (tmp_path / "one").write_bytes(bytes(1000))
    os.link(tmp_path / "one", tmp_path / "two")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "three").write_bytes(bytes(500))
    assert labs._size(tmp_path) == 1500
    assert labs._megabytes(1_234_567_890) == "1,235 MB"


def test_what_is_prepared_for_the_drill_is_there() -> None:
    """The change that lab 7 shows first ships, and the bindings that it asks are in its commands."""
    assert labs.SHOWN in {change.id for change in changes.read()}
    sheet = (paths.ROOT / "docs" / "workshop" / "7-header.md").read_text(encoding="utf-8")
    assert f"--change {labs.SHOWN}" in sheet
    for binding in labs.DRILLED:
        assert f"--binding {binding}" in sheet
