# SPDX-License-Identifier: Apache-2.0
"""The codec and the standard library's ``zlib`` agree: each decompresses what the other compressed."""

import copy
import gzip
import itertools
import random
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.native import Native
from cside_suite.contract.codec import Codec

REPETITIVE = st.builds(lambda part, times: part * times, st.binary(min_size=1, max_size=30), st.integers(1, 3000))
DATA = st.one_of(st.binary(max_size=3000), REPETITIVE)
LEVELS = st.integers(-1, 9)
STRATEGIES = st.integers(0, 4)
WINDOWS = st.sampled_from([9, 12, 15, -9, -12, -15, 25, 28, 31])
TEXT = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(6000))


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """Return ``data`` cut at these positions."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(places)]


def reader(window: int) -> int:
    """Return window bits with which the output of ``window`` can be decompressed."""
    return 15 if 0 < window < 16 else -15 if window < 0 else 31


@given(data=DATA, value=st.integers(-(2**70), 2**70))
def test_checksums_agree(codec: Codec, data: bytes, value: int) -> None:
    """Checksums agree with those of ``zlib`` from any starting value, which is taken modulo 2**32."""
    assert codec.crc32(data) == zlib.crc32(data)
    assert codec.adler32(data) == zlib.adler32(data)
    assert codec.crc32(data, value) == zlib.crc32(data, value % 2**32)
    checksum = zlib.adler32(b"start", value % 65521)
    assert codec.adler32(data, checksum + 2**32) == zlib.adler32(data, checksum)


@given(first=DATA, second=DATA)
def test_checksums_combine(codec: Codec, first: bytes, second: bytes) -> None:
    """The combined checksum of two parts is the checksum of both."""
    both = first + second
    assert codec.crc32_combine(codec.crc32(first), codec.crc32(second), len(second)) == zlib.crc32(both)
    assert codec.adler32_combine(codec.adler32(first), codec.adler32(second), len(second)) == zlib.adler32(both)
    assert codec.crc32(second, codec.crc32(first)) == zlib.crc32(both)
    assert codec.crc32_combine(codec.crc32(first) + 2**32, codec.crc32(second) - 2**32, len(second)) == zlib.crc32(both)


@given(data=DATA, level=LEVELS, window=WINDOWS)
def test_one_shot_calls_agree(codec: Codec, data: bytes, level: int, window: int) -> None:
    """One-shot calls agree with ``zlib`` at every level and in every format."""
    packed = codec.compress(data, level, window)
    assert type(packed) is bytes
    assert zlib.decompress(packed, reader(window)) == data
    theirs = zlib.compressobj(level, 8, window)
    assert codec.decompress(theirs.compress(data) + theirs.flush(), reader(window)) == data
    assert codec.decompress(packed, wbits=reader(window), bufsize=1) == data


@given(
    data=DATA,
    level=LEVELS,
    window=WINDOWS,
    memory=st.integers(1, 9),
    strategy=STRATEGIES,
    cuts=st.lists(st.integers(0, 100_000), max_size=6),
    flushes=st.lists(st.integers(0, 3), min_size=8, max_size=8),
)
def test_streams_agree(
    codec: Codec, data: bytes, level: int, window: int, memory: int, strategy: int, cuts: list[int], flushes: list[int]
) -> None:
    """Streams agree with ``zlib`` with every parameter, cut anywhere and flushed in any way."""
    ours = codec.compressobj(level, 8, window, memory, strategy)
    parts = []
    for part, mode in zip(pieces(data, cuts), flushes, strict=False):
        parts.append(ours.compress(part))
        parts.append(ours.flush(mode))
    packed = b"".join(parts) + ours.flush()
    assert zlib.decompress(packed, reader(window)) == data
    stream = codec.decompressobj(reader(window))
    got = b"".join(stream.decompress(part) for part in pieces(packed, cuts)) + stream.flush()
    assert got == data
    assert (stream.eof, stream.unused_data, stream.unconsumed_tail) == (True, b"", b"")


@given(data=DATA, limit=st.integers(1, 5000), window=WINDOWS, extra=st.binary(max_size=50))
def test_bounded_decompression_agrees(codec: Codec, data: bytes, limit: int, window: int, extra: bytes) -> None:
    """``max_length`` limits each step; ``unconsumed_tail`` and ``unused_data`` are those of ``zlib``."""
    stream = codec.decompressobj(reader(window))
    theirs = zlib.decompressobj(reader(window))
    tail, got = codec.compress(data, wbits=window) + extra, b""
    for _ in range(len(data) // limit + len(tail) + 3):
        step = stream.decompress(tail, limit)
        assert len(step) <= limit
        assert step == theirs.decompress(tail, limit)
        got, tail = got + step, stream.unconsumed_tail
        assert (stream.unused_data, stream.eof) == (theirs.unused_data, theirs.eof)
        if stream.eof:
            break
        assert tail == theirs.unconsumed_tail
    assert stream.eof and got == data
    assert stream.unused_data == extra


@given(data=DATA, dictionary=st.binary(min_size=1, max_size=2000), raw=st.booleans())
def test_dictionaries_agree(codec: Codec, data: bytes, dictionary: bytes, raw: bool) -> None:
    """Streams with a preset dictionary agree with ``zlib``, in the zlib format and in the raw one."""
    window = -15 if raw else 15
    ours: Any = codec.compressobj(wbits=window, zdict=dictionary)
    packed = ours.compress(dictionary + data) + ours.flush()
    assert zlib.decompressobj(window, zdict=dictionary).decompress(packed) == dictionary + data
    theirs = zlib.compressobj(wbits=window, zdict=dictionary)
    packed = theirs.compress(data + dictionary) + theirs.flush()
    assert codec.decompressobj(window, zdict=bytearray(dictionary)).decompress(packed) == data + dictionary


@given(first=DATA, second=DATA, third=DATA)
def test_copies_are_independent(codec: Codec, first: bytes, second: bytes, third: bytes) -> None:
    """A copy of a stream and its original continue independently."""
    ours = codec.compressobj()
    head = ours.compress(first)
    other = copy.deepcopy(ours) if len(first) % 2 else ours.copy()
    assert zlib.decompress(head + other.compress(third) + other.flush()) == first + third
    packed = head + ours.compress(second) + ours.flush()
    assert zlib.decompress(packed) == first + second
    stream = codec.decompressobj()
    half = len(packed) // 2
    got = stream.decompress(packed[:half])
    twin = copy.copy(stream)
    assert got + twin.decompress(packed[half:]) == got + stream.decompress(packed[half:]) == first + second
    assert twin.eof and stream.eof


@given(data=DATA)
def test_formats_are_told_apart(codec: Codec, data: bytes) -> None:
    """Window bits of 0 take the size from the header; 40 to 47 tell zlib and gzip apart."""
    assert codec.decompress(zlib.compress(data), 0) == data
    assert codec.decompress(zlib.compress(data), 47) == data
    assert codec.decompress(gzip.compress(data), 47) == data
    assert codec.decompressobj(41).decompress(zlib.compress(b"", wbits=9)) == b""
    assert gzip.decompress(codec.compress(data, wbits=31)) == data


@pytest.mark.parametrize("level", [-1, 1, 2, 6, 9])
def test_bytes_equal_the_standard_librarys(codec: Codec, level: int) -> None:
    """With the same engine the compressed bytes are those of ``zlib``, so that every parameter arrives.

    Level 0 is left out, since the ends of stored blocks depend on the room that the engine is given.
    """
    if codec.ZLIB_RUNTIME_VERSION != zlib.ZLIB_RUNTIME_VERSION:
        pytest.skip(
            f"this interpreter's zlib uses engine {zlib.ZLIB_RUNTIME_VERSION}, not {codec.ZLIB_RUNTIME_VERSION}"
        )
    assert codec.compress(TEXT, level) == zlib.compress(TEXT, level)
    assert codec.compress(TEXT, level=level, wbits=-9) == zlib.compress(TEXT, level=level, wbits=-9)
    for window in (9, -15, 31):
        for memory in (1, 9):
            for strategy in (0, 1, 2, 3, 4):
                ours = codec.compressobj(level, 8, window, memory, strategy)
                theirs = zlib.compressobj(level, 8, window, memory, strategy)
                data = TEXT[:20_000]
                assert ours.compress(data) == theirs.compress(data)
                for mode in (zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_PARTIAL_FLUSH, zlib.Z_BLOCK):
                    assert ours.compress(b"more") + ours.flush(mode) == theirs.compress(b"more") + theirs.flush(mode)
                assert ours.flush() == theirs.flush()


def test_versions_are_the_engines(codec: Codec, native: Native) -> None:
    """The versions are those of the engine that is loaded and of its header at compile time."""
    assert native.engine_version() == codec.ZLIB_RUNTIME_VERSION
    assert native.engine_header_version() == codec.ZLIB_VERSION


def test_keywords_are_those_of_zlib(codec: Codec) -> None:
    """Every argument that can be passed by keyword in ``zlib`` can be so in ``codec``."""
    packed = codec.compress(TEXT, level=3, wbits=15)
    assert codec.decompress(packed, wbits=15, bufsize=100) == TEXT
    stream = codec.compressobj(level=2, method=codec.DEFLATED, wbits=-12, memLevel=9, strategy=0, zdict=b"squared")
    packed = stream.compress(TEXT) + stream.flush()
    back = codec.decompressobj(wbits=-12, zdict=b"squared")
    assert back.decompress(packed, max_length=10) + back.flush() == TEXT
    stream = codec.compressobj(zdict=None)
    assert zlib.decompress(stream.compress(TEXT) + stream.flush()) == TEXT


@pytest.mark.parametrize("size", [0, 1, 16_383, 16_384, 16_385, 32_768, 65_536, 1_000_000])
def test_outputs_that_just_fill_the_room_are_complete(codec: Codec, size: int) -> None:
    """Outputs that just fill their buffer are returned in full, compressed and decompressed."""
    data = random.Random(size).randbytes(size)
    packed = codec.compress(data, 0)
    for room in (0, 1, size, size + 1, 16_384):
        assert codec.decompress(packed, bufsize=room) == data
    assert codec.decompressobj().decompress(packed) == data
    assert codec.decompressobj().decompress(packed, size + 1) == data
    stream = codec.decompressobj()
    assert stream.decompress(packed, 1) + stream.flush(max(size, 1)) == data
    ours = codec.compressobj(0)
    assert zlib.decompress(ours.compress(data) + ours.flush()) == data
