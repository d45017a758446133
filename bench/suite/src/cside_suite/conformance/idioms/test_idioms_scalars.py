# SPDX-License-Identifier: Apache-2.0
"""No-op, scalars of each width, mixed and variadic arguments, and the conversion of numbers in all functions."""

import contextlib
import functools
import math
import struct
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.integers import INT64, signed
from cside_suite.conformance.outcome import failure, outcome
from cside_suite.conformance.signatures import COSTLY, INTEGERS, positions, usable, valid
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone

WIDTHS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]


class Index:
    """An object with ``__index__`` only."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __index__(self) -> Any:
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


class Float:
    """An object with ``__float__`` only."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __float__(self) -> Any:
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


class IntSubclass(int):
    """A subclass of ``int``."""


class Wrapping(Index):
    """An integer whose own arithmetic and comparisons say that it fits every range, as those of fixed width do."""

    def _small(self, *other: object) -> int:
        return 1

    __or__ = __ror__ = __and__ = __rand__ = __xor__ = __add__ = __radd__ = __sub__ = __rsub__ = _small
    __rshift__ = __lshift__ = __mul__ = __rmul__ = __neg__ = __invert__ = __abs__ = __int__ = __hash__ = _small

    def _yes(self, other: object = None) -> bool:
        return True

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = _yes

    def bit_length(self) -> int:
        """Say that it is short."""
        return 1


class WrappingInt(IntSubclass):
    """A subclass of ``int`` that is no less misleading; C reads the number that it is, not what it says."""

    def _one(self, *other: Any) -> Any:
        return 1

    __or__ = __and__ = __add__ = __sub__ = __rshift__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = _one
    __hash__ = _one


def wrapped(kind: str, value: int) -> int:
    """Return ``value`` reduced to the range of ``kind``."""
    low, high = INTEGERS[kind]
    return (value - low) % (high - low + 1) + low


def test_noop_returns_none(idioms: Idioms) -> None:
    """``noop`` does nothing and returns None."""
    assert outcome(idioms.noop) == "returned None"


@pytest.mark.parametrize("kind", WIDTHS)
def test_add_takes_its_limits_and_wraps_around(idioms: Idioms, kind: str) -> None:
    """Both limits of a width are accepted, and a sum beyond them wraps around."""
    add = getattr(idioms, f"{kind}_add")
    low, high = INTEGERS[kind]
    for a in (low, low + 1, 0, 1, high - 1, high):
        for b in (low, 0, high):
            result = add(a, b)
            assert result == wrapped(kind, a + b), (a, b)
            assert type(result) is int


@pytest.mark.parametrize("kind", WIDTHS)
@given(data=st.data())
def test_add_is_a_sum_modulo_the_width(idioms: Idioms, kind: str, data: st.DataObject) -> None:
    """The sum of any two numbers of a width is taken modulo the width."""
    low, high = INTEGERS[kind]
    a, b = data.draw(st.integers(low, high)), data.draw(st.integers(low, high))
    assert getattr(idioms, f"{kind}_add")(a, b) == wrapped(kind, a + b)


def test_every_integer_argument_overflows_on_both_sides(idioms: Idioms) -> None:
    """A number that does not fit the C type is `OverflowError`, in every function and position."""
    wrong: list[tuple[object, ...]] = []
    for name, position, kind, call in positions(idioms, *INTEGERS):
        low, high = INTEGERS[kind]
        for bad in (low - 1, high + 1, -(2**63) - 1, 2**64, 10**30, -(10**30)):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "OverflowError"]
        wrong += [(name, position, "Index", got) for got in (outcome(call, Index(high + 1)),) if got != "OverflowError"]
    assert wrong == []


def test_every_integer_argument_takes_its_limits(idioms: Idioms) -> None:
    """The smallest number of the C type, and the greatest if the call is cheap, are accepted."""
    wrong: list[tuple[object, ...]] = []
    for name, position, kind, call in positions(idioms, *INTEGERS):
        low, high = INTEGERS[kind]
        for good in (low, *([] if name in COSTLY else [high])):
            got = outcome(call, good)  # the function may refuse the value for another reason, which its own tests check
            wrong += [(name, position, good, got)] if got in ("OverflowError", "TypeError") else []
            _stop_state(idioms)
    assert wrong == []


