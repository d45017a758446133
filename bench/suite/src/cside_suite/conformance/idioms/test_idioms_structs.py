# SPDX-License-Identifier: Apache-2.0
"""Structs by value and by pointer, and a struct that states its own size."""

import copy
import ctypes
import math
import operator
import pickle
import threading
from collections.abc import Callable, Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.collect import collect
from cside_suite.conformance.outcome import failure, outcome, status
from cside_suite.conformance.signatures import positions
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone


def test_point_holds_two_doubles(idioms: Idioms) -> None:
    """A point's coordinates can be read and assigned in full precision."""
    point = idioms.Point(0.1, -2)
    assert (point.x, point.y) == (0.1, -2.0)
    assert type(point.y) is float
    point.x = 3
    point.y = math.inf
    assert (point.x, point.y) == (3.0, math.inf)


def test_point_refuses_what_is_no_number(idioms: Any) -> None:
    """Assigning text or None to a coordinate is `TypeError` and changes nothing."""
    point = idioms.Point(1.0, 2.0)
    for name in ("x", "y"):
        for bad in ("1.0", None, object(), [1.0]):
            assert outcome(setattr, point, name, bad) == "TypeError"
    assert (point.x, point.y) == (1.0, 2.0)


def test_point_survives_odd_use(idioms: Any) -> None:
    """Deleting a coordinate or making a point without its arguments may raise an exception, but never crashes."""
    point: Any = idioms.Point(1.0, 2.0)
    point_type: Any = type(point)
    box_type: Any = type(idioms.Box())
    for deed in (
        lambda: delattr(point, "x"),
        lambda: point_type.__new__(point_type),
        lambda: idioms.point_add(point_type.__new__(point_type), point),
        lambda: idioms.box_fill(box_type.__new__(box_type), 1),
        lambda: repr(point),
        lambda: hash(point),
        lambda: point == point,
        lambda: point.__init__(3.0, 4.0),
    ):
        outcome(deed)
    collect()


def test_a_point_shows_its_coordinates(idioms: Any) -> None:
    """``repr`` has both coordinates, each as Python writes a float, and follows their changes."""
    point = idioms.Point(1, -2.5)
    assert repr(point) == str(point) == "Point(x=1.0, y=-2.5)"
    point.x, point.y = math.inf, math.nan
    assert repr(point) == "Point(x=inf, y=nan)"
    assert repr(idioms.Point(1e-300, 0.1)) == "Point(x=1e-300, y=0.1)"
    assert repr(idioms.point_add(idioms.Point(0.1, 1e22), idioms.Point(0.2, -0.0))) == f"Point(x={0.1 + 0.2}, y=1e+22)"


def equal(one: object, other: object) -> bool:
    """Whether two objects are equal, after checking that ``==`` and ``!=`` give opposite results of type ``bool``."""
    same, different = operator.eq(one, other), operator.ne(one, other)
    assert {same, different} == {True, False} and type(same) is type(different) is bool
    return same


def test_points_are_equal_by_their_coordinates(idioms: Any) -> None:
    """Points compare as their coordinates do; with anything else the other object is asked, so it is unequal."""
    one, same = idioms.Point(1.0, 2.0), idioms.point_add(idioms.Point(0.5, 0.5), idioms.Point(0.5, 1.5))
    assert equal(one, same)
    assert equal(idioms.Point(0.0, 1.0), idioms.Point(-0.0, 1.0))
    for other in (idioms.Point(1.0, 3.0), idioms.Point(0.0, 2.0), idioms.Point(math.nan, 2.0)):
        assert not equal(one, other)
    odd = idioms.Point(math.nan, 0.0)
    assert not equal(odd, odd), "nan is not equal to itself"
    same.y = 2.5
    assert not equal(one, same)
    for strange in (None, (1.0, 2.0), 1.0, "Point(x=1.0, y=2.0)", idioms.Box(), object()):
        assert not equal(one, strange) and not equal(strange, one)

    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]  # mutable

    assert one == Anything()
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        assert outcome(compare, one, same) == "TypeError"


def test_a_point_has_no_hash(idioms: Any) -> None:
    """A point can change and compares by value, so it is no key."""
    assert outcome(hash, idioms.Point(1.0, 2.0)) == "TypeError"
    assert not isinstance(idioms.Point(1.0, 2.0), Hashable)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda point: pickle.loads(pickle.dumps(point))])
def test_a_copy_of_a_point_is_another_struct(idioms: Any, duplicate: Callable[[Any], Any]) -> None:
    """A point is copied with its coordinates or not at all; two points never share memory."""
    point = idioms.Point(1.0, 2.0)
    try:
        other = duplicate(point)
    except (TypeError, pickle.PicklingError):
        return
    assert (other.x, other.y) == (1.0, 2.0)
    other.x = 5.0
    assert (point.x, other.x) == (1.0, 5.0)


def test_point_is_a_class(idioms: Any) -> None:
    """``Point`` is the class of all points of the binding, under this name."""
    assert isinstance(idioms.Point, type)
    assert idioms.Point.__name__ == "Point"
    for point in (idioms.Point(1, 2), idioms.point_add(idioms.Point(1, 2), idioms.Point(3, 4))):
        assert type(point) is idioms.Point


