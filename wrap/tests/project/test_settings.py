# SPDX-License-Identifier: Apache-2.0
"""cside.toml: what is written can be read, and mistakes are told."""

from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project.settings import NAME, Settings, read, write


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """All settings come back."""
    its = Settings("z", ("z.h",), ("z",), "libz", ("include",), ("A=1",))
    write(tmp_path, its)
    assert read(tmp_path) == its
    assert Settings("z", ("z.h",), ("z",), "", ("include",), ("A=1",)).flags(tmp_path) == [
        f"-I{(tmp_path / 'include').resolve()}",
        "-DA=1",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[library", "is no TOML"),
        ("a = 1", r"no table \[library\]"),
        ("[library]\nheader = 'z.h'", "header, which is not known"),
        ("[library]\nheaders = 'z.h'", "headers has to be a list"),
        ("[library]\nname = 'z'", "no header or no library"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, said: str) -> None:
    """Each with what is wrong."""
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(WrapError, match=said):
        read(tmp_path)


def test_a_folder_without_one_is_told(tmp_path: Path) -> None:
    """With the command that makes one."""
    with pytest.raises(WrapError, match="cside init --header"):
        read(tmp_path)
