# SPDX-License-Identifier: Apache-2.0
"""Failures of the codec have the types and messages of CPython's ``zlib``."""

import copy
import pickle
import sys
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite.conformance.outcome import failure, outcome, told
from cside_suite.contract.codec import Codec

pytestmark = pytest.mark.crash_prone

DATA = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(300))
PACKED = zlib.compress(DATA)
WITH_DICTIONARY = zlib.compressobj(zdict=b"squared is")
NEEDS_DICTIONARY = WITH_DICTIONARY.compress(DATA) + WITH_DICTIONARY.flush()
TRUNCATED = "Error -5 while decompressing data: incomplete or truncated stream"
INVALID = "Invalid initialization option"

FAILURES: dict[str, tuple[Callable[[Any], object], str, str]] = {
    "compress level 10": (lambda z: z.compress(b"", 10), "error", "Bad compression level"),
    "compress level -2": (lambda z: z.compress(b"", level=-2), "error", "Bad compression level"),
    "compress wbits 99": (lambda z: z.compress(b"", wbits=99), "error", "Bad compression level"),
    "compress wbits 0": (lambda z: z.compress(b"", wbits=0), "error", "Bad compression level"),
    "decompress wbits 99": (
        lambda z: z.decompress(PACKED, 99),
        "error",
        "Error -2 while preparing to decompress data: inconsistent stream state",
    ),
    "decompress bufsize -1": (lambda z: z.decompress(PACKED, bufsize=-1), "ValueError", "bufsize must be non-negative"),
    "decompress nothing": (lambda z: z.decompress(b""), "error", TRUNCATED),
    "decompress half": (lambda z: z.decompress(PACKED[:-5]), "error", TRUNCATED),
    "decompress text": (
        lambda z: z.decompress(b"not compressed"),
        "error",
        "Error -3 while decompressing data: incorrect header check",
    ),
    "decompress bad checksum": (
        lambda z: z.decompress(PACKED[:-1] + bytes([PACKED[-1] ^ 1])),
        "error",
        "Error -3 while decompressing data: incorrect data check",
    ),
    "decompress needs a dictionary": (
        lambda z: z.decompress(NEEDS_DICTIONARY),
        "error",
        "Error 2 while decompressing data",
    ),
    "compressobj level 10": (lambda z: z.compressobj(10), "ValueError", INVALID),
    "compressobj method 1": (lambda z: z.compressobj(1, 1), "ValueError", INVALID),
    "compressobj wbits 0": (lambda z: z.compressobj(1, 8, 0), "ValueError", INVALID),
    "compressobj wbits 48": (lambda z: z.compressobj(wbits=48), "ValueError", INVALID),
    "compressobj memLevel 0": (lambda z: z.compressobj(memLevel=0), "ValueError", INVALID),
    "compressobj memLevel 10": (lambda z: z.compressobj(memLevel=10), "ValueError", INVALID),
    "compressobj strategy 99": (lambda z: z.compressobj(strategy=99), "ValueError", INVALID),
    "compressobj gzip dictionary": (lambda z: z.compressobj(wbits=31, zdict=b"a"), "ValueError", "Invalid dictionary"),
    "decompressobj wbits 99": (lambda z: z.decompressobj(99), "ValueError", INVALID),
    "decompressobj wbits 7": (lambda z: z.decompressobj(7), "ValueError", INVALID),
    "decompressobj zdict 5": (
        lambda z: z.decompressobj(zdict=5),
        "TypeError",
        "zdict argument must support the buffer protocol",
    ),
    "decompressobj zdict text": (
        lambda z: z.decompressobj(zdict="text"),
        "TypeError",
        "zdict argument must support the buffer protocol",
    ),
    "compressobj zdict text": (
        lambda z: z.compressobj(zdict="text"),
        "TypeError",
        "a bytes-like object is required, not 'str'",
    ),
    "stream text": (
        lambda z: z.decompressobj().decompress(b"not compressed"),
        "error",
        "Error -3 while decompressing data: incorrect header check",
    ),
    "stream max_length -1": (
        lambda z: z.decompressobj().decompress(b"", -1),
        "ValueError",
        "max_length must be non-negative",
    ),
    "stream flush 0": (
        lambda z: z.decompressobj().flush(0),
        "ValueError",
        "length must be greater than zero",
    ),
    "stream flush -1": (
        lambda z: z.decompressobj().flush(-1),
        "ValueError",
        "length must be greater than zero",
    ),
    "stream needs a dictionary": (
        lambda z: z.decompressobj().decompress(NEEDS_DICTIONARY),
        "error",
        "Error 2 while decompressing data",
    ),
    "stream with a wrong dictionary": (
        lambda z: z.decompressobj(zdict=b"another").decompress(NEEDS_DICTIONARY),
        "error",
        "Error -3 while setting zdict: invalid input data",
    ),
    "compress after finish": (
        lambda z: finished(z).compress(b"more"),
        "error",
        "Error -2 while compressing data: inconsistent stream state",
    ),
    "flush after finish": (
        lambda z: finished(z).flush(),
        "error",
        "Error -2 while flushing: inconsistent stream state",
    ),
    "copy after finish": (lambda z: finished(z).copy(), "ValueError", "Inconsistent stream state"),
    "copy.copy after finish": (lambda z: copy.copy(finished(z)), "ValueError", "Inconsistent stream state"),
    "deepcopy after finish": (lambda z: copy.deepcopy(finished(z)), "ValueError", "Inconsistent stream state"),
    "decompressobj copy after flush": (lambda z: flushed(z).copy(), "ValueError", "Inconsistent stream state"),
    "decompressobj deepcopy after flush": (
        lambda z: copy.deepcopy(flushed(z)),
        "ValueError",
        "Inconsistent stream state",
    ),
    "bad flush mode": (
        lambda z: z.compressobj().flush(99),
        "error",
        "Error -2 while flushing: inconsistent stream state",
    ),
}
"""Failing calls, each with the exact type and text of its exception."""

