# SPDX-License-Identifier: Apache-2.0
"""Workloads are drafted from what trials can repeat, and from the profile."""

import sys

import pytest
from cside_bench.library.workloads import SIZES, draft, unrepeatable
from cside_wrap.profile.counters import Sizes
from cside_wrap.profile.document import Function, Profile
from cside_wrap.project.reading import Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="trials need fork")


def test_without_a_profile_each_shape_has_a_function(box: Project) -> None:
    """Those with inputs in two sizes; several of one shape are one."""
    found = draft(box, None)
    names = [it["name"] for it in found.entries]
    assert {f"box.box_sum[{size}]" for size in SIZES} <= set(names)
    assert "box.box_count" in names
    shapes = [it["function"] for it in found.entries]
    assert "box_check" in shapes and len(set(shapes)) < len(box.form().plans)


def test_a_profile_says_which_and_how_large(box: Project) -> None:
    """The size is the median of what the program passes."""
    functions = {"box_sum": Function(5, 1.0, Sizes(5, 500, {64: 5})), "box_count": Function(9, 1.0)}
    found = draft(box, Profile(("app",), 0, 1.0, 1, (), 0.0, functions))
    assert [it["name"] for it in found.entries] == ["box.box_count", "box.box_sum[96]"]


def test_functions_that_are_named_are_all_measured(box: Project) -> None:
    """Also those of one shape; what cannot be repeated has its reason."""
    found = draft(box, None, ("box_kee*", "box_overrun", "box_free"))
    assert found.entries == []
    assert found.left_out["box_free"] == "closes its object"
    assert "alive with an object" in found.left_out["box_keep"]
    assert "SIGSEGV" in found.left_out["box_overrun"]


@pytest.mark.parametrize(("name", "why"), [("box_sum", ""), ("box_new", ""), ("box_free", "closes its object")])
def test_what_can_be_repeated(box: Project, name: str, why: str) -> None:
    """An object that a function makes is freed when Python gives it up."""
    form = box.form()
    assert unrepeatable(form.plans[name], form) == why
