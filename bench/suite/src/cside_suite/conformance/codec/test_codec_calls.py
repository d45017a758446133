# SPDX-License-Identifier: Apache-2.0
"""Each operation of the codec makes exactly the native calls that the contract prescribes.

The numbers are computed from the rules in :mod:`cside_suite.contract.codec`: the first call has some room, each further
one as much as all before it together. So no binding is faster by giving the engine more room, or slower by giving it
less.
"""

import random
import sys
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from cside_suite.conformance.collect import collect, collect_until
from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import outcome
from cside_suite.contract.codec import Codec
from cside_suite.subjects.bindings import Implementation

CPYTHON = sys.implementation.name == "cpython"

FIRST = 16_384
"""The room of the first call on a stream: ``CS_OUT_FIRST_NBYTES``."""

DATA = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(20_000))
PACKED = zlib.compress(DATA)
NOISE = random.Random(5).randbytes(100_000)


def rounds(produced: int, first: int, *, ends: bool) -> int:
    """Return the number of native calls for ``produced`` bytes of output.

    With ``ends``, the call that produces the last byte also reaches the end of the stream. Otherwise a call that used
    up its room is followed by another.
    """
    calls, room = 1, first
    while room < produced or (room == produced and not ends):
        calls, room = calls + 1, room * 2
    return calls


@pytest.fixture(autouse=True, scope="module")
def _nothing_left_behind(implementation: Implementation) -> None:
    """Finalise the streams of earlier tests before anything is counted."""
    collect()


def makes(native: Native, operation: Callable[[], object], want: dict[str, int], *, ends: bool = CPYTHON) -> None:
    """Check the native calls of ``operation``; with ``ends``, also those that finalise what it left behind.

    Finalising on PyPy takes collections of the whole heap. Therefore only the tests that are about it do so there.
    """

    def run() -> None:
        operation()
        if ends:
            collect_until(lambda: all(native.calls().get(name, 0) >= count for name, count in want.items()))

    calls = native.counted(run)
    if not ends:
        calls, want = without_ends(calls), without_ends(want)
    assert calls == want


def without_ends(calls: dict[str, int]) -> dict[str, int]:
    """Return the calls without those that finalise a stream."""
    return {name: count for name, count in calls.items() if not name.endswith("_end")}


def test_a_checksum_is_one_call(codec: Codec, native: Native) -> None:
    """A checksum is one native call, whatever the size of the input."""
    for size in (0, 1, 5119, 5120, 1_000_000):
        data = bytes(size)
        assert native.counted(partial(codec.crc32, data)) == {"cs_crc32": 1}
        assert native.counted(partial(codec.adler32, data, 7)) == {"cs_adler32": 1}
    assert native.counted(lambda: codec.crc32_combine(1, 2, 3)) == {"cs_crc32_combine": 1}
    assert native.counted(lambda: codec.adler32_combine(1, 2, 3)) == {"cs_adler32_combine": 1}
    assert native.counted(lambda: outcome(codec.crc32, "text")) == {}


@pytest.mark.parametrize("size", [0, 100, 100_000])
def test_compress_makes_one_call(codec: Codec, native: Native, size: int) -> None:
    """``compress`` makes one native call, with room for the worst case."""
    want = {"cs_compress_bound": 1, "cs_compress": 1}
    assert native.counted(lambda: codec.compress(DATA[:size])) == want
    assert native.counted(lambda: codec.compress(NOISE[:size], 9, -15)) == want


@pytest.mark.needs("callbacks")
def test_compress_progress_makes_one_call(codec: Codec, native: Native) -> None:
    """``compress_progress`` uses one stream and makes one call on it, however often the callback runs."""
    makes(
        native,
        lambda: codec.compress_progress(DATA, lambda a, b: None),
        {
            "cs_compress_bound": 1,
            "cs_deflate_init": 1,
            "cs_deflate": 1,
            "cs_deflate_end": 1,
        },
    )


