# SPDX-License-Identifier: Apache-2.0
"""Every package of the three distributions has a ``test_room.py``, which says where its modules are tested."""

from pathlib import Path

import pytest
from rooms import SOURCES, has_code, wrong_entries

BY_PYTEST = {"conformance"}
"""Packages of tests: they are run by pytest itself."""
ELSEWHERE = {
    "cside_bench": {"__init__": "cli/test_cli.py", "__main__": "cli/test_cli.py"},
    "cside_wrap": {"errors": "wrap/tests/header/test_compiler.py"},
    "cside_suite": {"__init__": "bench/suite/src/cside_suite/conformance/test_contract.py"},
}
"""Where modules at the top of the packages are tested."""


@pytest.mark.parametrize("tests", SOURCES, ids=[source.name for source in SOURCES.values()])
def test_every_package_has_a_table(tests: Path) -> None:
    """A package without one would not be checked."""
    packages = {folder.name for folder in SOURCES[tests].iterdir() if (folder / "__init__.py").is_file()}
    assert {one.parent.name for one in tests.glob("*/test_room.py")} == packages - BY_PYTEST


@pytest.mark.parametrize("tests", SOURCES, ids=[source.name for source in SOURCES.values()])
def test_modules_at_the_top_are_tested(tests: Path) -> None:
    """A module beside the rooms has a test file of its name, or an entry here."""
    wrong = wrong_entries(str(tests / "test_rooms.py"), ELSEWHERE[SOURCES[tests].name])
    assert [it for it in wrong if not it.startswith("conformance/")] == []


def test_a_wrong_table_is_refused() -> None:
    """A module without a test, an entry that is not needed, and names of nothing are all found."""
    (here,) = (folder for folder in SOURCES if SOURCES[folder].name == "cside_bench")
    wrong = wrong_entries(str(here / "drill" / "test_room.py"), {"outcomes": "test_outcomes.py", "gone": "nowhere.py"})
    assert any(it.startswith("asking has no") for it in wrong)
    assert "outcomes has test_outcomes.py: its entry is not needed" in wrong
    assert "gone is no module of drill" in wrong
    assert "gone is said to be tested in nowhere.py, which does not exist" in wrong


def test_a_module_with_a_docstring_alone_needs_no_test(tmp_path: Path) -> None:
    """There is nothing in it that could be wrong."""
    module = tmp_path / "package.py"
    module.write_text('"""What is here."""\n', encoding="utf-8")
    assert not has_code(module)
    module.write_text('"""What is here."""\nVALUE = 1\n', encoding="utf-8")
    assert has_code(module)