NUMBERS: dict[str, Callable[[Any, Any], object]] = {
    "compress level": lambda z, n: z.compress(b"", n),
    "compress wbits": lambda z, n: z.compress(b"", 1, n),
    "decompress wbits": lambda z, n: z.decompress(PACKED, n),
    "decompress bufsize": lambda z, n: z.decompress(PACKED, 15, n),
    "compressobj level": lambda z, n: z.compressobj(n),
    "compressobj method": lambda z, n: z.compressobj(1, n),
    "compressobj wbits": lambda z, n: z.compressobj(1, 8, n),
    "compressobj memLevel": lambda z, n: z.compressobj(1, 8, 15, n),
    "compressobj strategy": lambda z, n: z.compressobj(1, 8, 15, 8, n),
    "decompressobj wbits": lambda z, n: z.decompressobj(n),
    "Compress.flush": lambda z, n: z.compressobj().flush(n),
    "Decompress.decompress": lambda z, n: z.decompressobj().decompress(PACKED, n),
    "Decompress.flush": lambda z, n: z.decompressobj().flush(n),
    "compress_progress level": lambda z, n: z.compress_progress(b"", print, n),
    "crc32_combine first": lambda z, n: z.crc32_combine(n, 1, 1),
    "crc32_combine second": lambda z, n: z.crc32_combine(1, n, 1),
    "crc32_combine length": lambda z, n: z.crc32_combine(1, 1, n),
    "adler32_combine length": lambda z, n: z.adler32_combine(1, 1, n),
    "fail_after": lambda z, n: z.fail_after(n),
    "crc32": lambda z, n: z.crc32(b"", n),
    "adler32": lambda z, n: z.adler32(b"", n),
}
"""A call for every integer argument."""

MODULO = {"crc32", "adler32", "crc32_combine first", "crc32_combine second"}
"""Arguments that are reduced modulo 2**32 and thus never overflow."""


def finished(codec: Any) -> Any:
    """Return a compressor that is finished."""
    stream = codec.compressobj()
    stream.compress(b"data")
    stream.flush()
    return stream


def flushed(codec: Any) -> Any:
    """Return a decompressor that reached its end and was flushed."""
    stream = codec.decompressobj()
    stream.decompress(PACKED)
    stream.flush()
    return stream


@pytest.mark.parametrize("what", FAILURES)
def test_failures_have_the_types_and_messages_of_zlib(codec: Codec, what: str) -> None:
    """The type and the message of a failure are those of CPython's ``zlib``."""
    call, kind, text = FAILURES[what]
    error = failure(call, codec)
    assert (type(error).__name__, str(error)) == (kind, text)
    if kind == "error":
        assert type(error) is codec.error


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="the messages of PyPy's own zlib differ")
@pytest.mark.parametrize("what", [what for what in FAILURES if "flush mode" not in what])
def test_the_standard_library_fails_as_the_table_says(what: str) -> None:
    """This interpreter's own ``zlib`` fails as the table says."""
    call, kind, text = FAILURES[what]
    assert told(call, zlib) == (kind, text)


def test_integers_beyond_their_c_type_overflow(codec: Codec) -> None:
    """An integer that does not fit its C type is `OverflowError`; a checksum is reduced instead."""
    wrong = []
    for name, call in NUMBERS.items():
        for bad in (2**64, -(2**64), 10**30):
            got = outcome(call, codec, bad)
            if (got == "OverflowError") == (name in MODULO):
                wrong.append((name, bad, got))
    for name in ("compress level", "compressobj level", "compressobj wbits", "decompressobj wbits", "Compress.flush"):
        for bad in (2**31, 2**40, -(2**31) - 1):
            got = outcome(NUMBERS[name], codec, bad)
            wrong += [(name, bad, got)] if got != "OverflowError" else []
    assert wrong == []


def test_integers_of_another_type_are_refused(codec: Codec) -> None:
    """An object without ``__index__`` is `TypeError` for every integer argument; one with it is accepted."""

    class Index:
        def __index__(self) -> int:
            return 1

    wrong = []
    for name, call in NUMBERS.items():
        for bad in (None, "1", 1.0, b"1", object()):
            wrong += [(name, bad, got) for got in (outcome(call, codec, bad),) if got != "TypeError"]
        for good in (Index(), True):
            got = outcome(call, codec, good)
            wrong += [(name, type(good), got)] if got in ("TypeError", "OverflowError") else []
            codec.fail_after(-1)
    assert wrong == []