def test_every_integer_argument_refuses_other_types(idioms: Idioms) -> None:
    """Objects without ``__index__``, such as text, floats and None, are `TypeError`."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, *INTEGERS):
        for bad in (None, "1", b"1", 1.0, Decimal(1), Fraction(1), object(), [1], 1j, Float(1.0)):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "TypeError"]
    assert wrong == []


def test_every_integer_argument_takes_what_has_index(idioms: Idioms) -> None:
    """An object of a subclass of ``int``, a ``bool`` and any object with ``__index__`` are integers."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, *INTEGERS):
        for good in (True, IntSubclass(1), Index(1)):
            got = outcome(call, good)
            wrong += [(name, position, type(good), got)] if got in ("OverflowError", "TypeError") else []
            _stop_state(idioms)
    assert wrong == []


def test_every_integer_argument_is_checked_as_an_exact_int(idioms: Idioms) -> None:
    """The range is that of the number itself: neither its own arithmetic nor its own comparisons are asked."""
    wrong: list[tuple[object, ...]] = []
    for name, position, kind, call in positions(idioms, *INTEGERS):
        low, high = INTEGERS[kind]
        for value in (high + 1, low - 1, 2**70):
            for bad in (Wrapping(value), WrappingInt(value)):
                got = outcome(call, bad)
                wrong += [(name, position, type(bad), value, got)] if got != "OverflowError" else []
        if name not in COSTLY:
            own = (
                [WrappingInt(high)] if sys.implementation.name == "cpython" else []
            )  # PyPy's C API asks the comparisons
            for good in (Wrapping(high), Wrapping(low), *own):
                got = outcome(call, good)
                wrong += [(name, position, type(good), got)] if got in ("OverflowError", "TypeError") else []
        _stop_state(idioms)
    assert wrong == []
    assert idioms.i32_add(Wrapping(2), WrappingInt(3)) == 5
    assert idioms.varargs_sum(Wrapping(2**40), WrappingInt(3)) == 2**40 + 3
    assert outcome(idioms.varargs_sum, 1, Wrapping(2**63)) == "OverflowError"