@given(values=st.tuples(*[st.floats(allow_nan=False)] * 4))
def test_point_add_is_component_wise(idioms: Idioms, values: tuple[float, float, float, float]) -> None:
    """The sum of two points is a new point, and the two stay unchanged."""
    a, b = idioms.Point(*values[:2]), idioms.Point(*values[2:])
    total: Any = idioms.point_add(a, b)
    assert [total.x, total.y] == pytest.approx(
        [values[0] + values[2], values[1] + values[3]], abs=0, rel=0, nan_ok=True
    )
    assert (a.x, a.y, b.x, b.y) == values
    assert type(total) is type(a)


def test_only_own_structs_are_taken(idioms: Any) -> None:
    """A struct argument takes this binding's own objects of that type; anything else, also None, is `TypeError`."""

    class Lookalike:
        x = y = 1.0

    class Foreign(ctypes.Structure):
        _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double)]

    wrong = []
    for name, position, kind, call in positions(idioms, "point", "box"):
        other = idioms.Box() if kind == "point" else idioms.Point(1.0, 2.0)
        for bad in (None, (1.0, 2.0), Lookalike(), Foreign(1.0, 2.0), other, 0, "point", b"\0" * 64, type(other)):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "TypeError"]
    assert wrong == []


@pytest.mark.parametrize("tag", [0, 1, 77, 2**32 - 1])
def test_box_is_filled_in_place(idioms: Idioms, tag: int) -> None:
    """The library writes and reads a struct in memory that Python owns, and Python reads it too."""
    box = idioms.Box()
    assert idioms.box_unpack(box) == (0.0, 0.0, 0.0, 0.0, 0)
    assert idioms.box_area(box) == 0.0
    assert outcome(idioms.box_fill, box, tag) == "returned None"
    low_x, low_y, high_x, high_y, got = idioms.box_unpack(box)
    assert (low_x, low_y, high_x, high_y, got) == (tag, tag + 1.0, tag + 2.0, tag + 4.0, tag)
    assert [type(value) for value in idioms.box_unpack(box)] == [float] * 4 + [int]
    assert idioms.box_area(box) == 2.0 * 3.0


def test_boxes_are_independent(idioms: Idioms) -> None:
    """Each box has memory of its own as long as it exists."""
    boxes = [idioms.Box() for _ in range(100)]
    for tag, box in enumerate(boxes):
        idioms.box_fill(box, tag)
    collect()
    assert [idioms.box_unpack(box)[4] for box in boxes] == list(range(100))


def test_config_read_tells_which_header(idioms: Idioms) -> None:
    """A struct of the current size is version 2; one of the old size is version 1 and lacks the later field."""
    assert idioms.config_read(3, 1.5, 9, idioms.CONFIG_NBYTES) == (2, 3, 1.5, 9)
    assert idioms.config_read(3, 1.5, 9, idioms.CONFIG_V1_NBYTES) == (1, 3, 1.5, 0)
    high = 2**32 - 1
    assert idioms.config_read(high, -math.inf, high, idioms.CONFIG_NBYTES) == (2, high, -math.inf, high)


def test_config_read_refuses_other_sizes(idioms: Idioms) -> None:
    """A struct of any other size is ``CS_E_VERSION``, and nothing past its size is read."""
    known = {idioms.CONFIG_NBYTES, idioms.CONFIG_V1_NBYTES}
    for size in {0, 1, 8, idioms.CONFIG_NBYTES - 1, idioms.CONFIG_NBYTES + 1, 4096, 2**32, 2**63, 2**64 - 1} - known:
        error = failure(idioms.config_read, 3, 1.5, 9, size)
        assert status(idioms, error) == (-6, "CS_E_VERSION"), size


def test_config_sizes_are_the_compilers(idioms: Idioms) -> None:
    """The constants of the sizes are those of the C struct."""

    class Config(ctypes.Structure):
        _fields_ = [
            ("struct_nbytes", ctypes.c_size_t),
            ("retries", ctypes.c_uint32),
            ("timeout_s", ctypes.c_double),
            ("flags", ctypes.c_uint32),
        ]

    assert ctypes.sizeof(Config) == idioms.CONFIG_NBYTES
    assert Config.flags.offset == idioms.CONFIG_V1_NBYTES


@pytest.mark.needs("free-threading")
def test_structs_may_be_used_by_several_threads(idioms: Any) -> None:
    """Threads that write and read one point or box see values that were written, and no thread crashes the process.

    Whether a box is written as a whole is not promised.
    """
    point, box = idioms.Point(0.0, 0.0), idioms.Box()
    wrong: list[object] = []
    done = threading.Event()

    def write() -> None:
        for number in range(1000):
            point.x = point.y = float(number)
            point.__init__(float(number), float(number))
            idioms.box_fill(box, number)
        done.set()

    def read() -> None:
        while not done.is_set():
            idioms.point_add(point, point)
            repr(point), point == point
            low_x, low_y, high_x, high_y, tag = idioms.box_unpack(box)
            bases = [tag, low_x, *(at - ahead for at, ahead in ((low_y, 1), (high_x, 2), (high_y, 4)) if at)]
            if any(base not in range(1000) for base in bases):
                wrong.append((low_x, low_y, high_x, high_y, tag))
            idioms.box_area(box)

    threads = [threading.Thread(target=target) for target in (write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
