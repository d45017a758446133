# SPDX-License-Identifier: Apache-2.0
"""Structs by value and by pointer, arrays of structs, and a struct that carries its own size."""

import ctypes
import math
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_bench.conformance.collect import collect
from cside_bench.conformance.outcome import outcome
from cside_bench.conformance.signatures import positions
from cside_bench.contract import Idioms

pytestmark = pytest.mark.crash_prone


def fnv1a(data: bytes) -> int:
    """FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/)."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def digest(attrs: list[tuple[int, bytes]]) -> int:
    """What ``cs_attrs_digest`` says of them."""
    return fnv1a(b"".join(kind.to_bytes(4, "little") + value for kind, value in attrs))


class Evil:
    """An integer that does something else when it is first asked for its value."""

    def __init__(self, deed: Any) -> None:
        self.deed = deed

    def __index__(self) -> int:
        deed, self.deed = self.deed, lambda: None
        deed()
        return 1


def test_point_holds_two_doubles(idioms: Idioms) -> None:
    """A point's coordinates can be read and assigned, at full precision."""
    point = idioms.Point(0.1, -2)
    assert (point.x, point.y) == (0.1, -2.0)
    assert type(point.y) is float
    point.x = 3
    point.y = math.inf
    assert (point.x, point.y) == (3.0, math.inf)


def test_point_refuses_what_is_no_number(idioms: Any) -> None:
    """Assigning text or ``None`` to a coordinate is `TypeError` and changes nothing."""
    point = idioms.Point(1.0, 2.0)
    for name in ("x", "y"):
        for bad in ("1.0", None, object(), [1.0]):
            assert outcome(setattr, point, name, bad) == "TypeError"
    assert (point.x, point.y) == (1.0, 2.0)


def test_point_survives_odd_use(idioms: Any) -> None:
    """Deleting a coordinate or making a point without its arguments is an exception or harmless, never a crash."""
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


@given(values=st.tuples(*[st.floats(allow_nan=False)] * 4))
def test_point_add_is_component_wise(idioms: Idioms, values: tuple[float, float, float, float]) -> None:
    """Two points add up to a third, and stay what they were."""
    a, b = idioms.Point(*values[:2]), idioms.Point(*values[2:])
    total: Any = idioms.point_add(a, b)
    assert [total.x, total.y] == pytest.approx(
        [values[0] + values[2], values[1] + values[3]], abs=0, rel=0, nan_ok=True
    )
    assert (a.x, a.y, b.x, b.y) == values
    assert type(total) is type(a)


def test_only_own_structs_are_taken(idioms: Any) -> None:
    """A struct argument takes this binding's own objects of that type: `TypeError` for any other, ``None`` too."""

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
    """A struct that Python owns is written by the library and read back by it, and by Python alone."""
    box = idioms.Box()
    assert idioms.box_unpack(box) == (0.0, 0.0, 0.0, 0.0, 0)
    assert idioms.box_area(box) == 0.0
    assert idioms.box_fill(box, tag) is None  # type: ignore[func-returns-value]
    low_x, low_y, high_x, high_y, got = idioms.box_unpack(box)
    assert (low_x, low_y, high_x, high_y, got) == (tag, tag + 1.0, tag + 2.0, tag + 4.0, tag)
    assert [type(value) for value in idioms.box_unpack(box)] == [float] * 4 + [int]
    assert idioms.box_area(box) == 2.0 * 3.0


def test_boxes_are_independent(idioms: Idioms) -> None:
    """Each box has memory of its own, for as long as it lives."""
    boxes = [idioms.Box() for _ in range(100)]
    for tag, box in enumerate(boxes):
        idioms.box_fill(box, tag)
    collect()
    assert [idioms.box_unpack(box)[4] for box in boxes] == list(range(100))


@given(attrs=st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary(max_size=40)), max_size=20))
def test_attrs_digest_reads_every_attribute(idioms: Idioms, attrs: list[tuple[int, bytes]]) -> None:
    """Type and value of each attribute, in order, from the caller's own memory."""
    assert idioms.attrs_digest(attrs) == digest(attrs)
    assert idioms.attrs_digest(tuple(attrs)) == digest(attrs)
    assert idioms.attrs_digest([(kind, bytearray(value)) for kind, value in attrs]) == digest(attrs)


def test_attrs_digest_of_many(idioms: Idioms) -> None:
    """Thousands of attributes, and values of a megabyte, are no more than that."""
    attrs = [(number, bytes([number % 256]) * (number % 5)) for number in range(10_000)]
    assert idioms.attrs_digest(attrs) == digest(attrs)
    large = [(1, b"x" * 100_000)]
    assert idioms.attrs_digest(large) == digest(large)


