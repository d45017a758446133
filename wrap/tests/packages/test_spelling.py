# SPDX-License-Identifier: Apache-2.0
"""Expressions mean the same in Python and in C, and no step of them wraps around."""

from collections.abc import Callable

import pytest
from cside_wrap.packages import spelling
from cside_wrap.packages.describe import describe
from cside_wrap.packages.description import Call
from cside_wrap.project.reading import Project


@pytest.fixture
def call(other: Callable[[str, str], Project]) -> Call:
    """A function of bytes and a number."""
    found = other(
        "unsigned long sum(const void *data, unsigned long size, int n);",
        "unsigned long sum(const void *data, unsigned long size, int n) { return data != 0 ? size + n : 0; }",
    )
    return describe(found)[0].calls[0]


@pytest.mark.parametrize(
    ("text", "python", "c"),
    [
        ("len(data)", "data_size", "(cside_wide)data_size"),
        ("n // 2 + 1", "n // 2 + 1", "(((cside_wide)n / (cside_wide)2) + (cside_wide)1)"),
        ("LIMIT", "4294967296", "(cside_wide)(4294967296ll)"),
        ("max(n, 1)", "max(n, 1)", "cside_max((cside_wide)n, (cside_wide)1)"),
        ("result == 0 and n > 1", "result == 0 and n > 1", None),
        ("0 < n < 4", "0 < n < 4", None),
    ],
)
def test_expressions(call: Call, text: str, python: str, c: str | None) -> None:
    """A length is that of the buffer; a constant is its value."""
    assert spelling.python(text, call, {"LIMIT": 1 << 32}) == python
    if c is not None:
        assert spelling.c(text, call, {"LIMIT": 1 << 32}) == c


def test_conditions_of_c_and_cython(call: Call) -> None:
    """Chains are taken apart for C."""
    assert spelling.c("0 < n < 4", call, {}, cast="{}") == "(0 < n && n < 4)"
    assert spelling.c("not (n == 1 or n == 2)", call, {}, cast="{}", name="c_{}", cython=True) == (
        "(not ((c_n == (1)) or (c_n == (2))))"
    )


def test_annotations_and_results(call: Call) -> None:
    """As a type checker reads them."""
    assert [spelling.annotation(one) for one in call.taken] == ["Buffer", "SupportsIndex"]
    assert spelling.returns(call) == "int"


def test_docstrings_end_well(call: Call) -> None:
    """Nothing in a comment ends the docstring early."""
    from dataclasses import replace

    odd = replace(call, documentation='ends in a quote "\nand has """ and \\ in it "')
    text = f'"""{spelling.documentation(odd)}"""'
    assert "'''" in eval(text)
