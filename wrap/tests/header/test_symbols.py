# SPDX-License-Identifier: Apache-2.0
"""The symbols of a file that is no library of the project's."""

from pathlib import Path

from cside_wrap.header.symbols import defined, taken_by_address


def test_functions_that_are_not_exported_count(box_folder: Path) -> None:
    """Libraries have such too; wrap/tests/profile/test_run.py has a program."""
    assert {"box_new", "box_count"} <= defined(box_folder / "libbox.so")


def test_other_files_have_none(tmp_path: Path) -> None:
    """Neither text nor nothing is an error: they are files of somebody's program."""
    (tmp_path / "text").write_text("#!/bin/sh\n", encoding="utf-8")
    for path in (tmp_path / "text", tmp_path / "nothing"):
        assert defined(path) == taken_by_address(path, {"box_new"}) == set()
