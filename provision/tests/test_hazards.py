# SPDX-License-Identifier: Apache-2.0
"""What ``nox -s hazards`` reads of its arguments."""

from provision import hazards
from provision.drill.asked import default_interpreters


def test_interpreters_are_named_or_the_default_ones() -> None:
    """Other arguments are the tool's."""
    assert hazards.asked(["--only", "fork"]) == (default_interpreters(), False)
    assert hazards.asked(["--python", "pypy@3.11", "--python", "3.13", "--python", "cpython-3.13"]) == (
        ["pypy3.11", "3.13"],
        False,
    )
    assert hazards.asked(["-h"])[1]
