# SPDX-License-Identifier: Apache-2.0
"""Expressions of rules: what they may have, what ``{prefix}`` becomes, what they are worth."""

import pytest
from cside_wrap.errors import WrapError
from cside_wrap.roles.expressions import expand, names, one_value, parse, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [("2 * n + 1", 9), ("len(data)", 3), ("min(n, 3)", 3), ("n // 3", 1), ("n == 4 and not 0", 1), ("bound(n)", 8)],
)
def test_values(text: str, value: int) -> None:
    """Names are numbers, bytes or functions."""
    assert value_of(text, {"n": 4, "data": b"abc", "bound": lambda n: 2 * n}) == value


def test_an_argument_may_be_named_as_a_function_of_the_language() -> None:
    """xxhash names lengths len."""
    assert value_of("len(data) + len", {"data": b"abc", "len": 4}) == 7
    assert names("len(data) + len") == {"data", "len"}


@pytest.mark.parametrize(
    "text", ["n.real", "[1]", "lambda: 1", "'a'", "f(*a)", "n if n else 1", "2 *", "__import__('os').x"]
)
def test_other_syntax_is_refused(text: str) -> None:
    """Nothing that could do anything but compute a number."""
    with pytest.raises(WrapError):
        parse(text)


def test_unknown_names_are_told() -> None:
    """By the name."""
    with pytest.raises(WrapError, match="nothing"):
        value_of("nothing + 1", {})
    with pytest.raises(WrapError, match="cannot be computed"):
        value_of("1 // 0", {})


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("result == 0", True),
        ("result == OK", True),
        ("result >= 0", False),
        ("failed(result) == 0", False),
        ("result == 0 or result == 1", False),
    ],
)
def test_conditions_of_one_value(text: str, one: bool) -> None:
    """A status that is a count, or one of several, is returned to Python; one that is always the same is not."""
    assert one_value(text) == one


def test_prefixes() -> None:
    """The longest beginning with which all names are known."""
    known = {"crypto_box_KEYBYTES", "crypto_KEYBYTES"}
    assert expand("{prefix}_KEYBYTES", "crypto_box_easy", known.__contains__) == "crypto_box_KEYBYTES"
    assert expand("{prefix}_KEYBYTES", "crypto_hash", known.__contains__) == "crypto_KEYBYTES"
    assert expand("{prefix}_NONCE", "crypto_box_easy", known.__contains__) is None
