# SPDX-License-Identifier: Apache-2.0
"""SWIG 4.5 takes a reference to a class for each of its objects and keeps it. typemaps/structs.i releases it."""

import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest
from cside_swig import codec, idioms

POINT = idioms.Point(1.0, 2.0)

MAKERS: dict[str, tuple[type, Callable[[], object]]] = {
    "constructor": (idioms.Point, lambda: idioms.Point(1.0, 2.0)),
    "result by value": (idioms.Point, lambda: idioms.point_add(POINT, POINT)),
    "default constructor": (idioms.Box, idioms.Box),
    "handle": (idioms.Counter, idioms.Counter),
    "compressor": (codec.Compress, lambda: codec.compressobj().copy()),
    "decompressor": (codec.Decompress, lambda: codec.decompressobj().copy()),
}


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="PyPy counts no references")
@pytest.mark.parametrize("name", list(MAKERS))
def test_objects_leave_their_class_as_they_found_it(name: str) -> None:
    """The reference count of a class does not grow when objects are made and deleted."""
    cls, make = MAKERS[name]
    before = sys.getrefcount(cls)
    for _ in range(1000):
        make()
    gc.collect()
    assert abs(sys.getrefcount(cls) - before) < 10


def test_a_subclass_outlives_no_more_than_its_objects() -> None:
    """Only references to the class itself are released. Deleting a Python subclass and its last object does no harm."""

    class Sub(idioms.Point):
        pass

    last = Sub(1.0, 2.0)
    del Sub
    gc.collect()
    assert idioms.point_add(last, last).y == 4.0
    del last
    gc.collect()


USES: list[Callable[[Any], object]] = [
    idioms.box_area,
    lambda empty: idioms.point_add(empty, POINT),
    lambda empty: empty.x,
    lambda empty: empty.close(),
]


@pytest.mark.parametrize("cls", [idioms.Point, idioms.Box, idioms.Counter])
def test_an_object_without_a_struct_is_refused(cls: Any) -> None:
    """``Class.__new__(Class)`` wraps no struct, and SWIG's own conversion would crash on it."""
    empty = cls.__new__(cls)
    for use in USES:
        with pytest.raises((TypeError, AttributeError)):
            use(empty)


@pytest.mark.parametrize("cls", [codec.Compress, codec.Decompress])
def test_a_stream_is_not_made_out_of_nothing(cls: Any) -> None:
    """Only functions make streams: a call of the class raises `TypeError`, and so does its ``__new__``."""
    for make in (cls, lambda: cls.__new__(cls)):
        with pytest.raises(TypeError, match=f"cannot create 'cside_swig._core.{cls.__name__}' instances"):
            make()