def test_attrs_digest_wants_pairs_in_a_list_or_tuple(idioms: Any) -> None:
    """Anything but a list or tuple of tuples of two is `TypeError`; a type beyond 32 bits is `OverflowError`."""
    wrong: list[tuple[object, str]] = []
    pair, bad = (1, b"a"), cast(Any, None)
    for bad in (
        None,
        5,
        "ab",
        iter([pair]),
        {pair},
        {1: b"a"},
        [[1, b"a"]],
        [(1,)],
        [(1, b"a", 2)],
        [()],
        [None],
        [b"ab"],
    ):
        wrong += [(bad, got) for got in (outcome(idioms.attrs_digest, bad),) if got != "TypeError"]
    for bad in ([("1", b"a")], [(1.0, b"a")], [(None, b"a")], [(1, None)], [(1, "a")], [pair, (1, 5)]):
        wrong += [(bad, got) for got in (outcome(idioms.attrs_digest, bad),) if got != "TypeError"]
    for bad in ([(-1, b"")], [(2**32, b"")], [pair, (2**64, b"")]):
        wrong += [(bad, got) for got in (outcome(idioms.attrs_digest, bad),) if got != "OverflowError"]
    assert wrong == []


@given(types=st.lists(st.integers(0, 4096), max_size=30))
def test_attrs_get_returns_a_value_per_type(idioms: Idioms, types: list[int]) -> None:
    """Sizes by one call, values by another: each value whole, in the order asked for."""
    want = [(kind, bytes([kind % 256]) * (kind % 64)) for kind in types]
    assert idioms.attrs_get(types) == want
    got = idioms.attrs_get(tuple(types))
    assert type(got) is list and got == want


def test_attrs_get_refuses(idioms: Any) -> None:
    """A type that the library does not know is `LookupError`, one that is no number `TypeError`."""
    bad: Any
    for unknown in ([4097], [1, 2**32 - 1], [4097, 1]):
        assert outcome(idioms.attrs_get, unknown) == "LookupError"
    for bad in (None, 5, [None], ["1"], [1, 1.5], "1"):
        assert outcome(idioms.attrs_get, bad) == "TypeError"
    for bad in ([-1], [2**32], [1, 10**30]):
        assert outcome(idioms.attrs_get, bad) == "OverflowError"


def test_attrs_that_change_while_they_are_read(idioms: Any) -> None:
    """A sequence emptied by one of its own numbers is an exception or a result, never a crash."""
    for size in (1, 2, 50):
        attrs: list[Any] = [(index, bytes([65]) * index) for index in range(size)]
        attrs[0] = (Evil(attrs.clear), bytes(1000))
        outcome(idioms.attrs_digest, attrs)
        attrs.extend((index, bytes([65]) * index) for index in range(size))
        attrs.insert(0, (Evil(lambda attrs=attrs: attrs.extend(attrs[:40])), bytearray(b"a")))
        outcome(idioms.attrs_digest, attrs)
        types: list[Any] = [1] * size
        types[0] = Evil(types.clear)
        outcome(idioms.attrs_get, types)
        types.extend([1] * size)
        types.insert(0, Evil(lambda types=types: types.extend([1] * 1000)))
        outcome(idioms.attrs_get, types)
    collect()


def test_config_read_tells_which_header(idioms: Idioms) -> None:
    """A struct of the current size is version 2, of the old size version 1 without its later fields."""
    assert idioms.config_read(3, 1.5, 9, idioms.CONFIG_NBYTES) == (2, 3, 1.5, 9)
    assert idioms.config_read(3, 1.5, 9, idioms.CONFIG_V1_NBYTES) == (1, 3, 1.5, 0)
    high = 2**32 - 1
    assert idioms.config_read(high, -math.inf, high, idioms.CONFIG_NBYTES) == (2, high, -math.inf, high)


def test_config_read_refuses_other_sizes(idioms: Idioms) -> None:
    """Any other size is ``CS_E_VERSION``, without reading past it."""
    known = {idioms.CONFIG_NBYTES, idioms.CONFIG_V1_NBYTES}
    for size in {0, 1, 8, idioms.CONFIG_NBYTES - 1, idioms.CONFIG_NBYTES + 1, 4096, 2**32, 2**63, 2**64 - 1} - known:
        with pytest.raises(idioms.StatusError) as caught:
            idioms.config_read(3, 1.5, 9, size)
        assert caught.value.status == -6  # type: ignore[attr-defined]
        assert caught.value.name == "CS_E_VERSION"  # type: ignore[attr-defined]


def test_config_sizes_are_the_compilers(idioms: Idioms) -> None:
    """The sizes are those of the C struct."""

    class Config(ctypes.Structure):
        _fields_ = [
            ("struct_nbytes", ctypes.c_size_t),
            ("retries", ctypes.c_uint32),
            ("timeout_s", ctypes.c_double),
            ("flags", ctypes.c_uint32),
        ]

    assert ctypes.sizeof(Config) == idioms.CONFIG_NBYTES
    assert Config.flags.offset == idioms.CONFIG_V1_NBYTES
