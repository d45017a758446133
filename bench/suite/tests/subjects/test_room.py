# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_suite.subjects`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "copies": "bench/suite/tests/process/test_load.py",
    "pytest_options": "bench/suite/src/cside_suite/conformance/test_knobs.py",
    "thread_calls": "bench/suite/tests/process/threads/test_measure.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
