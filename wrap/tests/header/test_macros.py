# SPDX-License-Identifier: Apache-2.0
"""Macros get the values that C gives them; aliases of functions and macros without a value are no constants."""

from collections.abc import Callable

from cside_wrap.project.reading import Project


def test_values(box: Callable[..., Project]) -> None:
    """Integers keep sign and width, texts are joined, enumerators are there."""
    found = {name: one.value for name, one in box().header.constants.items()}
    assert found == {
        "BOX_MAX": 7,
        "BOX_BIG": 2**64 - 1,
        "BOX_SHIFTED": 2**31,
        "BOX_HALF": 0.5,
        "BOX_NAME": "box",
        "BOX_KEYBYTES": 16,
        "BOX_RED": 1,
        "BOX_BLUE": -2,
    }


def test_a_name_of_a_function_is_an_alias(box: Callable[..., Project]) -> None:
    """A macro of function type is another name of it; one that is no expression is not read."""
    found = box().header
    assert found.aliases == {"BOX_ALIAS": "box_count"}
    assert found.unread == ("BOX_API",)
