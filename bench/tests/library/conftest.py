# SPDX-License-Identifier: Apache-2.0
"""The small library of the tests of cside-wrap, as a project."""

import pytest
import small_library
from cside_wrap.project.reading import Project, read
from cside_wrap.project.settings import Settings

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_move", argument = "p", role = "struct", direction = "inout", why = "one" },
  { functions = "box_open", argument = "made", role = "handle-out", owner = "box_free", why = "documented" },
  { functions = "box_query", argument = "out", role = "bytes-out", room = "box_count()", filled = "outlen" },
  { functions = "box_query", argument = "return", role = "status", ok = "result == 0", why = "documented" },
]
"""


@pytest.fixture(scope="session")
def box(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project."""
    folder = tmp_path_factory.mktemp("box")
    small_library.build(folder)
    (folder / "overrides.toml").write_text(RULES, encoding="utf-8")
    return read(folder, Settings("box", (str(folder / "box.h"),), (str(folder / "libbox.so"),)))
