# SPDX-License-Identifier: Apache-2.0
"""Tests of cside-wrap. Folders mirror its rooms: `roles/test_draft.py` tests `cside_wrap.roles.draft`.

They are imported with ``--import-mode=importlib``, as those of the bench, and share helpers with them.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.project.reading import Project, read
from cside_wrap.project.settings import Settings

SUPPORT = Path(__file__).resolve().parents[2] / "bench" / "tests" / "support"

sys.path[:0] = [] if str(SUPPORT) in sys.path else [str(SUPPORT)]

import small_library  # noqa: E402  # the folder of helpers has to be known first

Box = Callable[..., Project]


@pytest.fixture(scope="session")
def box_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with box.h and libbox.so."""
    folder = tmp_path_factory.mktemp("box")
    small_library.build(folder)
    return folder


@pytest.fixture
def box(box_folder: Path, tmp_path: Path) -> Box:
    """A function that reads the project of the small library, with the text of an overrides.toml."""

    def read_it(overrides: str = "") -> Project:
        (tmp_path / "overrides.toml").write_text(overrides, encoding="utf-8")
        its = Settings("box", (str(box_folder / "box.h"),), (str(box_folder / "libbox.so"),))
        return read(tmp_path, its)

    return read_it


@pytest.fixture
def other(tmp_path: Path) -> Callable[[str, str], Project]:
    """A function that builds and reads a library of a test's own, from a header and a source."""

    def made(header: str, source: str) -> Project:
        path = small_library.build(tmp_path, header, f'#include "other.h"\n{source}', "other")
        return read(tmp_path, Settings("other", (str(path),), (str(tmp_path / "libother.so"),)))

    return made


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of tests that look at a clock."""
    config.addinivalue_line("markers", "alone: run the test with no other beside it: it looks at a clock or a CPU")
