# SPDX-License-Identifier: Apache-2.0
"""Where the compiler, its folders and headers are, and what is told when they are not there."""

from pathlib import Path

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.header import compiler


def test_system_folders_have_the_compilers_own_headers() -> None:
    """stddef.h is the compiler's; libclang's package has none."""
    assert any(Path(folder, "stddef.h").is_file() for folder in compiler.system_folders())


def test_a_header_is_found_in_the_first_folder(tmp_path: Path) -> None:
    """The path is absolute."""
    (tmp_path / "tried.h").touch()
    assert compiler.find_header("tried.h", ["/nowhere", str(tmp_path)]) == tmp_path / "tried.h"


def test_missing_things_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header, a compiler and a package that are not there each have their advice."""
    with pytest.raises(WrapError, match=r"no header gone\.h.*\n.*development package"):
        compiler.find_header("gone.h", [str(tmp_path)])
    with pytest.raises(WrapError, match=r"pkg-config"):
        compiler.pkg_config("cside-no-such-package", "--cflags")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(WrapError, match="no C compiler"):
        compiler.command()
