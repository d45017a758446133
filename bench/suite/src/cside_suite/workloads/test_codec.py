"""Workloads of ``codec``: checksums, one-shot and streaming compression, of real data."""

import zlib
from functools import cache
from random import Random
from typing import Any

import pytest

from cside_suite.workloads import corpus, values

SIZES = ["0", "16", "256", "4096", "65536", "1048576"]
"""Sizes of the input, in bytes."""

SWEEP = "0 16 48 64 128 256 512 1024 2048 4096 5104 5120 8192 16384 65536 262144 1048576".split()  # noqa: SIM905  # read as a list
"""Sizes for the curve of time by size, in bytes.

They are denser where the library's own curve bends, and include one on each side of the limit of 5,120 bytes, from
which on the GIL is released. That one differs by 16, since the library takes 40 ns more for a remainder.
"""

LEVELS = ["1", "6", "9"]
CHUNKS = ["64", "1024", "16384", "65536"]
STREAM_NBYTES = 65536
OTHER_CORPORA = [name for name in corpus.names() if name != "text"]


def split(data: bytes, nbytes: int) -> list[bytes]:
    """Return ``data`` in pieces of ``nbytes``."""
    return [data[start : start + nbytes] for start in range(0, len(data), nbytes)]


@cache
def compressed(data: bytes, level: int = -1) -> bytes:
    """Return data compressed by CPython's module: one object, at one place in memory, for all subjects."""
    return zlib.compress(data, level)


@pytest.mark.parametrize("nbytes", SWEEP)
def test_crc32(each: Any, codec: Any, corpora: dict[str, bytes], draw: Random, nbytes: str) -> None:
    """Compute the CRC-32 of text."""
    pieces = values.pieces(draw, corpora["text"], int(nbytes))
    assert each(codec.crc32, values.ones(pieces)) == [zlib.crc32(data) for data in pieces]


@pytest.mark.parametrize("nbytes", SIZES)
def test_adler32(each: Any, codec: Any, corpora: dict[str, bytes], draw: Random, nbytes: str) -> None:
    """Compute the Adler-32 of text."""
    pieces = values.pieces(draw, corpora["text"], int(nbytes))
    assert each(codec.adler32, values.ones(pieces)) == [zlib.adler32(data) for data in pieces]


def test_crc32_combine(each: Any, codec: Any, draw: Random) -> None:
    """Compute the CRC-32 of two parts from the checksums of each."""
    parts = [(draw.randbytes(10), draw.randbytes(14)) for _ in range(values.DRAWS)]
    rows = [(zlib.crc32(first), zlib.crc32(second), len(second)) for first, second in parts]
    assert each(codec.crc32_combine, rows) == [zlib.crc32(first + second) for first, second in parts]


def test_adler32_combine(each: Any, codec: Any, draw: Random) -> None:
    """Compute the Adler-32 of two parts from the checksums of each."""
    parts = [(draw.randbytes(10), draw.randbytes(14)) for _ in range(values.DRAWS)]
    rows = [(zlib.adler32(first), zlib.adler32(second), len(second)) for first, second in parts]
    assert each(codec.adler32_combine, rows) == [zlib.adler32(first + second) for first, second in parts]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("nbytes", SIZES)
def test_compress(benchmark: Any, codec: Any, corpora: dict[str, bytes], level: str, nbytes: str) -> None:
    """Compress text in one call, at each level."""
    data = corpora["text"][: int(nbytes)]
    assert zlib.decompress(benchmark(codec.compress, data, int(level))) == data


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("nbytes", SIZES)
def test_decompress(benchmark: Any, codec: Any, corpora: dict[str, bytes], level: str, nbytes: str) -> None:
    """Decompress text in one call, as it was compressed at each level."""
    data = corpora["text"][: int(nbytes)]
    assert benchmark(codec.decompress, compressed(data, int(level))) == data


@pytest.mark.calls("codec.compress")
@pytest.mark.parametrize("nbytes", ["65536"])
@pytest.mark.parametrize("name", OTHER_CORPORA)
def test_compress_corpus(benchmark: Any, codec: Any, corpora: dict[str, bytes], name: str, nbytes: str) -> None:
    """Compress other data than text: machine code, noise, the user's own."""
    data = corpora[name][: int(nbytes)]
    assert zlib.decompress(benchmark(codec.compress, data)) == data


@pytest.mark.calls("codec.decompress")
@pytest.mark.parametrize("nbytes", ["65536"])
@pytest.mark.parametrize("name", OTHER_CORPORA)
def test_decompress_corpus(benchmark: Any, codec: Any, corpora: dict[str, bytes], name: str, nbytes: str) -> None:
    """Decompress other data than text."""
    data = corpora[name][: int(nbytes)]
    assert benchmark(codec.decompress, compressed(data)) == data


