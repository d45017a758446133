# SPDX-License-Identifier: Apache-2.0
"""Two backends: whom each serves, their price and their gain."""

from dataclasses import replace
from typing import Any

import pytest
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.packaging import base_of
from profiles_of_tests import changed, hot
from synthetic_advice import LINES

BOTH = replace(hot(calls_per_second=1e6), interpreters={"cpython": 0.5, "pypy": 0.5}, worst=True)


def offers(advisor: Advisor, profile: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer, and the two backends that it names."""
    answer = advisor.answer(profile)
    return answer, answer["two_backends"]


def test_one_interpreter_and_one_kind_of_user_need_one_backend(advisor: Advisor) -> None:
    """Nothing is offered."""
    assert offers(advisor, hot())[1] == []


def test_where_interpreters_differ_each_has_what_is_fast_there(advisor: Advisor) -> None:
    """The approach that leads is one of the two; both are written, and the time is that of the worst interpreter."""
    answer, found = offers(advisor, BOTH)
    (one,) = found
    first, second = one["subjects"]
    lead = [*answer["recommended"], *answer["contenders"]][0]
    assert lead in (first, second) and base_of(first) != base_of(second)
    assert one["where"] == ["on CPython", "on PyPy"]
    assert second in ("cffi", "cffi.abi")  # the others take 40 times as long there
    assert one["time"] < 1
    other = second if lead == first else first
    assert one["lines"] == pytest.approx(LINES[base_of(other)] * BOTH.numbers["functions"], rel=0.15)
    assert one["says"] in answer["says"] and "more lines" in one["says"]
    assert one["pays"] == one["says"].startswith("Two backends are an answer too") == (one["overall"] <= 1.1)


def test_where_some_users_have_no_compiler_one_of_the_two_is_not_compiled(advisor: Advisor) -> None:
    """It serves those whom no wheel serves either; two modes of one binding take no more lines."""
    answer, found = offers(advisor, changed(hot(calls_per_second=1e4), compiler_at_install="sometimes"))
    (one,) = found
    assert one["subjects"][1] in ("ctypes", "cffi.abi")
    assert one["subjects"][0] not in ("ctypes", "cffi.abi")
    assert one["where"] == ["where there is a wheel or a compiler", "where there is neither"]
    if one["subjects"] == ["cffi", "cffi.abi"]:
        assert one["lines"] == 0
    assert "cannot be installed" in one["says"] or answer["recommended"][:1] == [one["subjects"][1]]


def test_a_pair_costs_more_where_it_gains_nothing(advisor: Advisor) -> None:
    """With few calls a second backend is lines alone, and no faster one is offered."""
    assert offers(advisor, changed(BOTH, calls_per_second=1.0))[1] == []