def test_scalars_of_numpy_are_numbers(idioms: Any) -> None:
    """A scalar of numpy is accepted where its value fits, and refused where it does not, whatever its own width is."""
    numpy = pytest.importorskip("numpy", reason="numpy, whose scalars are tested, cannot be installed here")
    kinds = [getattr(numpy, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
    wrong: list[tuple[object, ...]] = []
    for name, position, kind, call in positions(idioms, *INTEGERS):
        low, high = INTEGERS[kind]
        for made in kinds:
            limits = numpy.iinfo(made)
            for value in {int(limits.min), int(limits.max), 0, 1}:
                fits = low <= value <= high
                if fits and name in COSTLY and value > 1:
                    continue
                got = outcome(call, made(value))
                if (got == "OverflowError") is fits or got == "TypeError":
                    wrong.append((name, position, made.__name__, value, got))
        for bad in (numpy.float64(1), numpy.datetime64(1, "s"), numpy.array([1, 2])):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "TypeError"]
        _stop_state(idioms)
    assert wrong == []
    assert outcome(lambda: idioms.mixed_sum(1, 1, 1.0, True, numpy.uint8(200), 1.0)) == "OverflowError"
    assert outcome(lambda: idioms.mixed_sum(numpy.uint32(3_000_000_000), 1, 1.0, True, 1, 1.0)) == "OverflowError"
    assert idioms.u8_add(numpy.int64(200), numpy.uint8(55)) == 255
    for name, position, _, call in positions(idioms, "f32", "f64"):
        for good in (numpy.float32(1.5), numpy.float64(2.5), numpy.float16(0.5), numpy.int8(3), numpy.uint64(4)):
            got = outcome(call, good)
            wrong += [(name, position, good, got)] if got in ("OverflowError", "TypeError") else []
    assert wrong == []
    assert idioms.f64_add(numpy.float32(0.1), 0.0) == float(numpy.float32(0.1))
    assert type(idioms.f64_add(numpy.float64(0.5), numpy.float64(0.5))) is float


def test_what_index_raises_comes_out(idioms: Idioms) -> None:
    """An exception of ``__index__`` is raised as the same object; a wrong result of it is `TypeError`."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, *INTEGERS):
        raised = KeyError("from __index__")
        if failure(call, Index(raised)) is not raised:
            wrong.append((name, position, "not the same object"))
        wrong += [(name, position, got) for got in (outcome(call, Index("1")),) if got != "TypeError"]
    assert wrong == []


def test_f32_add_rounds_to_single_precision(idioms: Idioms) -> None:
    """Arguments and sum are C floats: they are rounded to the nearest, and infinite beyond the largest."""
    assert idioms.f32_add(0.5, 0.25) == 0.75
    assert idioms.f32_add(0.1, 0.0) == struct.unpack("f", struct.pack("f", 0.1))[0]
    assert idioms.f32_add(1e300, 0.0) == math.inf
    assert idioms.f32_add(-1e300, 0.0) == -math.inf
    assert idioms.f32_add(3e38, 3e38) == math.inf
    assert math.isnan(idioms.f32_add(math.nan, 1.0))
    assert math.copysign(1.0, idioms.f32_add(-0.0, -0.0)) == -1.0


@given(a=st.floats(), b=st.floats())
def test_f64_add_is_the_sum_of_floats(idioms: Idioms, a: float, b: float) -> None:
    """The sum of two doubles is that of Python's floats."""
    assert struct.pack("d", idioms.f64_add(a, b)) == struct.pack("d", a + b) or math.isnan(a + b)


@given(a=st.floats(width=32), b=st.floats(width=32))
def test_f32_add_is_exact_on_single_floats(idioms: Idioms, a: float, b: float) -> None:
    """The sum of two C floats is their sum as doubles, rounded once."""
    try:
        want = struct.unpack("f", struct.pack("f", a + b))[0]
    except OverflowError:
        want = math.copysign(math.inf, a + b)
    got = idioms.f32_add(a, b)
    assert got == want or (math.isnan(got) and math.isnan(want))


def test_every_float_argument_takes_what_float_takes(idioms: Idioms) -> None:
    """Ints, bools, fractions and objects with ``__float__`` or ``__index__`` are accepted as floats."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, "f32", "f64"):
        for good in (1, True, 2.5, Fraction(1, 2), Decimal("0.5"), Float(1.0), Index(1), IntSubclass(3), 10**300):
            got = outcome(call, good)
            wrong += [] if got.startswith("returned") or name == "config_read" else [(name, position, good, got)]
            wrong += [(name, position, good, got)] if got in ("OverflowError", "TypeError") else []
    assert wrong == []


def test_every_float_argument_refuses_other_types(idioms: Idioms) -> None:
    """Text and objects that ``float()`` does not take are `TypeError`; an int beyond a double is `OverflowError`."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, "f32", "f64"):
        for bad in (None, "1.0", object(), [1.0], 1j, Float("1")):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "TypeError"]
        wrong += [(name, position, got) for got in (outcome(call, 10**400),) if got != "OverflowError"]
    assert wrong == []


