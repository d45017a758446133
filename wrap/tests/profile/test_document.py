# SPDX-License-Identifier: Apache-2.0
"""profile.toml is read as it was written, and a damaged one is told."""

from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.profile.counters import Sizes
from cside_wrap.profile.document import NAME, Function, Profile, read, write

PROFILE = Profile(
    ("python", 'a "b".py'),
    -15,
    2.0,
    1,
    ("libbox.so",),
    9.1,
    {"box_sum": Function(1000, 500.0, Sizes(999, 4000, {0: 9, 4: 990})), "box_print": Function(3, None)},
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Also text with quotation marks, and calls without times."""
    write(tmp_path, PROFILE)
    assert read(tmp_path) == PROFILE
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_its_sums() -> None:
    """Seconds inside are those of calls that were timed; outside is what is left."""
    assert PROFILE.calls == 1003
    assert PROFILE.inside_seconds == pytest.approx(0.0005)
    assert PROFILE.own_seconds == pytest.approx(1.9995)
    assert Profile((), 0, 1.0, 1, (), 0.0, {"f": Function(4, 1e9)}).own_seconds == 0.001


def test_a_project_may_have_none(tmp_path: Path) -> None:
    """That is no error."""
    assert read(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("version = ", "is no TOML"), ("version = 9", "of version 9"), ("version = 1", "no profile of cside")],
)
def test_a_damaged_file_is_told(tmp_path: Path, text: str, said: str) -> None:
    """With what to type."""
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(WrapError, match=said) as told:
        read(tmp_path)
    assert "cside profile" in told.value.advice
