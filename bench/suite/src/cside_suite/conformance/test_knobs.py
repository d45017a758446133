# SPDX-License-Identifier: Apache-2.0
"""Partial variants have the same results and raise the same exceptions as the binding whose variants they are."""

import array
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cside_suite.conformance.outcome import outcome
from cside_suite.contract import FEATURES, KNOBS
from cside_suite.subjects.bindings import Implementation, discover
from cside_suite.subjects.pytest_options import selected

REPEAT = 2000
"""The number of calls after which a reference that each call loses or keeps is found."""


class Indexed:
    """An object with ``__index__`` only, which serves as an integer."""

    def __index__(self) -> int:
        return 3


class Broken:
    """An object whose conversion to a number raises an exception."""

    def __index__(self) -> int:
        raise KeyError("conversion")

    __float__ = __bool__ = __index__


def fail(value: int) -> int:
    """Raise an exception, as a callback."""
    raise KeyError("callback")


INTEGERS: list[Any] = [
    0,
    -1,
    2**31 - 1,
    -(2**31),
    2**31,
    -(2**31) - 1,
    2**70,
    True,
    Indexed(),
    Broken(),
    1.0,
    "1",
    None,
]
REALS: list[Any] = [0.0, -0.0, 1.5, float("inf"), 2**70, 10**400, True, Indexed(), Broken(), "1", b"1", None]
BUFFERS: list[Any] = [
    b"",
    b"\0\1\2",
    bytearray(b"abc"),
    memoryview(b"abcdef"),
    memoryview(b"abcdef")[::2],
    memoryview(bytearray(12)).cast("B", (3, 4)),
    array.array("i", [1, 2, 3]),
    bytes(6000),
    "text",
    7,
    None,
    [1, 2],
]
TEXTS: list[Any] = ["", "text", "é€😀", "a\0b", "\ud800", b"bytes", 1, None]


def writable() -> list[Any]:
    """Return new buffers, since a call may fill them."""
    return [bytearray(), bytearray(5), memoryview(bytearray(6)), memoryview(bytearray(6))[::2], b"read-only", "x", None]


def outcomes(idioms: Any, codec: Any) -> Iterator[tuple[str, str]]:
    """Yield the description and the outcome of every call."""

    def told(name: str, call: Callable[..., object], *arguments: object) -> tuple[str, str]:
        shown = ", ".join(f"{type(one).__name__} {one!r:.30}" if not callable(one) else "callback" for one in arguments)
        return f"{name}({shown.split(' at 0x')[0]})", outcome(call, *arguments)

    yield told("noop", idioms.noop)
    yield told("noop", idioms.noop, 1)
    for name, values in (("i32_add", INTEGERS), ("f64_add", REALS)):
        call = getattr(idioms, name)
        for value in values:
            yield told(name, call, value, 0)
            yield told(name, call, 0, value)
        yield told(name, call)
        yield told(name, call, 1)
        yield told(name, call, 1, 2, 3)
    good = (-1, 2**63, 0.5, True, -7, 1.25)
    for place in range(6):
        for value in (*INTEGERS, *REALS, 2**64, 2**63, -(2**63), 2**15, 2**16, 2**8, 3.5e38, []):
            yield told(f"mixed_sum, {place}", idioms.mixed_sum, *good[:place], value, *good[place + 1 :])
    yield told("mixed_sum", idioms.mixed_sum, *good[:5])
    for value in BUFFERS:
        yield told("bytes_sum", idioms.bytes_sum, value)
        yield told("crc32", codec.crc32, value)
        yield told("crc32", codec.crc32, value, 12345)
    for value in (*INTEGERS, 2**32, 2**64, -(2**40)):
        yield told("crc32", codec.crc32, b"data", value)
    yield told("crc32", codec.crc32)
    yield told("crc32", codec.crc32, b"", 0, 0)
    for value in writable():
        yield told("buffer_fill", idioms.buffer_fill, value, 7)
        yield told("buffer_fill, the buffer", lambda value=value: bytes(value))
    for value in (*INTEGERS, 255, 256):
        yield told("buffer_fill", idioms.buffer_fill, bytearray(4), value)
        yield told("label_get", idioms.label_get, value)
    for value in TEXTS:
        yield told("string_length", idioms.string_length, value)
    yield from about_boxes(idioms, told)
    for times in (0, 1, 5, 2**31, -1, "1"):
        yield told("each_call", idioms.each_call, times if times != 2**31 else 2**70, int)
    yield told("each_call", idioms.each_call, 3, fail)
    yield told("each_call", idioms.each_call, 3, None)
    yield told("each_call", idioms.each_call, 3, lambda value: "no integer")
    yield told("each_call", idioms.each_call, 3, lambda value: 2**80)
    yield told("each_call", idioms.each_call, 3)


