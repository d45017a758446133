# SPDX-License-Identifier: Apache-2.0
"""Drafts: what is bound without a question, and, above all, what is not."""

from collections.abc import Callable

import pytest
from cside_wrap.project.reading import Project
from cside_wrap.roles.lifetimes import Lifetimes
from cside_wrap.roles.vocabulary import Confidence, Role, State

ROLES = {
    "box_new": "text-in handle",
    "box_free": "handle nothing",
    "box_name": "handle text",
    "box_sum": "bytes-in hidden value",
    "box_split": "value value-out value-out nothing",
    "box_area": "struct value",
    "box_each": "value callback hidden nothing",
    "box_state_init": "handle nothing",
    "box_state_update": "handle bytes-in hidden nothing",
    "box_next": "value value",
}

ASKED = {
    "box_first": ["return"],
    "box_copy_name": ["return"],
    "box_open": ["made"],
    "box_apart": ["dst"],
    "box_fill": ["dst"],
    "box_move": ["p"],
    "box_key": ["k"],
    "box_digest": ["out"],
    "box_query": ["out", "outlen"],
    "box_view_size": ["v"],
    "box_on_change": ["changed"],
    "box_unnamed": ["arg0"],
}


@pytest.mark.parametrize("name", ROLES)
def test_roles(box: Callable[..., Project], name: str) -> None:
    """These are drafted and bound."""
    one = box().described[name]
    assert " ".join(each.role for each in (*one.arguments, one.result)) == ROLES[name]
    assert one.state == State.BOUND
    assert all(each.reason for each in one.arguments)


def test_unsafe_drafts_are_asked(box: Callable[..., Project]) -> None:
    """Output buffers, ownerships, sizes that nothing says, callbacks without user data: exactly these."""
    found = {
        name: [each.name for each in one.open] for name, one in box().described.items() if one.state == State.ASKED
    }
    assert found == ASKED


def test_a_length_may_stand_elsewhere(box: Callable[..., Project]) -> None:
    """``src, dst, srcSize``: the length is recognised by its name, so that src is no text."""
    source = box().described["box_apart"].arguments[0]
    assert (source.role, source.get("size")) == (Role.BYTES_IN, "srcSize")


def test_text_is_asked_where_a_length_is_left(other: Callable[[str, str], Project]) -> None:
    """Constant char that no length belongs to may be bytes: reading on to a NUL would be past the end."""
    found = other(
        "int f(const char *source, int level, int inputSize);",
        "int f(const char *source, int level, int inputSize) { return source[inputSize - level]; }",
    ).described["f"]
    assert found.arguments[0].confidence == Confidence.GUESS


def test_a_number_of_something_else_is_no_length(other: Callable[[str, str], Project]) -> None:
    """SQLite's nArg stands beside a name, and says nothing of its length."""
    found = other("int f(const char *zName, int nArg);", "int f(const char *zName, int nArg) { return nArg; }")
    assert [one.role for one in found.described["f"].arguments] == [Role.TEXT_IN, Role.VALUE]


def test_objects_by_their_functions(box: Callable[..., Project]) -> None:
    """A struct with declared fields that a function sets up and another ends is an object; one without these is not."""
    lifetimes = Lifetimes(box().header)
    assert lifetimes.is_object("box_state") and not lifetimes.is_object("struct box_point")
    assert lifetimes.close_of("struct box") == "box_free"


def test_names_that_are_no_names(other: Callable[[str, str], Project]) -> None:
    """Arguments without a name get numbers, and Python's keywords an underscore."""
    found = other("int f(int, int in, int);", "int f(int a, int in, int b) { return a + b + in; }")
    assert [one.name for one in found.described["f"].arguments] == ["arg0", "in_", "arg2"]
