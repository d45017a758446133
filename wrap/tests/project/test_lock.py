# SPDX-License-Identifier: Apache-2.0
"""cside.lock: what has changed since is told, function by function."""

from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project import lock


def test_changes_are_named() -> None:
    """Files and functions that came, went or are different."""
    before = {
        "headers": {"a.h": "1"},
        "libraries": {"a.so.1": "1"},
        "functions": {"f": "int f(void)", "g": "int g(void)"},
    }
    now = {"headers": {"a.h": "2"}, "libraries": {"a.so.2": "1"}, "functions": {"f": "int f(int)", "h": "int h(void)"}}
    assert lock.changes(before, before) == []
    assert lock.changes(before, now) == [
        "a.h has changed",
        "a.so.2 is new",
        "a.so.1 is gone",
        "function g is gone",
        "function h is new",
        "int f(void) is now int f(int)",
    ]


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    """So are a missing one and one of another version."""
    with pytest.raises(WrapError, match="there is no"):
        lock.read(tmp_path)
    for text, said in (("{", "damaged"), ("[]", "damaged"), ('{"version": 99}', "version 99")):
        (tmp_path / lock.NAME).write_text(text, encoding="utf-8")
        with pytest.raises(WrapError, match=said):
            lock.read(tmp_path)
