# SPDX-License-Identifier: Apache-2.0
"""Long calls release the GIL, short ones hold it (see :mod:`.gil`)."""

import zlib
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite import contract
from cside_suite.conformance.gil import STRAY, counting, holds, needs_a_gil, releases
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms

pytestmark = [needs_a_gil, pytest.mark.alone]

TEXT = b"".join(b"%d, " % (number * number) for number in range(100_000))
LARGE = bytes(2**26)
PACKED = zlib.compress(LARGE, 1)

LONG: dict[str, Callable[[Any], object]] = {
    "crc32": lambda codec: codec.crc32(LARGE),
    "adler32": lambda codec: codec.adler32(LARGE),
    "compress": lambda codec: codec.compress(TEXT, 9),
    "decompress": lambda codec: codec.decompress(PACKED, bufsize=2**26),
    "Compress.compress": lambda codec: codec.compressobj().compress(TEXT),
    "Decompress.decompress": lambda codec: codec.decompressobj().decompress(PACKED),
    "_ZlibDecompressor.decompress": lambda codec: codec._ZlibDecompressor().decompress(PACKED),
}
"""Long calls of the codec, by name."""

TESTED_ELSEWHERE = {
    "compress_progress": "test_compress_progress_releases_the_gil",
    "Decompress.flush": "test_flush_releases_the_gil",
    "Compress.flush": "nowhere: what is left to compress takes less time than another thread needs to wake up",
}
"""Long calls of the codec that are not in :data:`LONG`."""


@pytest.mark.needs("gil-held")
def test_short_calls_hold_the_gil(idioms: Idioms) -> None:
    """A function that the contract does not list as long holds the GIL, however long a call takes."""
    data = bytearray(256 * 2**20)
    assert holds(lambda: idioms.bytes_sum(data))
    assert holds(lambda: idioms.buffer_fill(data, 1))


def test_every_long_call_is_here() -> None:
    """The calls tested here are those that the contract lists as long."""
    listed = {name.removeprefix("codec.") for name in contract.LONG if name.startswith("codec.")}
    assert listed == {*LONG, *TESTED_ELSEWHERE}


@pytest.mark.needs("gil-released")
@pytest.mark.parametrize("name", LONG)
def test_long_calls_release_the_gil(codec: Codec, name: str) -> None:
    """Other threads run during the long calls of the codec."""
    assert releases(lambda: LONG[name](codec))


@pytest.mark.needs("gil-released")
@pytest.mark.needs("callbacks")
def test_compress_progress_releases_the_gil(codec: Codec) -> None:
    """Other threads run while ``compress_progress`` compresses between its callbacks."""
    assert releases(lambda: codec.compress_progress(TEXT, lambda total_in, total_out: None, level=9))


@pytest.mark.needs("gil-released")
def test_flush_releases_the_gil(codec: Codec) -> None:
    """Other threads run while ``flush`` decompresses what a bounded decompression left behind."""

    def flush() -> int:
        stream = codec.decompressobj()
        stream.decompress(PACKED, 1)
        with counting() as count:
            before = count()
            stream.flush(2**26)
            return count() - before

    assert any(flush() > STRAY + 1 for _ in range(6))