@pytest.mark.parametrize("size", [0, 1, 100, 16_383, 16_384, 16_385, 50_000, 300_000])
@pytest.mark.parametrize("room", [0, 1, 1000, 16_384, 1_000_000])
def test_decompress_doubles_its_room(codec: Codec, native: Native, size: int, room: int) -> None:
    """``decompress`` begins with ``bufsize`` bytes of room and doubles the total until the end of the stream."""
    packed = zlib.compress(DATA[:size])
    assert native.counted(lambda: codec.decompress(packed, bufsize=room)) == {
        "cs_inflate_init": 1,
        "cs_inflate": rounds(size, max(room, 1), ends=True),
        "cs_inflate_end": 1,
    }


def test_decompress_of_bad_data_ends_the_stream(codec: Codec, native: Native) -> None:
    """``decompress`` ends its stream also if it fails."""
    for bad in (b"", b"not compressed", zlib.compress(DATA)[:50]):
        got = native.counted(partial(outcome, codec.decompress, bad))
        assert got["cs_inflate_init"] == got["cs_inflate_end"] == 1


@pytest.mark.parametrize("size", [0, 1000, 50_000, 100_000])
def test_a_compressor_makes_a_further_call_if_its_room_was_used_up(codec: Codec, native: Native, size: int) -> None:
    """A compressor has 16 KiB of room first, and makes another call only if the room was used up."""
    data = NOISE[:size]
    packed = zlib.compressobj(1)
    body, tail = len(packed.compress(data)), len(packed.flush())
    sizes: list[int] = []

    def run() -> None:
        stream = codec.compressobj(1)
        sizes.append(len(stream.compress(data)))
        sizes.append(len(stream.flush()))

    calls = without_ends(native.counted(run))
    if zlib.ZLIB_RUNTIME_VERSION == codec.ZLIB_RUNTIME_VERSION:
        assert sizes == [body, tail]
    want = sum(rounds(produced, FIRST, ends=False) for produced in sizes)
    assert calls == {"cs_deflate_init": 1, "cs_deflate": want}


def test_each_small_chunk_is_one_call(codec: Codec, native: Native) -> None:
    """Every ``compress`` of a small chunk makes one native call, with or without output."""
    sizes: list[int] = []

    def run() -> None:
        stream = codec.compressobj()
        sizes.extend(len(stream.compress(DATA[at : at + 640])) for at in range(0, 64_000, 640))
        sizes.append(len(stream.flush(codec.Z_SYNC_FLUSH)))
        sizes.append(len(stream.flush()))

    calls = without_ends(native.counted(run))
    want = sum(rounds(produced, FIRST, ends=False) for produced in sizes)
    assert calls == {"cs_deflate_init": 1, "cs_deflate": want}
    assert want >= len(sizes) == 102


def test_every_stream_is_ended_once(codec: Codec, native: Native) -> None:
    """A stream is ended once, whether it was finished, dropped, copied or failed."""

    def run() -> None:
        codec.compressobj()
        codec.compressobj().flush()
        codec.compressobj().copy().flush(0)
        codec.decompressobj()
        stream = codec.decompressobj()
        stream.decompress(PACKED)
        stream.flush()
        codec.decompressobj().copy().decompress(PACKED)
        outcome(codec.decompressobj().decompress, b"bad")

    makes(
        native,
        run,
        {
            "cs_deflate_init": 3,
            "cs_deflate": 1,
            "cs_deflate_copy": 1,
            "cs_deflate_end": 4,
            "cs_inflate_init": 4,
            "cs_inflate": 2 + rounds(len(DATA), FIRST, ends=False) * 2,
            "cs_inflate_copy": 1,
            "cs_inflate_end": 5,
            "cs_codec_error_text": 1,
        },
        ends=True,
    )


