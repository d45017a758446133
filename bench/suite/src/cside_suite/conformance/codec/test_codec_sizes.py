# SPDX-License-Identifier: Apache-2.0
"""The codec handles sizes that do not fit 32 bits.

Checksums run over a private anonymous mapping that is never written, so that it takes address space but no memory.
Compressing more than 2 GiB takes minutes and is done with the option ``--big`` only.
"""

import mmap
import os
import zlib

import pytest

from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms

HUGE = 2**32 + 7
BIG = 2**31 + 2**20


def memory_nbytes() -> int:
    """Return the available memory of the machine in bytes; 0 if it is unknown."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 0


def sparse(nbytes: int) -> mmap.mmap:
    """Return a mapping of zeros that takes no memory; skip the test if it cannot be mapped."""
    try:
        area = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
    except (OSError, OverflowError, AttributeError) as error:
        pytest.skip(f"cannot map {nbytes} bytes: {error}")
    if hasattr(area, "madvise") and hasattr(mmap, "MADV_HUGEPAGE"):
        area.madvise(mmap.MADV_HUGEPAGE)  # one zero page for each 2 MiB rather than 4 KiB
    return area


def zeros_adler32(nbytes: int) -> int:
    """Return the Adler-32 of ``nbytes`` zeros by its definition (RFC 1950): a stays 1, b counts the bytes."""
    return nbytes % 65521 << 16 | 1


def zeros_crc32(codec: Codec, nbytes: int) -> int:
    """Return the CRC-32 of ``nbytes`` zeros, computed by doubling."""
    whole, part, size = 0, zlib.crc32(b"\0"), 1
    while nbytes:
        if nbytes & 1:
            whole = codec.crc32_combine(whole, part, size)
        part, size, nbytes = codec.crc32_combine(part, part, size), size * 2, nbytes >> 1
    return whole


def test_checksums_of_zeros_are_computed_right(codec: Codec) -> None:
    """The computed checksums of zeros, with which the next test compares, are those of the standard library."""
    for size in (0, 1, 1000, 123_457):
        assert zeros_crc32(codec, size) == zlib.crc32(bytes(size))
        assert zeros_adler32(size) == zlib.adler32(bytes(size))


@pytest.mark.crash_prone
def test_checksums_read_beyond_4_gib(codec: Codec) -> None:
    """A buffer of more than 4 GiB is read to its end."""
    area = sparse(HUGE)
    assert codec.adler32(area) == zeros_adler32(HUGE)
    assert codec.crc32(area) == zeros_crc32(codec, HUGE)
    area.close()


@pytest.mark.crash_prone
def test_bytes_sum_reads_beyond_4_gib(idioms: Idioms, request: pytest.FixtureRequest) -> None:
    """``bytes_sum`` of a buffer of more than 4 GiB reads it to its end."""
    if not request.config.getoption("--big", default=False):
        pytest.skip("reads 4 GiB once more: run with --big")
    area = sparse(HUGE)
    assert idioms.bytes_sum(area) == 0
    area.close()


@pytest.mark.crash_prone
def test_streams_take_more_than_2_gib(codec: Codec, request: pytest.FixtureRequest) -> None:
    """More than 2 GiB are compressed and decompressed in one call."""
    if not request.config.getoption("--big", default=False):
        pytest.skip("takes minutes and 12 GiB of memory: run with --big")
    if memory_nbytes() < 12 * 2**30:
        pytest.skip(f"needs 12 GiB of free memory, there are {memory_nbytes() // 2**30}")
    area = sparse(BIG)
    packed = codec.compress(area, 1)
    stream = codec.compressobj(1)
    assert len(stream.compress(area) + stream.flush()) > 2**20
    area.close()
    data = codec.decompress(packed, bufsize=BIG)
    assert len(data) == BIG and not data.strip(b"\0")
    del data
    back = codec.decompressobj()
    assert len(back.decompress(packed)) == BIG
    assert back.eof
