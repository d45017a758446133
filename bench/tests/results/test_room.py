# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_bench.results`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "digits": "test_evidence.py",
    "headline": "bench/tests/report/test_report.py",
    "instructions": "bench/tests/run/test_instructions.py",
    "starts": "bench/tests/summary/test_costs.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
