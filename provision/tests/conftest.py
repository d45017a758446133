# SPDX-License-Identifier: Apache-2.0
"""Everything is kept in a folder of the test's own; nothing is downloaded."""

from collections.abc import Callable
from pathlib import Path

import pytest

from provision import paths


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh ``.cside``."""
    folder = tmp_path / ".cside"
    monkeypatch.setattr(paths, "STATE", folder)
    for name in ("TOOLS", "INTERPRETERS", "BUILDERS", "BUILD", "WHEELS", "ENVIRONMENTS", "LOGS"):
        monkeypatch.setattr(paths, name, folder / name.lower())
    monkeypatch.setattr(paths, "MANIFEST", folder / "environments.json")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below the test's folder."""

    def writer(name: str, text: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return writer
