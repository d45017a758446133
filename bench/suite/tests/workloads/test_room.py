# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_suite.workloads`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "hook": "bench/suite/tests/process/test_block.py",
    "library_calls": "bench/suite/tests/process/test_library_block.py",
    "names": "bench/tests/claims/test_catalogue.py",
    "pkcs11_programs": "bench/suite/tests/process/test_block.py",
    "references": "bench/suite/tests/process/test_block.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
