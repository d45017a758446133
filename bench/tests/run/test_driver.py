# SPDX-License-Identifier: Apache-2.0
"""The folder of a new run."""

from pathlib import Path

from cside_bench.run.driver import new_folder


def test_folders_of_runs_never_collide(tmp_path: Path) -> None:
    """Two runs in one second have two folders."""
    assert new_folder(tmp_path) != new_folder(tmp_path)
