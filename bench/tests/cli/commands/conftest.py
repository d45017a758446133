# SPDX-License-Identifier: Apache-2.0
"""A project for the commands on a library of the user's."""

from pathlib import Path

import pytest
import small_library
from command import cside


@pytest.fixture
def small_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that has the small library, and a project of it in ``prj``."""
    small_library.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cside("init", "--header", "box.h", "--library", "./libbox.so", "prj").exit_code == 0
