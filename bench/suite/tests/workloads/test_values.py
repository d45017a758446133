# SPDX-License-Identifier: Apache-2.0
"""Values are of the class that their workload declares, the same for all subjects, and others in another process."""

from random import Random

import pytest
from cside_suite.workloads import values

BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}


@pytest.mark.parametrize("kind", list(values.ADDENDS))
def test_addends_and_their_sum_fit_the_type(kind: str) -> None:
    """No draw overflows, of either argument or of the sum."""
    width = kind.partition("-")[0]
    signed = width.startswith("i")
    low, high = (-(1 << BITS[width] - 1), 1 << BITS[width] - 1) if signed else (0, 1 << BITS[width])
    for seed in range(200):
        for a, b in values.ints(Random(seed), *values.ADDENDS[kind]):
            assert all(low <= value < high for value in (a, b, a + b))


@pytest.mark.parametrize("kind", [kind for kind in values.ADDENDS if "-" in kind])
def test_small_integers_have_one_digit_and_large_ones_more(kind: str) -> None:
    """CPython keeps 30 bits in a digit."""
    draws = [values.ints(Random(seed), *values.ADDENDS[kind]) for seed in range(200)]
    magnitudes = [abs(value) for pairs in draws for pair in pairs for value in pair]
    if kind.endswith("small"):
        assert max(magnitudes) < 2**30
        assert all(abs(a + b) < 2**30 for pairs in draws for a, b in pairs)
    else:
        assert min(magnitudes) >= 2**30
    assert len(set(magnitudes)) > len(magnitudes) / 2


def test_both_signs_occur() -> None:
    """A class without a sign has values of either."""
    signs = {value > 0 for pair in values.ints(Random(1), values.SMALL, values.SMALL) for value in pair}
    assert signs == {True, False}


@pytest.mark.parametrize(
    ("kind", "least", "most"), [("ascii", 0, 0x80), ("latin1", 0x80, 0x100), ("ucs2", 0x100, 0x10000)]
)
def test_texts_are_of_their_kind(kind: str, least: int, most: int) -> None:
    """The largest letter decides how CPython keeps a text; each is of the length asked for."""
    for text in values.texts(Random(2), kind, 20):
        assert len(text) == 20
        assert least <= ord(max(text)) < most
        assert "\0" not in text


def test_memoryviews_begin_anywhere() -> None:
    """They are of the bytes asked for, and not all at the beginning of their object."""
    found = [view for seed in range(4) for view in values.buffers(Random(seed), "memoryview", 16)]
    assert all(isinstance(view, memoryview) and view.nbytes == 16 for view in found)
    assert len({len(view.obj) for view in found if isinstance(view, memoryview)}) > 4
    assert {type(data) for data in values.buffers(Random(1), "bytes", 16)} == {bytes}
    assert {type(data) for data in values.buffers(Random(1), "bytearray", 16)} == {bytearray}


def test_reals_are_exact_in_single_precision() -> None:
    """A sum is the same in ``float`` and ``double``."""
    import struct

    for pair in values.reals(Random(3), 2):
        for value in (*pair, sum(pair)):
            assert struct.unpack("f", struct.pack("f", value))[0] == value


def test_large_pieces_are_not_rotated() -> None:
    """Eight pieces of 4 KiB would not stay in the fastest cache."""
    data = bytes(range(256)) * 1024
    assert len({bytes(piece) for piece in values.pieces(Random(4), data, 64)}) == values.DRAWS
    assert values.pieces(Random(4), data, 65536) == [data[:65536]]
    assert values.pieces(Random(4), data, 0) == [b""] * values.DRAWS


def test_a_seed_gives_the_same_values_again() -> None:
    """So all subjects of a workload get the same, whichever is asked first."""
    assert values.texts(Random("1 w"), "ucs2", 20) == values.texts(Random("1 w"), "ucs2", 20)
    assert values.texts(Random("1 w"), "ucs2", 20) != values.texts(Random("2 w"), "ucs2", 20)
