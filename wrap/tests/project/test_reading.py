# SPDX-License-Identifier: Apache-2.0
"""A whole project is read, and a header is compared with its lock file."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project import lock
from cside_wrap.project.reading import Project, check_lock, read
from cside_wrap.project.settings import Settings
from cside_wrap.roles.vocabulary import State


def test_states_add_up(box: Callable[..., Project]) -> None:
    """Every function is in one of three states."""
    found = box()
    assert sum(found.states().values()) == len(found.header.functions) == 34
    assert found.states()[State.REFUSED] == 5


def test_the_lock_tells_changes(box: Callable[..., Project]) -> None:
    """Nothing has changed at once; a changed prototype is told."""
    found = box()
    lock.write(found.folder, found.lock())
    assert check_lock(found) == []
    one = found.header.functions["box_check"]
    found.header.functions["box_check"] = dataclasses.replace(one, declaration="long box_check(int number)")
    assert check_lock(found) == ["int box_check(int number) is now long box_check(int number)"]


def test_the_lock_has_no_folder_of_this_machine(box: Callable[..., Project], box_folder: Path) -> None:
    """It is committed."""
    assert str(box_folder) not in str(box().lock())


def test_a_library_of_another_header_is_told(box_folder: Path, tmp_path: Path) -> None:
    """It exports none of the functions."""
    (tmp_path / "else.h").write_text("int something_else(void);\n", encoding="utf-8")
    with pytest.raises(WrapError, match="exports none"):
        read(tmp_path, Settings("box", (str(tmp_path / "else.h"),), (str(box_folder / "libbox.so"),)))