def test_what_float_raises_comes_out(idioms: Idioms) -> None:
    """An exception of ``__float__`` is raised as the same object."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, "f32", "f64"):
        raised = KeyError("from __float__")
        if failure(call, Float(raised)) is not raised:
            wrong.append((name, position))
    assert wrong == []


def test_bool_not_takes_the_truth_value_of_anything(idioms: Idioms) -> None:
    """Any object is accepted by its truth value, and the result is a ``bool``."""
    for value in (None, 0, 1, 0.0, "", "a", b"", [], [0], object(), 2**100, 256, -1):
        assert idioms.bool_not(value) is (not value)


def test_every_truth_value_may_raise(idioms: Idioms) -> None:
    """An exception of ``__bool__`` is raised as the same object."""

    class Undecided:
        def __bool__(self) -> bool:
            raise raised

    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, "bool"):
        raised = KeyError("from __bool__")
        if failure(call, Undecided()) is not raised:
            wrong.append((name, position))
    assert wrong == []


def test_mixed_sum_adds_up_six_types(idioms: Idioms) -> None:
    """Each of six arguments of six types arrives in its place."""
    assert idioms.mixed_sum(-1, 2**32, 0.25, True, -128, 0.5) == 2**32 - 1 + 0.25 + 1 - 128 + 0.5
    assert idioms.mixed_sum(1, 2, 3.0, None, 4, 5.0) == 15.0
    assert idioms.mixed_sum(0, 2**64 - 1, 0.0, 0, 0, 0.0) == 2.0**64
    assert idioms.mixed_sum(0, 0, 0.0, [0], 0, 1e300) == math.inf
    assert type(idioms.mixed_sum(1, 1, 1, 1, 1, 1)) is float


def test_arguments_are_checked_from_left_to_right(idioms: Any) -> None:
    """If two arguments are wrong, the exception for the first one is raised."""
    for kind in WIDTHS:
        add = getattr(idioms, f"{kind}_add")
        with pytest.raises(OverflowError):
            add(2**64, "1")
        with pytest.raises(TypeError):
            add("1", 2**64)
    with pytest.raises(OverflowError):
        idioms.mixed_sum(2**31, "x", "x", True, 2**31, "x")
    with pytest.raises(TypeError):
        idioms.mixed_sum(1, "x", 10**400, True, 2**31, 10**400)


def test_every_function_counts_its_arguments(idioms: Idioms) -> None:
    """One argument too many or too few, or a keyword argument, is `TypeError`."""
    wrong: list[tuple[object, ...]] = []
    for name, kinds in usable(idioms):
        function: Any = getattr(idioms, name)
        values = [valid(idioms, kind) for kind in kinds]
        for bad in (values[:-1] if values else [1], [*values, 1], [*values, None, None]):
            wrong += [(name, len(bad), got) for got in (outcome(function, *bad),) if got != "TypeError"]
        keyword = outcome(functools.partial(function, surely_not_a_name=1), *values)
        wrong += [(name, "keyword", keyword)] if keyword != "TypeError" else []
    assert wrong == []


@given(values=st.lists(INT64, max_size=8))
def test_varargs_sum_of_any_number(idioms: Idioms, values: list[int]) -> None:
    """The sum of zero to eight arguments is taken modulo 2**64."""
    assert idioms.varargs_sum(*values) == signed(sum(values), 64)


def test_varargs_sum_has_limits(idioms: Any) -> None:
    """More than eight arguments are `TypeError`; each is an ``int64_t``."""
    assert idioms.varargs_sum() == 0
    assert idioms.varargs_sum(*[2**63 - 1] * 8) == -8
    assert idioms.varargs_sum(True, type("Int", (int,), {})(3)) == 4
    for count in (9, 10, 1000):
        assert outcome(idioms.varargs_sum, *[1] * count) == "TypeError"
    for position in range(8):
        good = [1] * position
        assert outcome(idioms.varargs_sum, *good, 2**63) == "OverflowError"
        assert outcome(idioms.varargs_sum, *good, -(2**63) - 1) == "OverflowError"
        for bad in (None, "1", 1.0):
            assert outcome(idioms.varargs_sum, *good, bad) == "TypeError"
    assert outcome(lambda: idioms.varargs_sum(values=1)) == "TypeError"


def _stop_state(idioms: Idioms) -> None:
    with contextlib.suppress(idioms.StatusError):
        idioms.state_fini()
    idioms.trace_enable(False)
