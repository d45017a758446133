# SPDX-License-Identifier: Apache-2.0
"""What an answer says of its assumptions."""

from dataclasses import replace
from pathlib import Path

import pytest
from cside_bench.recommend.answer import Advisor
from cside_bench.report.adr import decision
from profiles_of_tests import RULES, SEED, SHIPPED, changed, hot
from synthetic_advice import KINDS, KNOWN, LABEL, LINES, write


def test_an_interface_in_c_plus_plus_is_said_to_be_outside(advisor: Advisor) -> None:
    """In the answer itself; with a layer in C it is a note on that layer."""
    plus = advisor.answer(hot(language="c++"))
    (said,) = plus["must_say"]
    assert (
        "nanobind and pybind11 are made: they are outside what was measured" in said
        and said in plus["says"]
        and said in decision(plus)
    )
    layered = advisor.answer(hot(language="c-layer"))
    assert "pybind11" not in layered["says"] and layered["must_say"] == []
    assert any(it.startswith("The layer in C is part of the library") for it in layered["notes"])


def test_what_is_made_for_c_plus_plus_is_outside_only_where_it_was_not_measured(tmp_path: Path) -> None:
    """A run with one of them names the other. Of the one that was measured it says what its lines are of."""
    found = write(
        tmp_path / "run",
        {LABEL: {**KNOWN, "nanobind": 20.0}},
        lines={**LINES, "nanobind": 12.0},
        kinds={**KINDS, "nanobind": "per version"},
    )
    (said,) = Advisor(found, RULES, SEED).answer(hot(language="c++"))["must_say"]
    assert "pybind11 is made: it is outside what was measured" in said
    assert "Lines of nanobind were counted on an interface in C" in said


def test_loops_say_what_is_assumed(advisor: Advisor) -> None:
    """Who moves the loop into the binding, and what else there is."""
    notes = advisor.answer(changed(hot(), elements_per_loop=1000.0))["notes"]
    assert any("C extension (cext) and Cython are taken to move the loop over 1,000 elements" in it for it in notes)
    assert not any("move the loop" in it for it in advisor.answer(hot())["notes"])


@pytest.mark.parametrize("refused", [False, True])
def test_callbacks_that_make_code_are_told_or_left_out(advisor: Advisor, refused: bool) -> None:
    """Where nothing is compiled, ctypes leads; where code at run time is refused too, nothing fits."""
    profile = replace(SHIPPED["no-compiler-at-install"], idioms={"callbacks": 1.0})
    answer = advisor.answer(changed(profile, run_time_code="no" if refused else "yes"))
    if refused:
        assert answer["outcome"] == "nothing fits"
        assert {it["rule"] for it in answer["excluded"] if it["subject"] == "ctypes"} == {"run-time-code"}
    else:
        assert any("may need code that is made at run time" in it for it in answer["notes"])


def test_a_library_of_the_system_has_to_be_found(advisor: Advisor) -> None:
    """By name at run time, or by a wheel that links to it; a bundled one is there."""
    loaded = advisor.answer(SHIPPED["no-compiler-at-install"])["notes"]
    assert any("finds it by its name at run time" in it for it in loaded)
    linked = advisor.answer(hot(library="system"))["notes"]
    assert any("auditwheel refuses" in it for it in linked)
    assert not any("The library is the user's" in it for it in advisor.answer(hot(library="bundled"))["notes"])
