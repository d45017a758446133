# SPDX-License-Identifier: Apache-2.0
"""Streams that are truncated, corrupt, followed by other data, very large, or used by several threads."""

import sys
import threading
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite.conformance.outcome import failure, outcome
from cside_suite.contract.codec import Codec

CPYTHON = sys.implementation.name == "cpython"
DATA = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(40))
PACKED = zlib.compress(DATA)
BOMB = zlib.compress(bytes(2**26), 9)
TRUNCATED = "Error -5 while decompressing data: incomplete or truncated stream"


def what(call: Any, *arguments: Any) -> tuple[str, object]:
    """Return the result, or the name and the text of the exception, which can be compared between modules."""
    try:
        return "returned", call(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


def peak_nbytes(call: Callable[[], object]) -> int:
    """Return the peak of Python's memory during the call; 0 on PyPy, which does not trace it."""
    if not CPYTHON:
        call()
        return 0
    import tracemalloc

    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_truncated_stream_is_an_error_or_waits(codec: Codec) -> None:
    """``decompress`` of a truncated stream is ``error``; a decompressor waits for more data."""
    for length in range(len(PACKED)):
        error = failure(codec.decompress, PACKED[:length])
        assert type(error) is codec.error and str(error) == TRUNCATED, length
        stream = codec.decompressobj()
        got = stream.decompress(PACKED[:length])
        assert DATA.startswith(got) and not stream.eof
        assert got + stream.decompress(PACKED[length:]) == DATA and stream.eof


def test_flush_of_a_truncated_stream_is_no_error(codec: Codec) -> None:
    """Flushing a decompressor whose stream is truncated returns the data so far without an error."""
    stream = codec.decompressobj()
    got = stream.decompress(PACKED[:-10]) + stream.flush()
    assert DATA.startswith(got)
    assert not stream.eof


@pytest.mark.parametrize("window", [15, -15, 31, 47])
def test_a_corrupt_byte_has_the_outcome_of_zlib(codec: Codec, window: int) -> None:
    """A corrupt byte, wherever it is, has the same outcome as in ``zlib``, with the same message."""
    packer = zlib.compressobj(wbits=31 if window == 47 else window)
    packed = packer.compress(DATA) + packer.flush()
    same_words = CPYTHON and codec.ZLIB_RUNTIME_VERSION == zlib.ZLIB_RUNTIME_VERSION
    for position in range(len(packed)):
        for flip in (0x01, 0x80, 0xFF):
            broken = bytearray(packed)
            broken[position] ^= flip
            ours = what(codec.decompress, broken, window)
            theirs = what(zlib.decompress, bytes(broken), window)
            assert (ours if same_words else ours[0]) == (theirs if same_words else theirs[0]), (position, flip)
            if ours[0] == "returned":
                assert ours == theirs


@pytest.mark.parametrize("extra", [b"x", PACKED, bytes(100_000)], ids=["a byte", "another stream", "much"])
def test_data_after_the_stream_is_ignored_or_kept(codec: Codec, extra: bytes) -> None:
    """Data after the stream is ignored by ``decompress`` and kept in ``unused_data`` by a decompressor."""
    assert codec.decompress(PACKED + extra) == DATA
    stream = codec.decompressobj()
    assert stream.decompress(PACKED + extra) == DATA
    assert (stream.eof, stream.unused_data, stream.unconsumed_tail) == (True, extra, b"")
    assert stream.decompress(b"and more") == b""
    assert stream.unused_data == extra + b"and more"
    assert stream.flush() == b""
    assert stream.unused_data == extra + b"and more"


def test_streams_one_after_another_are_all_read(codec: Codec) -> None:
    """Several streams one after another can be read, each by a decompressor of its own."""
    rest, got = PACKED * 5, []
    while rest:
        stream = codec.decompressobj()
        got.append(stream.decompress(rest))
        rest = stream.unused_data
    assert got == [DATA] * 5


@pytest.mark.parametrize("limit", [1, 1000, 16_384, 100_000])
def test_a_decompression_bomb_is_bounded(codec: Codec, limit: int) -> None:
    """A small input with a very large output gives ``max_length`` bytes at a time, and uses memory for that only."""
    stream = codec.decompressobj()
    assert peak_nbytes(lambda: stream.decompress(BOMB, limit)) < 4 * limit + 4 * len(BOMB) + 100_000
    stream = codec.decompressobj()
    assert stream.decompress(BOMB, limit) == bytes(limit)
    assert not stream.eof and stream.unconsumed_tail
    assert stream.decompress(stream.unconsumed_tail, limit) == bytes(limit)
    assert stream.copy().decompress(stream.unconsumed_tail, limit) == bytes(limit)


def test_a_bounded_decompression_reaches_the_end(codec: Codec) -> None:
    """Bounded steps reach the end of a stream, and ``flush`` returns the rest at once."""
    stream = codec.decompressobj()
    total, tail = 0, BOMB
    while not stream.eof:
        total += len(stream.decompress(tail, 2**23))
        tail = stream.unconsumed_tail
    assert total == 2**26
    stream = codec.decompressobj()
    stream.decompress(BOMB, 5)
    assert len(stream.flush()) == 2**26 - 5
    assert stream.eof and stream.unconsumed_tail == b""


def test_a_large_limit_takes_no_memory(codec: Codec) -> None:
    """Large values of ``max_length``, ``bufsize`` and ``length`` work for small data."""
    assert codec.decompressobj().decompress(PACKED, sys.maxsize) == DATA
    stream = codec.decompressobj()
    stream.decompress(PACKED, 1)
    assert stream.flush(2**20) == DATA[1:]
    assert codec.decompress(PACKED, bufsize=2**20) == DATA


def test_decompressing_after_the_end_is_as_in_zlib(codec: Codec) -> None:
    """A decompressor that was flushed at its end behaves as in ``zlib``."""
    stream = codec.decompressobj()
    stream.decompress(PACKED)
    stream.flush()
    if CPYTHON:
        theirs = zlib.decompressobj()
        theirs.decompress(PACKED)
        theirs.flush()
        assert what(stream.decompress, b"more") == what(theirs.decompress, b"more")
        assert what(stream.flush) == what(theirs.flush)
    else:
        assert outcome(stream.decompress, b"more") in ("error", "returned b''")


def test_a_failed_stream_stays_failed(codec: Codec) -> None:
    """After corrupt input every further call of a decompressor is ``error``."""
    stream = codec.decompressobj()
    broken = PACKED[:2] + b"\xff"  # a block of type 3, which does not exist
    assert outcome(stream.decompress, broken) == codec.error.__name__
    for _ in range(3):
        assert outcome(stream.decompress, PACKED) == codec.error.__name__
    outcome(stream.flush)
    outcome(stream.copy)


def test_flush_modes_do_what_they_say(codec: Codec) -> None:
    """``Z_NO_FLUSH`` returns nothing; after a sync flush all input can be read; a full flush is a new start."""
    stream = codec.compressobj()
    assert stream.flush(codec.Z_NO_FLUSH) == b""
    back = codec.decompressobj()
    for mode in (codec.Z_SYNC_FLUSH, codec.Z_FULL_FLUSH, codec.Z_PARTIAL_FLUSH):
        assert back.decompress(stream.compress(DATA) + stream.flush(mode)) == DATA
    assert back.decompress(stream.compress(DATA) + stream.flush(codec.Z_BLOCK) + stream.flush()) == DATA
    assert back.eof
    raw = codec.compressobj(wbits=-15)
    raw.compress(b"lost") + raw.flush(codec.Z_FULL_FLUSH)
    assert codec.decompress(raw.compress(DATA) + raw.flush(), -15) == DATA


@pytest.mark.crash_prone
def test_threads_share_a_compressor(codec: Codec) -> None:
    """Calls of several threads on one compressor take turns: no data is lost, and none is mixed within a call."""
    stream = codec.compressobj(9, memLevel=9)
    head = stream.compress(b"head")
    outputs: list[bytes] = []

    def work(letter: bytes) -> None:
        for _ in range(20):
            outputs.append(stream.compress(letter * 10_000))

    threads = [threading.Thread(target=work, args=(letter,)) for letter in (b"a", b"b", b"c", b"d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if any(outputs):
        pytest.fail("so little compressed data should have stayed in the stream until the flush")
    data = zlib.decompress(head + stream.flush())[4:]
    assert len(data) == 4 * 20 * 10_000
    for start in range(0, len(data), 10_000):
        assert len(set(data[start : start + 10_000])) == 1


@pytest.mark.crash_prone
def test_threads_share_a_decompressor(codec: Codec) -> None:
    """Several threads that use and copy one decompressor get data or ``error``."""
    stream = codec.decompressobj()
    got: list[str] = []

    def work() -> None:
        for _ in range(30):
            got.append(outcome(lambda: len(stream.decompress(BOMB[:2000], 50_000))))
            got.append(outcome(lambda: len(stream.copy().flush(10))))
            got.append(outcome(lambda: (stream.eof, len(stream.unused_data), len(stream.unconsumed_tail)))[:8])

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.split(" ")[0] for one in got} <= {"returned", codec.error.__name__}


@pytest.mark.crash_prone
def test_a_thread_finishes_what_another_uses(codec: Codec) -> None:
    """If one thread finishes a compressor that another uses, both get data or ``error``, and nothing crashes."""
    for _ in range(20):
        stream = codec.compressobj()
        got: list[str] = []

        def feed(stream: Any = stream, got: list[str] = got) -> None:
            for _ in range(10):
                got.append(outcome(stream.compress, bytes(100_000)))

        thread = threading.Thread(target=feed)
        thread.start()
        outcome(stream.flush)
        outcome(stream.copy)
        thread.join()
        assert {one.split(" ")[0] for one in got} <= {"returned", codec.error.__name__}
