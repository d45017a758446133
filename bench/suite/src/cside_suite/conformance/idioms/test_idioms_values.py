# SPDX-License-Identifier: Apache-2.0
"""Enum, flags, union, bit-fields, constants, macros and inline functions."""

import struct
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cside_suite.conformance.integers import INT32, INT64, UINT32, signed
from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import outcome, told
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone


def test_color_next_goes_round(idioms: Idioms) -> None:
    """Each color has a next one, and the last is followed by the first."""
    red, green, blue = idioms.COLOR_RED, idioms.COLOR_GREEN, idioms.COLOR_BLUE
    assert (red, green, blue) == (0, 1, 2)
    assert [idioms.color_next(color) for color in (red, green, blue)] == [green, blue, red]
    assert type(idioms.color_next(red)) is int


@pytest.mark.parametrize("color", [-1, 3, 4, 255, 2**31 - 1, -(2**31)])
def test_a_number_that_is_not_a_color_is_refused(idioms: Idioms, color: int) -> None:
    """A number outside the enumeration is `ValueError`."""
    assert told(idioms.color_next, color) == ("ValueError", "not a color")


def test_flags_toggle_is_exclusive_or(idioms: Idioms) -> None:
    """The result is the exclusive or, for all sets of flags and all masks."""
    assert (idioms.FLAG_READ, idioms.FLAG_WRITE, idioms.FLAG_EXEC, idioms.FLAG_ALL) == (1, 2, 4, 7)
    for flags in range(8):
        for mask in range(8):
            assert idioms.flags_toggle(flags, mask) == flags ^ mask


def test_unknown_flags_are_refused(idioms: Idioms, native: Native) -> None:
    """A bit that is not a flag is `ValueError`, in either argument."""
    for flags, mask in ((8, 0), (0, 8), (2**31, 1), (1, 2**32 - 1)):
        assert told(idioms.flags_toggle, flags, mask) == ("ValueError", native.status_message(-100))


@given(value=INT64)
def test_variant_double_of_an_int(idioms: Idioms, value: int) -> None:
    """An int is doubled modulo 2**64."""
    assert idioms.variant_double(value) == signed(2 * value, 64)


@given(value=st.floats())
def test_variant_double_of_a_float(idioms: Idioms, value: float) -> None:
    """Any float is doubled."""
    got = idioms.variant_double(value)
    assert type(got) is float
    assert got == 2 * value or (got != got and value != value)


@given(value=st.binary(min_size=8, max_size=8))
@example(b"\0\1\0\0\0\0\0\2")
def test_variant_double_of_bytes(idioms: Idioms, value: bytes) -> None:
    """Eight bytes are reversed."""
    assert idioms.variant_double(value) == value[::-1]


def test_variant_double_goes_by_the_python_type(idioms: Any) -> None:
    """Subclasses are accepted and other types are not; each member of the union has its limits."""

    class Int(int): ...

    class Float(float): ...

    class Bytes(bytes): ...

    class Index:
        def __index__(self) -> int:
            return 1

    assert [idioms.variant_double(value) for value in (True, Int(3), Float(1.5))] == [2, 6, 3.0]
    assert [type(idioms.variant_double(value)) for value in (True, Int(3), Float(1.5))] == [int, int, float]
    assert idioms.variant_double(Bytes(b"01234567")) == b"76543210"
    assert type(idioms.variant_double(Bytes(b"01234567"))) is bytes
    for bad in (None, "12345678", bytearray(8), memoryview(bytes(8)), Index(), 1j, object()):
        assert outcome(idioms.variant_double, bad) == "TypeError"
    for size in (0, 1, 7, 9, 1000):
        assert told(idioms.variant_double, bytes(size)) == ("ValueError", "need 8 bytes")
    for bad in (2**63, -(2**63) - 1, 10**30, Int(2**64)):
        assert outcome(idioms.variant_double, bad) == "OverflowError"


def test_variant_double_counts_the_bytes_themselves(idioms: Any) -> None:
    """The ``__len__`` of a subclass of ``bytes`` does not decide how much memory is read.

    On PyPy it does for compiled modules: there the C API asks it, and gives as much memory as it says. So a process
    survives, and nothing else is promised.
    """

    class Lying(bytes):
        claimed = 8

        def __len__(self) -> int:
            return self.claimed

    for size in (0, 1, 7, 9):
        got = outcome(idioms.variant_double, Lying(size))
        assert got == "ValueError" or sys.implementation.name == "pypy", got
    value = Lying(b"01234567")
    Lying.claimed = 3
    got = outcome(idioms.variant_double, value)
    assert got == "returned b'76543210'" or sys.implementation.name == "pypy", got