def test_a_combined_length_has_its_limits(codec: Codec) -> None:
    """A length may be up to 2**63 - 1; one that does not fit ``uint64_t`` is `OverflowError`."""
    for call in (codec.crc32_combine, codec.adler32_combine):
        assert 0 <= call(1, 1, 2**63 - 1) < 2**32
        assert call(1, 1, 0) >= 0
        assert outcome(call, 1, 1, -1) == "OverflowError"
        assert outcome(call, 1, 1, 2**64) == "OverflowError"


def test_wrong_arguments_are_a_type_error(codec: Any) -> None:
    """Too many or too few arguments, unknown keywords, and keywords of positional-only arguments are `TypeError`."""
    calls: list[Callable[[], object]] = [
        codec.crc32,
        lambda: codec.crc32(b"", 0, 0),
        lambda: codec.crc32(data=b""),
        codec.adler32,
        lambda: codec.adler32(b"", value=1),
        codec.compress,
        lambda: codec.compress(b"", 1, 15, 1),
        lambda: codec.compress(data=b""),
        lambda: codec.compress(b"", lvl=1),
        lambda: codec.compress(b"", 1, level=1),
        codec.decompress,
        lambda: codec.decompress(b"", 15, 1, 1),
        lambda: codec.decompress(data=b""),
        lambda: codec.compressobj(1, 8, 15, 8, 0, b"", 1),
        lambda: codec.compressobj(mode=1),
        lambda: codec.decompressobj(15, b"", 1),
        lambda: codec.decompressobj(dictionary=b""),
        codec.compressobj().compress,
        lambda: codec.compressobj().compress(b"", 1),
        lambda: codec.compressobj().compress(data=b""),
        lambda: codec.compressobj().flush(4, 4),
        lambda: codec.compressobj().flush(mode=4),
        codec.decompressobj().decompress,
        lambda: codec.decompressobj().decompress(b"", 1, 1),
        lambda: codec.decompressobj().decompress(b"", length=1),
        lambda: codec.decompressobj().flush(1, 1),
        lambda: codec.decompressobj().flush(length=1),
        lambda: codec.compressobj().copy(1),
        lambda: codec.crc32_combine(1, 1),
        lambda: codec.crc32_combine(1, 1, 1, 1),
        lambda: codec.compress_progress(b""),
        lambda: codec.compress_progress(b"", print, 1, 15, 1),
        lambda: codec.compress_progress(b"", callback=print),
        codec.fail_after,
        lambda: codec.fail_after(-1, 1),
    ]
    assert [number for number, call in enumerate(calls) if outcome(call) != "TypeError"] == []


def test_streams_come_from_their_functions_only(codec: Codec) -> None:
    """Calling the class of a stream is `TypeError`."""
    for stream in (codec.compressobj(), codec.decompressobj()):
        assert outcome(type(stream)) == "TypeError"
        assert outcome(type(stream), 1) == "TypeError"


def test_streams_made_by_force_are_harmless(codec: Codec) -> None:
    """Making a stream by ``__new__`` or by a subclass works or raises an exception, but never crashes."""
    for stream in (codec.compressobj(), codec.decompressobj()):
        kind: Any = type(stream)
        made: Any
        for subclassed in (False, True):
            try:
                made = type("Sub", (kind,), {})() if subclassed else kind.__new__(kind)
            except TypeError:
                continue
            for name in ("compress", "decompress"):
                outcome(lambda made=made, name=name: getattr(made, name)(b"data"))
            for deed in (made.flush, made.copy, lambda made=made: made.eof, lambda made=made: made.unused_data):
                outcome(deed)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_streams_cannot_be_pickled(codec: Codec, protocol: int) -> None:
    """Pickling a stream is `TypeError`, since its state is inside the library."""
    for stream in (codec.compressobj(), codec.decompressobj()):
        assert outcome(pickle.dumps, stream, protocol) == "TypeError"


def test_what_pickle_would_call_ends_no_process(codec: Codec) -> None:
    """A program may call `__reduce__` itself: it is refused or gives something, and the stream works as before."""
    packer = codec.compressobj()
    for stream in (packer, codec.decompressobj()):
        outcome(stream.__reduce__)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            outcome(stream.__reduce_ex__, protocol)
    assert zlib.decompress(packer.compress(b"data") + packer.flush()) == b"data"


def test_attributes_of_a_stream_are_read_only(codec: Codec) -> None:
    """``unused_data``, ``unconsumed_tail`` and ``eof`` cannot be assigned."""
    stream: Any = codec.decompressobj()
    for name in ("unused_data", "unconsumed_tail", "eof"):
        assert outcome(setattr, stream, name, b"x") == "AttributeError"
    assert (stream.unused_data, stream.unconsumed_tail, stream.eof) == (b"", b"", False)
    assert type(stream.eof) is bool
