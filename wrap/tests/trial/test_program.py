# SPDX-License-Identifier: Apache-2.0
"""A trial's calls are written down, so that packages can repeat them."""

import base64
import sys
from collections.abc import Callable
from typing import Any

import pytest
from cside_wrap.project.reading import Project
from cside_wrap.trial.program import Program, record

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="trials need fork")

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_check", argument = "return", role = "status", ok = "result >= 0", why = "documented" },
  { functions = "box_view_size", argument = "v", role = "struct", buffers = { data = "used" }, why = "documented" },
]
"""
CLASSES = {"box": "Box", "box_view": "View", "box_point": "Point", "box_state": "State"}


def recorded(box: Callable[..., Project], name: str, size: int = 3) -> Program:
    """The program of one function."""
    found = box(RULES)
    form = found.form()
    return record(form, form.plans[name], found.libraries, found.overrides.recipes, size, CLASSES)


def content(written: Any) -> bytes:
    """The bytes of a value."""
    return base64.b64decode(written.get("bytes") or written["buffer"])


def test_inputs_are_written_down(box: Callable[..., Project]) -> None:
    """Of the size that is asked for; lengths are hidden, as in Python."""
    program = recorded(box, "box_sum", 4)
    assert (program.function, program.size, program.steps, program.failed) == ("box_sum", 4, [], "")
    assert [content(it) for it in program.arguments] == [bytes(range(4))]
    assert recorded(box, "box_new").arguments == [{"text": "aa"}]


def test_objects_come_from_steps(box: Callable[..., Project]) -> None:
    """The call that makes one, and a reference to what it returned."""
    program = recorded(box, "box_name")
    assert [it["function"] for it in program.steps] == ["box_new"]
    assert program.arguments == [{"step": 0, "result": None}]


def test_objects_and_structs_that_the_binding_allocates_are_made(box: Callable[..., Project]) -> None:
    """By their class; a struct with the buffers that its fields point to."""
    program = recorded(box, "box_state_update")
    assert program.steps[0] == {"function": "box_state_init", "arguments": [{"make": "State", "values": {}}]}
    (view,) = recorded(box, "box_view_size").arguments
    assert view["make"] == "View" and content(view["values"]["data"]) == b"\x01" * 3


def test_what_cannot_be_repeated_has_a_reason(box: Callable[..., Project]) -> None:
    """A status that is a failure, a crash, and an object that the first call closed."""
    assert "status" in recorded(box, "box_check").failed
    assert "SIGSEGV" in recorded(box, "box_overrun").failed
    assert recorded(box, "box_free").failed


def test_results_that_vary_are_told(other: Callable[[str, str], Project]) -> None:
    """They are not compared between packages."""
    found = other("int next(void);", "int next(void) { static int n; return n++; }")
    form = found.form()
    assert record(form, form.plans["next"], found.libraries, (), 0, {}).varies


def test_none_is_for_what_may_be_null(box: Callable[..., Project]) -> None:
    """A trial passes NULL where a recipe says so; packages refuse it unless a rule allows it."""
    recipe = 'recipes = [{ functions = "box_sum", argument = "data", make = "None" }]'
    found = box(recipe)
    form = found.form()
    program = record(form, form.plans["box_sum"], found.libraries, found.overrides.recipes, 0, CLASSES)
    assert "data is None in its recipe" in program.failed