@given(mode=st.integers(0, 7), level=st.integers(0, 31), delta=st.integers(-8, 7), flag=st.integers(0, 1))
def test_bits_pack_and_unpack(idioms: Idioms, mode: int, level: int, delta: int, flag: int) -> None:
    """Each field has its place in the word, and can be read from it again."""
    word = mode | level << 3 | (delta & 15) << 8 | flag << 12
    assert idioms.bits_pack(mode, level, delta, flag) == word
    assert idioms.bits_unpack(word) == (mode, level, delta, flag)


@given(word=UINT32)
def test_bits_unpack_takes_any_word(idioms: Idioms, word: int) -> None:
    """Bits above the fields are ignored."""
    assert idioms.bits_unpack(word) == (word & 7, word >> 3 & 31, signed(word >> 8 & 15, 4), word >> 12 & 1)


@pytest.mark.parametrize("name", ["INT", "NEGATIVE", "HEX", "CAST", "SHIFT", "EXPR", "CHAR", "FLOAT", "STRING"])
def test_constants_are_what_the_library_was_compiled_with(idioms: Idioms, native: Native, name: str) -> None:
    """A constant of the binding has the value that the library was compiled with."""
    value = getattr(idioms, f"CONST_{name}")
    text = native.const_text(f"CS_CONST_{name}")
    assert text is not None
    assert idioms.const_text(f"CS_CONST_{name}") == text
    if name == "CHAR":
        assert type(value) is int
        assert text in (str(value), chr(value))
    else:
        assert str(value) == text


def test_constants_have_pythons_types(idioms: Idioms) -> None:
    """Casts, shifts, suffixes and signs of constants are evaluated as in C."""
    assert idioms.CONST_INT == 42
    assert idioms.CONST_NEGATIVE == -7
    assert idioms.CONST_HEX == 2**64 - 1
    assert idioms.CONST_CAST == 2**32 - 1
    assert idioms.CONST_SHIFT == 2**31
    assert idioms.CONST_EXPR == 2**31 | 3
    assert ord("c") == idioms.CONST_CHAR
    assert (idioms.CONST_FLOAT, type(idioms.CONST_FLOAT)) == (2.5, float)
    assert idioms.CONST_STRING == "cside é"
    names = [name for name in dir(idioms) if name.startswith(("CONST_", "COLOR_", "FLAG_", "CONFIG_"))]
    kinds = {type(getattr(idioms, name)) for name in names}
    assert kinds == {int, float, str}


def test_const_text_knows_names(idioms: Any) -> None:
    """A constant is found by its exact name only."""
    assert idioms.const_text("CS_CONST_INT") == "42"
    for unknown in ("", "CS_CONST", "CS_CONST_INT ", "cs_const_int", "é", "x" * 10_000):
        assert idioms.const_text(unknown) is None


@pytest.mark.needs("macros-and-inlines")
@given(x=INT32, lo=INT32, hi=INT32)
def test_macro_clamp_is_the_macro(idioms: Idioms, x: int, lo: int, hi: int) -> None:
    """A function-like macro works as a function on ``int32_t``, also if the limits are in the wrong order."""
    assert idioms.macro_clamp(x, lo, hi) == (lo if x < lo else hi if x > hi else x)


@pytest.mark.needs("macros-and-inlines")
@given(value=UINT32, bits=UINT32)
def test_inline_rotl_rotates(idioms: Idioms, value: int, bits: int) -> None:
    """A static-inline function works as a function on ``uint32_t``; the number of bits is taken modulo 32."""
    bits %= 32
    assert idioms.inline_rotl(value, bits) == (value << bits | value >> (32 - bits)) % 2**32


def test_without_macros_the_functions_are_not_implemented(idioms: Any, request: pytest.FixtureRequest) -> None:
    """A binding that cannot call macros has the functions, and they raise `NotImplementedError`."""
    if "macros-and-inlines" in request.getfixturevalue("implementation").features:
        pytest.skip("this binding calls macros and inline functions")
    assert outcome(idioms.macro_clamp, 1, 2, 3) == "NotImplementedError"
    assert outcome(idioms.inline_rotl, 1, 2) == "NotImplementedError"


def test_packed_words_are_numbers(idioms: Idioms) -> None:
    """Results are objects of ``int`` and ``tuple`` themselves, not of subclasses."""
    assert struct.pack("<I", idioms.bits_pack(1, 2, -3, 1))
    assert type(idioms.bits_unpack(5)) is tuple
    assert [type(value) for value in idioms.bits_unpack(5)] == [int] * 4
