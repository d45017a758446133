# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_bench.run`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "costs/builds": "test_static_costs.py",
    "costs/lines": "test_static_costs.py",
    "costs/sources": "test_static_costs.py",
    "costs/static": "test_static_costs.py",
    "costs/wheels": "test_static_costs.py",
    "progress": "test_instructions.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
