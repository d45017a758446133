# SPDX-License-Identifier: Apache-2.0
"""The shape of a call follows from what the project says of its arguments."""

import pytest
from cside_bench.library.shapes import releasing, shape_of
from cside_bench.results.shapes import Shape, load
from cside_wrap.project.reading import Project


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("box_count", {"call": 1, "number": 1}),
        ("box_check", {"call": 1, "int": 1, "number": 1}),
        ("box_sum", {"call": 1, "wrapped": 1, "buffer": 1, "number": 1}),
        ("box_new", {"call": 1, "wrapped": 1, "text": 1, "object": 1}),
        ("box_free", {"call": 1, "wrapped": 1, "struct": 1}),
        ("box_name", {"call": 1, "wrapped": 1, "struct": 1, "text_out": 1}),
        ("box_open", {"call": 1, "wrapped": 1, "text": 1, "out": 1, "object": 1, "number": 1}),
        ("box_split", {"call": 1, "wrapped": 1, "int": 1, "out": 2, "number": 2}),
        ("box_apart", {"call": 1, "wrapped": 1, "buffer": 1, "int": 1, "bytes_out": 1}),
        ("box_area", {"call": 1, "wrapped": 1, "struct_value": 1, "number": 1}),
        ("box_move", {"call": 1, "wrapped": 1, "struct": 1, "real": 1}),
        ("box_each", {"call": 1, "wrapped": 1, "int": 1, "callback": 1}),
    ],
)
def test_shapes(box: Project, name: str, shape: Shape) -> None:
    """With the GIL held; each term is one of the catalogue."""
    form = box.form()
    assert shape_of(form.plans[name], form, released=False) == shape
    assert set(shape) <= {term.name for term in load().terms}


def test_functions_of_rules_are_calls_too(box: Project) -> None:
    """A room that the library computes is a further native call, during which the GIL is held."""
    form = box.form()
    shape = shape_of(form.plans["box_query"], form)
    assert (shape["native"], shape["released"]) == (1, 1)


def test_functions_of_gil_held_do_not_release_it() -> None:
    """By name or pattern; and none does where the user says so."""
    released = releasing(("box_c*", "box_sum"), released=True)
    assert [released(name) for name in ("box_count", "box_sum", "box_new")] == [False, False, True]
    assert not releasing((), released=False)("box_new")