@pytest.mark.parametrize("size", [0, 1, 1000, 50_000, 300_000])
def test_a_decompressor_makes_a_further_call_if_its_room_was_used_up(codec: Codec, native: Native, size: int) -> None:
    """A decompressor without a limit has 16 KiB of room first, and makes another call only if it was used up."""
    packed = zlib.compress(DATA[:size])
    makes(
        native,
        lambda: codec.decompressobj().decompress(packed),
        {
            "cs_inflate_init": 1,
            "cs_inflate": rounds(size, FIRST, ends=False),
            "cs_inflate_end": 1,
        },
    )


@pytest.mark.parametrize("limit", [1, 1000, 16_384, 16_385, 40_000, 1_000_000])
def test_a_bounded_decompressor_stops_at_its_limit(codec: Codec, native: Native, limit: int) -> None:
    """With ``max_length`` the room ends at the limit, and no call is made beyond it."""
    packed = zlib.compress(DATA)
    calls, room = 1, min(FIRST, limit)
    while room < min(limit, len(DATA) + 1):
        calls, room = calls + 1, min(room * 2, limit)
    makes(
        native,
        lambda: codec.decompressobj().decompress(packed, limit),
        {
            "cs_inflate_init": 1,
            "cs_inflate": calls,
            "cs_inflate_end": 1,
        },
    )


@pytest.mark.parametrize("length", [1, 1000, 16_384, 10_000_000])
def test_flush_of_a_decompressor_starts_from_its_length(codec: Codec, native: Native, length: int) -> None:
    """``flush`` of a decompressor begins with ``length`` bytes of room."""
    packed = zlib.compress(DATA)

    def run() -> None:
        stream = codec.decompressobj()
        stream.decompress(packed, 1)
        stream.flush(length)

    makes(
        native,
        run,
        {
            "cs_inflate_init": 1,
            "cs_inflate": 1 + rounds(len(DATA) - 1, length, ends=False),
            "cs_inflate_end": 1,
        },
    )


def test_a_dictionary_is_one_call_more(codec: Codec, native: Native) -> None:
    """A dictionary takes one further call: at once for a compressor and a raw stream, else when it is needed."""
    there: Any = zlib.compressobj(zdict=DATA[:500])
    packed = there.compress(DATA[:2000]) + there.flush()
    makes(
        native,
        lambda: codec.compressobj(zdict=DATA[:500]),
        {
            "cs_deflate_init": 1,
            "cs_deflate_set_dictionary": 1,
            "cs_deflate_end": 1,
        },
    )
    makes(
        native,
        lambda: codec.decompressobj(-15, zdict=DATA[:500]),
        {
            "cs_inflate_init": 1,
            "cs_inflate_set_dictionary": 1,
            "cs_inflate_end": 1,
        },
    )
    makes(
        native,
        lambda: codec.decompressobj(zdict=DATA[:500]).decompress(packed),
        {
            "cs_inflate_init": 1,
            "cs_inflate": 2,
            "cs_inflate_set_dictionary": 1,
            "cs_inflate_end": 1,
        },
    )


def test_a_copy_is_one_call(codec: Codec, native: Native) -> None:
    """A copy is one native call, and the copy is ended by itself."""
    makes(
        native,
        lambda: codec.compressobj().copy(),
        {
            "cs_deflate_init": 1,
            "cs_deflate_copy": 1,
            "cs_deflate_end": 2,
        },
    )
    makes(
        native,
        lambda: codec.decompressobj().copy(),
        {
            "cs_inflate_init": 1,
            "cs_inflate_copy": 1,
            "cs_inflate_end": 2,
        },
    )


def test_bytes_are_counted_alike(codec: Codec, native: Native) -> None:
    """The library counts as many bytes as the caller passed and received."""
    sizes: list[int] = []
    native.counted(lambda: sizes.append(len(codec.compress(DATA))))
    record = native.read("cs_compress")
    assert (record.in_nbytes, record.out_nbytes, record.errors) == (len(DATA), sizes[0], 0)
    packed = zlib.compress(DATA)
    native.counted(lambda: codec.decompress(packed))
    record = native.read("cs_inflate")
    assert (record.in_nbytes, record.out_nbytes) == (len(packed), len(DATA))
