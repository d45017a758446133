# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_suite.process`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "block_file": "test_block.py",
    "collector": "test_block.py",
    "floor": "test_block.py",
    "floor_pkcs11": "test_block.py",
    "inventory": "bench/tests/cli/commands/test_list.py",
    "library_counts": "test_library_block.py",
    "native_trace": "test_block.py",
    "request": "test_block.py",
    "start_bare": "test_start.py",
    "timing": "test_children.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
