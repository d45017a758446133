# SPDX-License-Identifier: Apache-2.0
"""Arrays of structs as input and output."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.collect import collect
from cside_suite.conformance.fnv1a import fnv1a_64
from cside_suite.conformance.outcome import outcome
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone


class Evil:
    """An integer whose first conversion runs a function."""

    def __init__(self, deed: Any) -> None:
        self.deed = deed

    def __index__(self) -> int:
        deed, self.deed = self.deed, lambda: None
        deed()
        return 1


def digest(attrs: list[tuple[int, bytes]]) -> int:
    """Return the hash that ``cs_attrs_digest`` computes."""
    return fnv1a_64(b"".join(kind.to_bytes(4, "little") + value for kind, value in attrs))


@given(attrs=st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary(max_size=40)), max_size=20))
def test_attrs_digest_reads_every_attribute(idioms: Idioms, attrs: list[tuple[int, bytes]]) -> None:
    """The hash covers the type and the value of each attribute, in order."""
    assert idioms.attrs_digest(attrs) == digest(attrs)
    assert idioms.attrs_digest(tuple(attrs)) == digest(attrs)
    assert idioms.attrs_digest([(kind, bytearray(value)) for kind, value in attrs]) == digest(attrs)


def test_attrs_digest_takes_many_attributes(idioms: Idioms) -> None:
    """Thousands of attributes and large values are accepted."""
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
    """Each value is returned in full, in the order of the types."""
    want = [(kind, bytes([kind % 256]) * (kind % 64)) for kind in types]
    assert idioms.attrs_get(types) == want
    got = idioms.attrs_get(tuple(types))
    assert type(got) is list and got == want


def test_attrs_get_takes_any_sequence(idioms: Any) -> None:
    """A range and a byte string are sequences of integers, too."""
    want = idioms.attrs_get([0, 1, 2])
    for types in (range(3), b"\0\1\2", bytearray(b"\0\1\2"), memoryview(b"\0\1\2")):
        assert idioms.attrs_get(types) == want


def test_attrs_get_refuses_unknown_types(idioms: Any) -> None:
    """A type that the library does not know is `LookupError`, one that is no integer `TypeError`."""
    bad: Any
    for unknown in ([4097], [1, 2**32 - 1], [4097, 1]):
        assert outcome(idioms.attrs_get, unknown) == "LookupError"
    for bad in (None, 5, [None], ["1"], [1, 1.5], "1"):
        assert outcome(idioms.attrs_get, bad) == "TypeError"
    for bad in ([-1], [2**32], [1, 10**30]):
        assert outcome(idioms.attrs_get, bad) == "OverflowError"


def test_attrs_that_change_while_they_are_read_are_harmless(idioms: Any) -> None:
    """If the conversion of an item changes the sequence, the call returns or raises, but never crashes."""
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
