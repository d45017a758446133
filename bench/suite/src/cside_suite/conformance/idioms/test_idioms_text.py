# SPDX-License-Identifier: Apache-2.0
"""NUL-terminated text, text that the library owns or that has to be freed, and padded fields of fixed width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.fnv1a import fnv1a_32
from cside_suite.conformance.outcome import outcome, told
from cside_suite.conformance.signatures import positions
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone

TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=200)


class StrSubclass(str):
    """A subclass of ``str``."""


def test_only_text_is_text(idioms: Idioms) -> None:
    """A text argument takes a ``str``; bytes and everything else are `TypeError`."""
    wrong = []
    for name, position, _, call in positions(idioms, "text", "label"):
        for bad in (b"text", bytearray(b"text"), None, 5, ["a"], object()):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "TypeError"]
    assert wrong == []


def test_text_that_utf8_cannot_hold_is_refused(idioms: Idioms) -> None:
    """A lone surrogate in a text is `UnicodeEncodeError`."""
    wrong = []
    for name, position, _, call in positions(idioms, "text", "label"):
        for bad in ("\ud800", "ab\udfff", "\udc80" * 3):
            wrong += [(name, position, got) for got in (outcome(call, bad),) if got != "UnicodeEncodeError"]
    assert wrong == []


def test_text_is_never_cut_at_a_nul(idioms: Idioms) -> None:
    """A NUL anywhere in a text that becomes a C string is `ValueError`."""
    wrong = []
    for name, position, _, call in positions(idioms, "text"):
        for bad in ("\0", "a\0b", "a\0", "é\0"):
            wrong += [(name, position, got) for got in (outcome(call, bad),) if got != "ValueError"]
    assert wrong == []


def test_subclasses_of_str_are_text(idioms: Idioms) -> None:
    """An object of a subclass of ``str`` is a text."""
    wrong = []
    for name, position, _, call in positions(idioms, "text", "label"):
        got = outcome(call, StrSubclass("text"))
        wrong += [] if got.startswith("returned") else [(name, position, got)]
    assert wrong == []


@given(text=TEXT)
def test_string_length_counts_bytes_of_utf8(idioms: Idioms, text: str) -> None:
    """The length is that of the UTF-8, not of the ``str``."""
    assert idioms.string_length(text) == len(text.encode())


def test_string_length_of_long_text(idioms: Idioms) -> None:
    """A text may have megabytes, or be empty."""
    assert idioms.string_length("") == 0
    assert idioms.string_length("a" * 3_000_000) == 3_000_000
    assert idioms.string_length("\U0001f40d" * 500_000) == 2_000_000


def test_string_borrow_copies_the_librarys_text(idioms: Idioms) -> None:
    """A text that the library owns is copied to a ``str``; NULL becomes None."""
    assert idioms.string_borrow(0) == "borrowed"
    text = idioms.string_borrow(1)
    assert text is not None and not text.isascii()
    assert idioms.string_borrow(3) == ""
    assert idioms.string_borrow(4) is None
    assert idioms.string_borrow(2**32 - 1) is None
    assert idioms.string_borrow(0) == "borrowed"


def test_text_from_the_library_is_strict_utf8(idioms: Idioms) -> None:
    """Bytes from the library that are not valid UTF-8 are `UnicodeDecodeError`."""
    assert outcome(idioms.string_borrow, 2) == "UnicodeDecodeError"


@given(text=TEXT, times=st.integers(0, 40))
def test_string_repeat_repeats(idioms: Idioms, text: str, times: int) -> None:
    """A text that the library allocates is returned in full."""
    assert idioms.string_repeat(text, times) == text * times


def test_string_repeat_of_much(idioms: Idioms) -> None:
    """A long result is returned in full; one that does not fit into memory is `MemoryError`."""
    assert idioms.string_repeat("ab", 1_000_000) == "ab" * 1_000_000
    assert idioms.string_repeat("", 1000) == ""
    assert told(idioms.string_repeat, "x" * 2**20, 2**32 - 1)[0] == "MemoryError"


@pytest.mark.parametrize("index", [0, 1, 12345, 2**32 - 1])
def test_label_get_strips_the_padding(idioms: Idioms, index: int) -> None:
    """A field of fixed width is returned without its padding."""
    assert idioms.label_get(index) == f"label {index}"


@given(text=st.text(st.characters(blacklist_categories=["Cs"]), max_size=40))
def test_label_hash_pads_or_refuses(idioms: Idioms, text: str) -> None:
    """A text is padded with spaces to 32 bytes, a NUL in it is data, and a longer text is refused, not cut."""
    data = text.encode()
    if len(data) <= 32:
        assert idioms.label_hash(text) == fnv1a_32(data.ljust(32))
    else:
        assert told(idioms.label_hash, text) == ("ValueError", "label longer than 32 bytes")


def test_label_hash_at_its_limit(idioms: Idioms) -> None:
    """The limit is in bytes of UTF-8: 32 fit, 33 do not."""
    for good in ("", "a" * 32, "é" * 16, "\0" * 32, "a\0b"):
        assert idioms.label_hash(good) == fnv1a_32(good.encode().ljust(32))
    for bad in ("a" * 33, "é" * 16 + "a", "a" + "é" * 16, "\U0001f40d" * 9, "a" * 1_000_000):
        assert told(idioms.label_hash, bad) == ("ValueError", "label longer than 32 bytes")
