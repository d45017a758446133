# SPDX-License-Identifier: Apache-2.0
"""Rules: which arguments they meet, what they change, what follows, and which mistakes are told."""

from collections.abc import Callable

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.project.reading import Project
from cside_wrap.roles.rules import read_rule
from cside_wrap.roles.vocabulary import Role, State


def rules(*lines: str) -> str:
    """The text of an overrides.toml."""
    return "rules = [\n" + "\n".join(f"  {{ {line} }}," for line in lines) + "\n]\n"


def test_a_confirmed_output_is_bound(box: Callable[..., Project]) -> None:
    """By a pattern, with its reason; other functions stay as they are."""
    found = box(rules('functions = "box_f*", argument = "dst", role = "bytes-out", room = "dstCapacity", why = "so"'))
    assert found.described["box_fill"].state == State.BOUND
    assert found.described["box_fill"].arguments[0].reason == "so"
    assert found.described["box_apart"].state == State.ASKED


def test_the_later_rule_wins(box: Callable[..., Project]) -> None:
    """An exception stands after its rule."""
    found = box(
        rules(
            'argument = "return", type = "int", role = "status", ok = "result == 0"',
            'functions = "box_count", argument = "return", role = "value"',
        )
    )
    assert found.described["box_check"].result.role == Role.STATUS
    assert found.described["box_count"].result.role == Role.VALUE


def test_a_size_by_address_is_settled_with_its_buffer(box: Callable[..., Project]) -> None:
    """One rule hides the address, which takes the room and returns what is filled."""
    found = box(rules('argument = "out", functions = "box_query", role = "bytes-out", room = "8", filled = "outlen"'))
    out, length = found.described["box_query"].arguments
    assert (out.role, length.role, length.get("value")) == (Role.BYTES_OUT, Role.HIDDEN, "8")
    assert found.described["box_query"].state == State.BOUND


def test_a_prefix_finds_the_constant(box: Callable[..., Project]) -> None:
    """And a rule whose constant is missing for a function leaves it alone."""
    overrides = rules(
        'argument = "k", role = "bytes-in", size = "{prefix}_KEYBYTES"'.replace("{prefix}", "BOX"),
    )
    assert box(overrides).described["box_key"].state == State.BOUND
    found = box(rules('argument = "k", role = "bytes-in", size = "{prefix}_KEYBYTES"'))
    assert found.described["box_key"].state == State.ASKED
    assert "met nothing" in found.notes[0]


def test_undone_lengths_are_numbers_again(box: Callable[..., Project]) -> None:
    """Where a rule makes text of bytes, the length is an argument of Python's again."""
    found = box(rules('functions = "box_sum", argument = "data", role = "text-in"'))
    assert found.described["box_sum"].arguments[1].role == Role.VALUE


def test_refusing_is_a_rule(box: Callable[..., Project]) -> None:
    """The reason is the user's."""
    assert box(rules('functions = "box_key", refuse = "unsafe"')).described["box_key"].refused == "unsafe"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('functions = "box_key", argument = "k", role = "bytes"', "cannot have"),
        ('functions = "box_key", argument = "k", role = "bytes-in"', "no size"),
        ('functions = "box_key", argument = "k", role = "value"', "a pointer, the role value"),
        ('functions = "box_check", argument = "number", role = "text-in"', "a number, the role"),
    ],
)
def test_roles_that_do_not_fit_are_told(box: Callable[..., Project], line: str, said: str) -> None:
    """With the rule's number and the argument."""
    with pytest.raises(WrapError, match=said):
        box(rules(line))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"argument": "k", "rol": "value"}, "rol, which no rule has"),
        ({"argument": "k", "role": "bytes-into"}, "no role 'bytes-into'"),
        ({"role": "value"}, "says neither"),
        ({"argument": "k", "nullable": "yes"}, "true or false"),
        ({"argument": "k", "size": "2 *"}, "no expression"),
        ({"functions": [], "argument": "k"}, "functions has to be"),
    ],
)
def test_tables_that_are_no_rules_are_told(table: dict[str, object], said: str) -> None:
    """Each with what is wrong."""
    with pytest.raises(WrapError, match=said):
        read_rule(1, table)


def test_a_rule_that_meets_nothing_is_noted(box: Callable[..., Project]) -> None:
    """A misspelt name would else be silent."""
    assert "rule 1" in box(rules('functions = "bocks_*", argument = "k", role = "address"')).notes[0]
