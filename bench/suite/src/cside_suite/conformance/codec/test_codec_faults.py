# SPDX-License-Identifier: Apache-2.0
"""A failed allocation in the library, whichever it is, raises an exception, and later calls work again.

A stream reports it by `error` with status -4, as in ``zlib``, once it is in use.
"""

import sys
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite.conformance.isolation import run_fresh
from cside_suite.conformance.outcome import failure, outcome
from cside_suite.contract.codec import Codec
from cside_suite.subjects.bindings import Implementation

DATA = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(5000))
PACKED = zlib.compress(DATA)
_packer = zlib.compressobj(zdict=DATA[:1000])
WITH_DICTIONARY = _packer.compress(DATA) + _packer.flush()

NO_ROOM = """
import importlib, resource, sys, zlib

codecs = [importlib.import_module(sys.argv[1] + ".codec"), *([zlib] if hasattr(zlib, "_ZlibDecompressor") else [])]
packed = zlib.compress(b"".join(b"%d;" % number for number in range(50_000)) + bytes(400_000_000), 1)
before = resource.getrlimit(resource.RLIMIT_AS)
pagesize = resource.getpagesize()
for codec in codecs:
    one = codec._ZlibDecompressor()
    assert one.decompress(packed, 10) == b"0;1;2;3;4;"
    with open("/proc/self/statm") as file:
        in_use = int(file.read().split()[0]) * pagesize
    resource.setrlimit(resource.RLIMIT_AS, (in_use + 100_000_000, before[1]))
    try:
        one.decompress(b"")
    except MemoryError:
        pass
    else:
        raise AssertionError(f"{codec.__name__}: there was room for it")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert (one.eof, one.needs_input, one.unused_data) == (False, False, b""), codec.__name__
    left = one.decompress(b"", 10**6)  # the engine itself may hold some bits of input, which are a few matches
    assert len(left) < 50_000, (codec.__name__, len(left))
    assert one.decompress(b"", 10**6) == b"", codec.__name__
    assert (one.eof, one.needs_input, one.unused_data) == (False, True, b""), codec.__name__
"""

OPERATIONS: dict[str, Callable[[Any], Callable[[], object]]] = {
    "compress": lambda z: lambda: z.compress(DATA),
    "decompress": lambda z: lambda: z.decompress(PACKED, bufsize=100),
    "compressobj": lambda z: lambda: z.compressobj(),
    "compressobj with a dictionary": lambda z: lambda: z.compressobj(zdict=DATA[:1000]),
    "decompressobj": lambda z: lambda: z.decompressobj(),
    "raw decompressobj with a dictionary": lambda z: lambda: z.decompressobj(-15, zdict=DATA[:1000]),
    "Compress.copy": lambda z: used(z.compressobj(), "compress", DATA).copy,
    "Decompress.copy": lambda z: used(z.decompressobj(), "decompress", PACKED[:2000]).copy,
    "a whole stream": lambda z: lambda: through(z),
    "reading with a dictionary": lambda z: lambda: z.decompressobj(zdict=DATA[:1000]).decompress(WITH_DICTIONARY, 100),
    "_ZlibDecompressor": lambda z: lambda: z._ZlibDecompressor(),
    "a whole stream of _ZlibDecompressor": lambda z: lambda: z._ZlibDecompressor().decompress(PACKED, 100),
    "compress_progress": lambda z: lambda: z.compress_progress(DATA, lambda total_in, total_out: None),
}
"""Functions that return an operation; allocations before the operation do not fail."""

STREAMS = {
    "a whole stream",
    "a whole stream of _ZlibDecompressor",
    "reading with a dictionary",
    "raw decompressobj with a dictionary",
}
"""Operations that use a stream after it was made."""

UNDER_WAY = {
    "MemoryError: Can't allocate memory for compression object",
    "MemoryError: Can't allocate memory for decompression object",
    *(f"Error -4 while {doing}" for doing in ("compressing data", "decompressing data", "setting zdict", "flushing")),
}
"""What ``zlib`` raises: a `MemoryError` when a stream is made, and `error` when it is used."""


def short(operation: Callable[[], object]) -> str:
    """Return "returned", "MemoryError: " with its text, or the text of another exception."""
    try:
        operation()
    except MemoryError as error:
        return f"MemoryError: {error}"
    except Exception as error:
        return str(error)
    return "returned"


def used(stream: Any, method: str, data: bytes) -> Any:
    """Call a method of ``stream`` and return ``stream``."""
    getattr(stream, method)(data)
    return stream


def through(codec: Any) -> bytes:
    """Compress by one stream and decompress by another."""
    there, back = codec.compressobj(), codec.decompressobj()
    packed = there.compress(DATA) + there.flush()
    result: bytes = b"".join(back.decompress(packed[at : at + 1000]) for at in range(0, len(packed), 1000))
    return result


@pytest.mark.crash_prone
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_failed_allocation_raises(implementation: Implementation, codec: Codec, name: str) -> None:
    """Whichever allocation fails, the operation raises, and the next one without the fault works."""
    if name == "compress_progress" and "callbacks" in implementation.gaps:
        pytest.skip(implementation.gaps["callbacks"])
    operation = OPERATIONS[name](codec)
    failures = 0
    for allocations in range(60):
        codec.fail_after(allocations)
        got = short(operation)
        codec.fail_after(-1)
        if got == "returned":
            break
        assert got in UNDER_WAY if name in STREAMS else got.startswith("MemoryError"), (allocations, got)
        failures += 1
        assert short(operation) == "returned"
    else:
        pytest.fail("no number of allocations was enough")
    assert failures, "no allocation failed: does the binding use this library, on this thread?"


@pytest.mark.crash_prone
def test_a_stream_survives_a_failed_copy(codec: Codec) -> None:
    """If copying a stream fails, the stream itself is unchanged."""
    stream = codec.compressobj()
    head = stream.compress(DATA)
    codec.fail_after(0)
    assert type(failure(stream.copy)) is MemoryError
    codec.fail_after(-1)
    assert zlib.decompress(head + stream.copy().flush()) == DATA
    assert zlib.decompress(head + stream.flush()) == DATA


@pytest.mark.skipif(sys.platform != "linux", reason="the size of the process is read from /proc")
@pytest.mark.skipif(sys.implementation.name == "pypy", reason="PyPy may abort when it has no memory left")
def test_an_error_drops_the_input_that_was_kept(implementation: Implementation) -> None:
    """If there is no memory for the output, kept input is not fed again, as in ``zlib``: part of it has been used."""
    run_fresh(implementation, NO_ROOM)


def test_the_fault_is_one_threads_own(codec: Codec) -> None:
    """Fault injection affects the calling thread only."""
    import threading

    got: list[str] = []
    codec.fail_after(0)
    thread = threading.Thread(target=lambda: got.append(outcome(lambda: len(codec.compress(DATA)))))
    thread.start()
    thread.join()
    here = outcome(codec.compressobj)
    codec.fail_after(-1)
    assert here == "MemoryError"
    assert got[0].startswith("returned")


def test_checksums_need_no_memory(codec: Codec) -> None:
    """Checksums do not allocate memory in the library."""
    codec.fail_after(0)
    got = codec.crc32(DATA), codec.adler32(DATA)
    codec.fail_after(-1)
    assert got == (zlib.crc32(DATA), zlib.adler32(DATA))
