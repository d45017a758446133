# SPDX-License-Identifier: Apache-2.0
"""The intermediate form: what every template is told."""

from collections.abc import Callable

from cside_wrap.project.reading import Project
from cside_wrap.roles.form import Check, Keep, Status
from cside_wrap.roles.vocabulary import RETURN, Role

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_open", argument = "made", role = "handle-out", owner = "box_free", why = "documented" },
  { functions = "box_open", argument = "return", role = "status", ok = "result == 0", why = "documented" },
  { functions = "box_key", argument = "k", role = "bytes-in", size = "BOX_KEYBYTES", why = "documented" },
  { functions = "box_query", argument = "out", role = "bytes-out", room = "8", filled = "outlen", why = "documented" },
]
"""


def test_lengths_and_user_data_are_hidden(box: Callable[..., Project]) -> None:
    """Python gives the bytes and the callback; C gets what follows from them, in its order."""
    plans = box().form().plans
    assert [one.name for one in plans["box_sum"].parameters] == ["data"]
    assert [(one.source, one.value) for one in plans["box_sum"].given] == [
        ("parameter", ""),
        ("expression", "len(data)"),
    ]
    assert [one.source for one in plans["box_each"].given] == ["parameter", "callback", "user-data"]


def test_outputs_are_returned_in_order(box: Callable[..., Project]) -> None:
    """Addresses of numbers become results; a count that says what is filled is no result of its own."""
    plans = box(RULES).form().plans
    assert [one.argument for one in plans["box_split"].results] == ["high", "low"]
    fill = plans["box_fill"]
    assert [(one.role, one.filled) for one in fill.results] == [(Role.BYTES, "result")]
    assert [one.name for one in fill.parameters] == ["dstCapacity"]
    assert [one.source for one in plans["box_query"].given] == ["buffer", "cell"]


def test_statuses_become_exceptions(box: Callable[..., Project]) -> None:
    """The object is the only result, and has its owner."""
    plan = box(RULES).form().plans["box_open"]
    assert plan.status == Status("result == 0", "")
    assert [(one.argument, one.owner) for one in plan.results] == [("made", "box_free")]


def test_fixed_sizes_are_checked_exactly(box: Callable[..., Project]) -> None:
    """A derived length needs no check."""
    plans = box(RULES).form().plans
    assert plans["box_key"].checks == (Check("k", "BOX_KEYBYTES", exact=True),)
    assert plans["box_sum"].checks == ()


def test_lifetimes(box: Callable[..., Project]) -> None:
    """An object keeps what was given with it; what makes it keeps too; closing marks it closed."""
    plans = box(RULES).form().plans
    assert plans["box_keep"].keeps == (Keep("data", "b"),)
    assert plans["box_new"].keeps == (Keep("name", RETURN),)
    assert plans["box_free"].closes == "b" and plans["box_free"].keeps == ()
    assert plans["box_each"].keeps == (Keep("visit", "forever"),)


def test_keep_can_be_relaxed(box: Callable[..., Project]) -> None:
    """Where the library copies."""
    relaxed = 'rules = [{ functions = "box_keep", argument = "data", keep = "call", why = "copies" }]'
    assert box(relaxed).form().plans["box_keep"].keeps == ()


def test_objects(box: Callable[..., Project]) -> None:
    """Those that the library makes, and those that the binding allocates."""
    objects = box(RULES).form().objects
    assert (objects["struct box"].allocated, objects["struct box"].close) == (0, "box_free")
    assert objects["struct box"].makers == ("box_new", "box_open")
    assert (objects["box_state"].allocated, objects["box_state"].makers) == (24, ("box_state_init",))


def test_what_is_not_bound_is_told(box: Callable[..., Project]) -> None:
    """Nothing is lost between the form and the header."""
    found = box()
    form = found.form()
    assert {*form.plans, *form.asked, *form.refused} == set(found.header.functions)
    assert form.asked["box_query"] == ("out", "outlen")
    assert not set(form.plans) & (set(form.asked) | set(form.refused))