def about_boxes(idioms: Any, told: Callable[..., tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the description and the outcome of the calls with a struct by pointer."""
    for value in INTEGERS:
        box = idioms.Box()
        yield told("box_fill", lambda box=box, value=value: idioms.box_fill(box, value))
        yield told("box_fill, then box_unpack", lambda box=box: idioms.box_unpack(box))
        yield told("box_fill, then box_area", lambda box=box: idioms.box_area(box))
    for value in (None, 1, "box", object()):
        kind = type(value).__name__
        yield told(f"box_fill of {kind}", lambda value=value: idioms.box_fill(value, 1))
        yield told(f"box_area of {kind}", lambda value=value: idioms.box_area(value))
        yield told(f"box_unpack of {kind}", lambda value=value: idioms.box_unpack(value))


@pytest.fixture
def whole(variant: Implementation) -> Implementation:
    """The whole binding of the variant."""
    (found,) = (one for one in discover([variant.binding]) if one.name == variant.binding)
    return found


@pytest.fixture
def variant(request: pytest.FixtureRequest) -> Implementation:
    """One of the selected partial variants; the test is skipped if this interpreter cannot have it."""
    (chosen,) = (one for one in selected(request.config) if one.name == request.param)
    if chosen.unavailable is not None:
        pytest.skip(f"{chosen.name} is not available: {chosen.unavailable}")
    return chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on every partial variant."""
    names = [one.name for one in selected(metafunc.config) if one.partial]
    metafunc.parametrize("variant", names, indirect=True)


def test_every_call_has_the_outcome_of_the_whole_binding(variant: Implementation, whole: Implementation) -> None:
    """Results and exceptions of some hundred calls, valid and invalid ones, are those of the whole binding."""
    theirs = list(outcomes(whole.idioms, whole.codec))
    assert len(theirs) > 250
    pairs = zip(outcomes(variant.idioms, variant.codec), theirs, strict=True)
    assert [(name, mine, other) for (name, mine), (_, other) in pairs if mine != other] == []


def test_features_and_functions_are_complete(variant: Implementation) -> None:
    """Every feature is offered or declared missing with a reason, and every function of :data:`KNOBS` exists."""
    assert variant.features | set(variant.gaps) == set(FEATURES)
    assert not variant.features & set(variant.gaps)
    assert all(reason.strip() for reason in variant.gaps.values())
    missing = [
        f"{noun}.{name}" for noun, names in KNOBS.items() for name in names if not hasattr(variant.noun(noun), name)
    ]
    assert missing == []


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="PyPy does not count references")
def test_no_reference_is_kept_or_lost(variant: Implementation) -> None:
    """Arguments have as many references after thousands of calls, successful or not, as before."""
    idioms: Any = variant.idioms
    codec: Any = variant.codec
    number, real, text, data, room = 2**20 + 1, 1234.5, "text é", b"x" * 100, bytearray(100)
    watched = (number, real, text, data, room, fail, int)
    calls: list[Callable[[], object]] = [
        lambda: idioms.i32_add(number, 1),
        lambda: idioms.i32_add(text, number),
        lambda: idioms.f64_add(real, number),
        lambda: idioms.mixed_sum(number, number, real, text, number, real),
        lambda: idioms.mixed_sum(1, number, real, text, 1, text),
        lambda: idioms.bytes_sum(data),
        lambda: idioms.bytes_sum(room),
        lambda: idioms.bytes_sum(text),
        lambda: idioms.buffer_fill(room, 1),
        lambda: idioms.buffer_fill(data, 1),
        lambda: idioms.buffer_fill(room, number),
        lambda: idioms.string_length(text),
        lambda: idioms.string_length(data),
        lambda: idioms.label_get(number),
        lambda: idioms.each_call(2, fail),
        lambda: idioms.each_call(2, int),
        lambda: idioms.each_call(text, int),
        lambda: idioms.box_fill(idioms.Box(), text),
        lambda: codec.crc32(data, number),
        lambda: codec.crc32(text, number),
    ]
    for call in calls:
        for _ in range(50):
            outcome(call)
        before = [sys.getrefcount(one) for one in watched]
        for _ in range(REPEAT):
            outcome(call)
        after = [sys.getrefcount(one) for one in watched]
        # immortal objects are not counted; caches may hold a few references
        assert [new - old for new, old in zip(after, before, strict=True) if abs(new - old) > REPEAT // 10] == []
