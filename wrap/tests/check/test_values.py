# SPDX-License-Identifier: Apache-2.0
"""Values are trees that no technique knows."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.check.values import NoTree, Trees
from cside_wrap.packages.describe import describe
from cside_wrap.project.reading import Project


def trees(found: Project, size: int = 10) -> Trees:
    """The trees of a project for one size."""
    return Trees(found.form(), describe(found)[0], found.overrides.recipes, size)


def test_bytes_have_the_size(box: Callable[..., Project]) -> None:
    """Objects are made by what makes them."""
    its = trees(box())
    assert its.of_call(its.calls["box_sum"]) == [{"bytes": 10, "writable": False}]
    made = {"call": "box_new", "args": [{"text": "a" * 9}]}
    assert its.of_call(its.calls["box_name"]) == [made]


def test_objects_that_the_binding_allocates_are_set_up(box: Callable[..., Project]) -> None:
    """But for the function that sets them up, which gets a bare one."""
    its = trees(box())
    assert its.of_call(its.calls["box_state_init"]) == [{"new": "box_state", "then": []}]
    set_up = {"new": "box_state", "then": [{"call": "box_state_init", "args": [{"it": 1}]}]}
    assert its.of_call(its.calls["box_state_final"]) == [set_up]


def test_recipes(box: Callable[..., Project]) -> None:
    """As trials read them."""
    steps = """recipes = [
  { argument = "number", make = "-3" },
  { type = "box", make = ["box_new('x')", "box_keep(it, bytes(5))"] },
]"""
    its = trees(box(steps))
    assert its.of_call(its.calls["box_check"]) == [{"int": -3}]
    (value,) = its.of_call(its.calls["box_name"])
    assert value["then"] == [{"call": "box_keep", "args": [{"it": 1}, {"bytes": 5}]}]


def test_nothing_to_give_is_told(other: Callable[[str, str], Project]) -> None:
    """An object that nothing makes."""
    its = trees(other("typedef struct o o;\nint use(o *it);", "int use(o *it) { return it != 0; }"))
    with pytest.raises(NoTree, match="nothing makes o"):
        its.of_call(its.calls["use"])


def test_a_length_that_the_library_says_is_asked_for(other: Callable[[str, str], Project], tmp_path: Path) -> None:
    """By the program that has the package; the rule names the function."""
    rule = '{ functions = "use", argument = "state", role = "bytes-inout", size = "state_size()", why = "documented" }'
    (tmp_path / "overrides.toml").write_text(f"rules = [{rule}]", encoding="utf-8")
    text = "int state_size(void)"
    its = trees(other(f"{text};\nint use(void *state);", f"{text} {{ return 8; }}\nint use(void *s) {{ return !s; }}"))
    assert its.of_call(its.calls["use"]) == [{"bytes": "state_size", "writable": True}]
