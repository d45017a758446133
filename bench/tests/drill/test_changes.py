# SPDX-License-Identifier: Apache-2.0
"""The changes to the headers that a drill makes."""

from cside_bench.drill import changes
from cside_bench.drill.prepared import UNCHANGED


def test_every_change_says_what_it_is_and_asks_something() -> None:
    """The issue's five kinds are among them, and no two have one id."""
    told = changes.read()
    assert {
        "argument-added",
        "field-inserted",
        "constant-renumbered",
        "function-removed",
        "signedness-changed",
    } <= set(told)
    assert UNCHANGED not in told
    for change in told.values():
        assert change.ask and change.names and change.title
        assert change.says.endswith(".")
        for name, expression in (change.ask | change.gained).items():
            compile(expression, name, "eval")
