# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_bench.recommend`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "__init__": "test_answer.py",
    "constraints": "test_answer.py",
    "doubts": "test_answer.py",
    "facts": "test_answer.py",
    "flips": "test_answer.py",
    "profile_text": "test_profiles.py",
    "ranking": "test_answer.py",
    "scoring": "test_answer.py",
    "situation": "test_answer.py",
    "wording": "test_answer.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
