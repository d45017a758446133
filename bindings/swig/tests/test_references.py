# SPDX-License-Identifier: Apache-2.0
"""SWIG 4.5 takes a reference to a class for each of its objects and keeps it. typemaps/structs.i releases it."""

import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest
from cside_swig import codec, idioms, pkcs11

POINT = idioms.Point(1.0, 2.0)

MAKERS: dict[str, tuple[type, Callable[[], object]]] = {
    "constructor": (idioms.Point, lambda: idioms.Point(1.0, 2.0)),
    "result by value": (idioms.Point, lambda: idioms.point_add(POINT, POINT)),
    "default constructor": (idioms.Box, idioms.Box),
    "handle": (idioms.Counter, idioms.Counter),
    "compressor": (codec.Compress, lambda: codec.compressobj().copy()),
    "decompressor": (codec.Decompress, lambda: codec.decompressobj().copy()),
    "_ZlibDecompressor": (codec._ZlibDecompressor, lambda: codec._ZlibDecompressor()),
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


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="PyPy counts no references")
def test_an_object_that_is_initialised_again_leaks_nothing() -> None:
    """SWIG appends a second struct to an object whose ``__init__`` is called again. It is freed with the object."""

    def again() -> None:
        for _ in range(500):
            point: Any = idioms.Point(1.0, 2.0)
            point.__init__(3.0, 4.0)
            point.__init__(5.0, 6.0)
            assert point.x == 1.0

    again()
    gc.collect()
    before = sys.getrefcount(idioms.Point), sys.getallocatedblocks()
    again()
    gc.collect()
    after = sys.getrefcount(idioms.Point), sys.getallocatedblocks()
    assert all(abs(new - old) < 50 for new, old in zip(after, before, strict=True))


@pytest.mark.parametrize("name", list(MAKERS))
def test_objects_lack_what_swig_adds_for_pointers(name: str) -> None:
    """An object appended to itself would crash ``repr`` and make conversions endless, so there is no ``append``."""
    cls, make = MAKERS[name]
    added = {"this", "thisown", "own", "acquire", "disown", "append", "next"}
    assert not added & set(dir(make()))
    assert repr(make()).startswith(("Point(x=", f"<cside_swig._core.{cls.__name__} object at 0x"))


def test_types_are_shared_with_no_other_module() -> None:
    """SWIG knows types by name. Another module's ``struct Counter`` must not be taken for the one of this module."""
    runtime: Any = next(module for name, module in sys.modules.items() if name.startswith("swig_runtime_data"))
    assert [name for name in vars(runtime) if name.endswith("capsule")] == []
    assert any(name.endswith("cside_swig") for name in vars(runtime))


USES: list[Callable[[Any], object]] = [
    idioms.box_area,
    lambda empty: idioms.point_add(empty, POINT),
    lambda empty: empty.x,
    lambda empty: empty.close(),
    lambda empty: empty.decompress(b""),
    lambda empty: empty.eof,
]


@pytest.mark.parametrize("cls", [idioms.Point, idioms.Box, idioms.Counter, codec._ZlibDecompressor])
def test_an_object_without_a_struct_is_refused(cls: Any) -> None:
    """``Class.__new__(Class)`` wraps no struct, and SWIG's own conversion would crash on it."""
    empty = cls.__new__(cls)
    for use in USES:
        with pytest.raises((TypeError, AttributeError)):
            use(empty)
    assert repr(empty) and empty == empty


@pytest.mark.parametrize("second", [idioms.Counter, idioms.Box, codec._ZlibDecompressor, codec.Compress, pkcs11.Module])
def test_an_object_of_two_classes_wraps_one_struct(second: Any) -> None:
    """A class may be derived from two wrapped ones. Methods of the other one refuse the struct, which is not theirs."""
    try:
        both: Any = type("Both", (idioms.Point, second), {})(1.0, 2.0)
    except TypeError:  # PyPy refuses to make an object of some of them
        return
    assert idioms.point_add(both, POINT).y == 4.0
    names = [name for name in dir(second) if not name.startswith("_") and name not in dir(idioms.Point)]
    for name in [*names, "__enter__", "__copy__"]:
        with pytest.raises((TypeError, AttributeError)):
            getattr(both, name)()


@pytest.mark.parametrize("cls", [codec.Compress, codec.Decompress])
def test_a_stream_is_not_made_out_of_nothing(cls: Any) -> None:
    """Only functions make streams: a call of the class raises `TypeError`, and so does its ``__new__``."""
    for make in (cls, lambda: cls.__new__(cls)):
        with pytest.raises(TypeError, match=f"cannot create 'cside_swig._core.{cls.__name__}' instances"):
            make()
