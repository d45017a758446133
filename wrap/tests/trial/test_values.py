# SPDX-License-Identifier: Apache-2.0
"""Values of trials: sizes that rules ask for, rooms, and the names by which recipes call objects."""

from collections.abc import Callable

from cside_wrap.project.reading import Project
from cside_wrap.trial.call import Caller
from cside_wrap.trial.values import ROOMY, Values, names_of_objects


def test_names_of_objects(box: Callable[..., Project]) -> None:
    """A recipe may name the typedef, as C code does."""
    names = names_of_objects(box().form())
    assert {"box", "struct box"} <= names["struct box"]
    assert "box_state" in names["box_state"]


def test_sizes(box: Callable[..., Project]) -> None:
    """A fixed size is kept; a free one is the trial's; a room has space."""
    rules = """rules = [
      { argument = "k", role = "bytes-in", size = "BOX_KEYBYTES", why = "documented" },
      { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
    ]"""
    found = box(rules)
    form = found.form()
    values = Values(form, Caller(form, found.libraries), [], 3)
    assert [len(one) for one in values.of_plan(form.plans["box_key"]) if isinstance(one, bytes)] == [16]
    assert values.of_plan(form.plans["box_apart"]) == [b"\x00\x01\x02", 3 + ROOMY]
