# SPDX-License-Identifier: Apache-2.0
"""The call descriptions say all that a template needs, with names that hide nothing."""

from collections.abc import Callable

from cside_wrap.packages.describe import describe
from cside_wrap.project.reading import Project

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_open", argument = "made", role = "handle-out", owner = "box_free", why = "documented" },
  { functions = "box_open", argument = "return", role = "status", ok = "result == 0", why = "documented" },
  { functions = "box_key", argument = "k", role = "bytes-in", size = "BOX_KEYBYTES", why = "documented" },
  { functions = "box_view_size", argument = "v", role = "struct", buffers = { data = "used" }, why = "documented" },
]
"""


def test_lengths_are_numbers_that_follow_from_parameters(box: Callable[..., Project]) -> None:
    """Python gives the bytes; C gets the address and the length."""
    binding, _ = describe(box(RULES))
    call = next(one for one in binding.calls if one.symbol == "box_sum")
    assert [(one.name, one.kind) for one in call.taken] == [("data", "bytes")]
    assert [(one.source, one.value) for one in call.passed] == [("taken", ""), ("number", "len(data)")]
    assert call.taken[0].counted and not call.taken[0].kept


def test_objects_have_classes(box: Callable[..., Project]) -> None:
    """The name is the typedef's; what frees them is there for templates although Python may not see it."""
    binding, _ = describe(box(RULES))
    handles = {one.name: one for one in binding.handles}
    assert (handles["box"].close, handles["box"].allocated) == ("box_free", 0)
    assert handles["box_state"].allocated == 24


def test_statuses_and_new_objects(box: Callable[..., Project]) -> None:
    """The condition is kept as text; the object is the result."""
    binding, _ = describe(box(RULES))
    call = next(one for one in binding.calls if one.symbol == "box_open")
    assert call.ok == "result == 0"
    assert [(one.source, one.handle, one.owned) for one in call.returned] == [("made", "box", True)]
    assert call.keeps == (("path", "made"),)


def test_structs_have_classes(box: Callable[..., Project]) -> None:
    """A field that is the size of a buffer is set by the binding, and is no attribute."""
    binding, _ = describe(box(RULES))
    (view,) = next(one for one in binding.calls if one.symbol == "box_view_size").taken
    assert view.record is not None and not view.changed
    assert [one.name for one in view.record.members] == ["data", "used"]
    assert [(one.name, one.size, one.writable) for one in view.record.attributes] == [("data", "used", False)]


def test_structs_with_bit_fields_are_not_built(box: Callable[..., Project]) -> None:
    """The reason names the field."""
    _, unable = describe(box(RULES))
    assert "bit-field" in unable["box_area"]


def test_what_cannot_be_described_is_told(box: Callable[..., Project]) -> None:
    """Nothing is lost between the form and the description."""
    found = box(RULES)
    binding, unable = describe(found)
    assert {one.symbol for one in binding.calls} | set(unable) == set(found.form().plans)
    assert all(unable.values())


def test_names_hide_nothing(other: Callable[[str, str], Project]) -> None:
    """An argument may be called as a keyword, as a builtin, or as what templates make of another."""
    found = other(
        "int f(int len, int a, int a_at, int result, int index);",
        "int f(int len, int a, int a_at, int result, int index) { return len + a + a_at + result + index; }",
    )
    binding, _ = describe(found)
    names = [one.name for one in binding.calls[0].taken]
    assert len(set(names)) == 5
    assert not {"len", "result", "a_at"} & set(names)