@pytest.mark.calls("codec.Compress.compress")
@pytest.mark.parametrize("chunk", CHUNKS)
def test_stream_compress(benchmark: Any, codec: Any, corpora: dict[str, bytes], chunk: str) -> None:
    """Compress 64 KiB of text through a stream, in chunks."""
    data = corpora["text"][:STREAM_NBYTES]
    chunks = split(data, int(chunk))

    def stream() -> bytes:
        compressor = codec.compressobj()
        pieces = [compressor.compress(piece) for piece in chunks]
        pieces.append(compressor.flush())
        return b"".join(pieces)

    assert zlib.decompress(benchmark(stream)) == data


@pytest.mark.calls("codec.Decompress.decompress")
@pytest.mark.parametrize("chunk", CHUNKS)
def test_stream_decompress(benchmark: Any, codec: Any, corpora: dict[str, bytes], chunk: str) -> None:
    """Decompress 64 KiB of text through a stream, the compressed bytes in chunks."""
    data = corpora["text"][:STREAM_NBYTES]
    chunks = split(compressed(data), int(chunk))

    def stream() -> bytes:
        decompressor = codec.decompressobj()
        pieces = [decompressor.decompress(piece) for piece in chunks]
        pieces.append(decompressor.flush())
        return b"".join(pieces)

    assert benchmark(stream) == data


@pytest.mark.calls("codec.Compress.compress")
@pytest.mark.parametrize("dictionary", ["with", "without"])
def test_dictionary_compress(benchmark: Any, codec: Any, corpora: dict[str, bytes], dictionary: str) -> None:
    """Compress 1 KiB of text through a stream, with and without a preset dictionary of 4 KiB."""
    preset, data = corpora["text"][:4096], corpora["text"][4096:5120]
    arguments: dict[str, Any] = {"zdict": preset} if dictionary == "with" else {}

    def stream() -> bytes:
        compressor = codec.compressobj(**arguments)
        return compressor.compress(data) + compressor.flush()  # type: ignore[no-any-return]  # known by contract alone

    decompressor = zlib.decompressobj(**arguments)
    assert decompressor.decompress(benchmark(stream)) == data


@pytest.mark.calls("codec.Decompress.decompress")
@pytest.mark.parametrize("dictionary", ["with", "without"])
def test_dictionary_decompress(benchmark: Any, codec: Any, corpora: dict[str, bytes], dictionary: str) -> None:
    """Decompress 1 KiB of text through a stream, with and without a preset dictionary of 4 KiB."""
    preset, data = corpora["text"][:4096], corpora["text"][4096:5120]
    arguments: dict[str, Any] = {"zdict": preset} if dictionary == "with" else {}
    compressor = zlib.compressobj(**arguments)
    compressed = compressor.compress(data) + compressor.flush()

    def stream() -> bytes:
        return codec.decompressobj(**arguments).decompress(compressed)  # type: ignore[no-any-return]  # as above

    assert benchmark(stream) == data


@pytest.mark.calls("codec.Compress.compress")
def test_small_streams(benchmark: Any, codec: Any, corpora: dict[str, bytes]) -> None:
    """Compress and decompress 20 streams of 64 bytes each, as a protocol of small messages does."""
    messages = split(corpora["text"][: 20 * 64], 64)

    def run() -> int:
        total = 0
        for message in messages:
            compressor = codec.compressobj(1)
            packed = compressor.compress(message) + compressor.flush()
            total += len(codec.decompressobj().decompress(packed))
        return total

    assert benchmark(run) == 20 * 64


@pytest.mark.calls("codec.Compress.copy")
def test_stream_copy(benchmark: Any, codec: Any, corpora: dict[str, bytes]) -> None:
    """Copy a stream and finish the copy."""
    head, tail = corpora["text"][:1024], corpora["text"][1024:2048]
    stem = codec.compressobj()
    start = stem.compress(head)

    def fork() -> bytes:
        copy = stem.copy()
        return start + copy.compress(tail) + copy.flush()  # type: ignore[no-any-return]  # as above

    assert zlib.decompress(benchmark(fork)) == head + tail


@pytest.mark.needs("callbacks")
def test_compress_progress(benchmark: Any, codec: Any, corpora: dict[str, bytes]) -> None:
    """Compress 256 KiB of noise with a callback about every 64 KiB."""
    data = corpora["random"][:262144]

    def progress(total_in: int, total_out: int) -> None:
        pass

    assert zlib.decompress(benchmark(codec.compress_progress, data, progress, 1)) == data
