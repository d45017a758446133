# SPDX-License-Identifier: Apache-2.0
"""Equal work: each operation of the codec makes the native calls that the contract's algorithm prescribes.

The numbers are computed here from the prescription (contract, ``codec``): one call has some room, each further one as
much as all before it together. No binding may win by giving the engine more room, or lose by giving it less.
"""

import random
import sys
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from cside_suite.conformance.collect import collect
from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import outcome
from cside_suite.contract.codec import Codec
from cside_suite.subjects.bindings import Implementation

CPYTHON = sys.implementation.name == "cpython"

FIRST = 16_384
"""``CS_OUT_FIRST_NBYTES``."""

DATA = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(20_000))
PACKED = zlib.compress(DATA)
NOISE = random.Random(5).randbytes(100_000)


def rounds(produced: int, first: int, *, ends: bool) -> int:
    """Native calls for ``produced`` bytes of output.

    ``ends``: the end of the stream is seen in the call that produces the last byte; otherwise a call that used up its
    room is followed by another.
    """
    calls, room = 1, first
    while room < produced or (room == produced and not ends):
        calls, room = calls + 1, room * 2
    return calls


@pytest.fixture(autouse=True, scope="module")
def _nothing_left_behind(implementation: Implementation) -> None:
    """Have the streams of earlier tests finalised before anything is counted."""
    collect()


def makes(native: Native, operation: Callable[[], object], want: dict[str, int], *, ends: bool = CPYTHON) -> None:
    """Check the calls of ``operation``; with ``ends``, those of finalising what it left behind too.

    On PyPy that takes collections of the whole heap, so that only the tests that are about it ask for them there.
    """

    def run() -> None:
        operation()
        if ends:
            collect()

    calls = native.counted(run)
    if not ends:
        calls, want = without_ends(calls), without_ends(want)
    assert calls == want


def without_ends(calls: dict[str, int]) -> dict[str, int]:
    """Calls but for those that finalise a stream."""
    return {name: count for name, count in calls.items() if not name.endswith("_end")}


def test_checksums(codec: Codec, native: Native) -> None:
    """A checksum is one call, whatever its size."""
    for size in (0, 1, 5119, 5120, 1_000_000):
        data = bytes(size)
        assert native.counted(partial(codec.crc32, data)) == {"cs_crc32": 1}
        assert native.counted(partial(codec.adler32, data, 7)) == {"cs_adler32": 1}
    assert native.counted(lambda: codec.crc32_combine(1, 2, 3)) == {"cs_crc32_combine": 1}
    assert native.counted(lambda: codec.adler32_combine(1, 2, 3)) == {"cs_adler32_combine": 1}
    assert native.counted(lambda: outcome(codec.crc32, "text")) == {}


@pytest.mark.parametrize("size", [0, 100, 100_000])
def test_compress(codec: Codec, native: Native, size: int) -> None:
    """One call with room for the worst case."""
    want = {"cs_compress_bound": 1, "cs_compress": 1}
    assert native.counted(lambda: codec.compress(DATA[:size])) == want
    assert native.counted(lambda: codec.compress(NOISE[:size], 9, -15)) == want


@pytest.mark.needs("callbacks")
def test_compress_progress(codec: Codec, native: Native) -> None:
    """One stream and one call on it, however often it calls back."""
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
def test_decompress(codec: Codec, native: Native, size: int, room: int) -> None:
    """Room of ``bufsize``, then as much again as there was, until the end of the stream."""
    packed = zlib.compress(DATA[:size])
    assert native.counted(lambda: codec.decompress(packed, bufsize=room)) == {
        "cs_inflate_init": 1,
        "cs_inflate": rounds(size, max(room, 1), ends=True),
        "cs_inflate_end": 1,
    }


def test_decompress_of_bad_data(codec: Codec, native: Native) -> None:
    """A failure ends the stream as well."""
    for bad in (b"", b"not compressed", zlib.compress(DATA)[:50]):
        got = native.counted(partial(outcome, codec.decompress, bad))
        assert got["cs_inflate_init"] == got["cs_inflate_end"] == 1


@pytest.mark.parametrize("size", [0, 1000, 50_000, 100_000])
def test_compressor(codec: Codec, native: Native, size: int) -> None:
    """A stream: room of 16 KiB first, another call only when it was used up."""
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


def test_compressor_in_small_chunks(codec: Codec, native: Native) -> None:
    """Every ``compress`` is one call, with output or without."""
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
    """Whether it was finished, dropped, copied or failed, a stream is ended once and by itself."""

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
def test_decompressor(codec: Codec, native: Native, size: int) -> None:
    """The same for decompression without a limit."""
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
def test_bounded_decompressor(codec: Codec, native: Native, limit: int) -> None:
    """With ``max_length`` the room stops at the limit, and no call is made beyond it."""
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
def test_flush_of_a_decompressor(codec: Codec, native: Native, length: int) -> None:
    """``flush`` starts with ``length`` bytes of room."""
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


def test_dictionaries(codec: Codec, native: Native) -> None:
    """A dictionary is one call more: at once for a compressor and a raw stream, on demand for a decompressor."""
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


def test_copies(codec: Codec, native: Native) -> None:
    """A copy is one call, and a stream of its own to end."""
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
    """The library sees as many bytes as the caller gave and got."""
    sizes: list[int] = []
    native.counted(lambda: sizes.append(len(codec.compress(DATA))))
    record = native.read("cs_compress")
    assert (record.in_nbytes, record.out_nbytes, record.errors) == (len(DATA), sizes[0], 0)
    packed = zlib.compress(DATA)
    native.counted(lambda: codec.decompress(packed))
    record = native.read("cs_inflate")
    assert (record.in_nbytes, record.out_nbytes) == (len(packed), len(DATA))
