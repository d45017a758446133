# SPDX-License-Identifier: Apache-2.0
"""``_ZlibDecompressor``, with which ``gzip`` and ``zipfile`` of CPython 3.12 and later read."""

import pickle
import threading
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.collect import collect
from cside_suite.conformance.isolation import run_fresh
from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure, outcome, told
from cside_suite.contract.codec import Codec, ZlibDecompressor
from cside_suite.subjects.bindings import Implementation

pytestmark = pytest.mark.crash_prone

DATA = b"".join(b"%d squared is %d; " % (number, number * number) for number in range(4000))
PACKED = zlib.compress(DATA)

DROP_IN = """
import importlib, io, sys
codec = importlib.import_module(sys.argv[1] + ".codec")
for name in ("gzip", "zipfile", "zlib"):
    sys.modules.pop(name, None)
sys.modules["zlib"] = codec
import gzip, zipfile
assert gzip.zlib is codec and zipfile.zlib is codec
data = bytes(range(256)) * 2000
packed = gzip.compress(data[:1000]) + gzip.compress(data[1000:])
assert gzip.decompress(packed) == data
with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
    parts = []
    while part := file.read(777):
        parts.append(part)
    assert b"".join(parts) == data
    file.seek(100_000)
    assert file.read(10) == data[100_000:100_010]
room = io.BytesIO()
with gzip.open(room, "wt", encoding="utf-8") as text:
    text.write("one\\ntwo\\n" * 5000)
room.seek(0)
with gzip.open(room, "rt", encoding="utf-8") as text:
    assert sum(1 for line in text) == 10_000
for damaged in (packed[:-5], packed[:50], packed[:40] + b"\\xff" * 40 + packed[80:]):
    try:
        gzip.GzipFile(fileobj=io.BytesIO(damaged)).read()
    except (EOFError, gzip.BadGzipFile, codec.error):
        pass
    else:
        raise AssertionError("a damaged file was read")
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
    out.writestr("large", data)
    out.writestr("small", b"x")
with zipfile.ZipFile(archive) as back:
    assert back.testzip() is None
    assert back.read("large") == data
    with back.open("large") as file:
        assert file.read(1000) == data[:1000]
        assert file.read() == data[1000:]
print("done")
"""


def decompressor(codec: Codec, *arguments: Any, **more: Any) -> ZlibDecompressor:
    """Return a new decompressor; the class is private in ``zlib``, and so in the contract."""
    return codec._ZlibDecompressor(*arguments, **more)


def state(one: Any) -> tuple[bool, bool, bytes]:
    """Return what a decompressor says of itself."""
    return one.eof, one.needs_input, one.unused_data


def test_it_is_a_class_that_starts_empty(codec: Codec) -> None:
    """``_ZlibDecompressor`` is a class; a new object needs input, and has seen no end."""
    assert isinstance(codec._ZlibDecompressor, type)
    one = decompressor(codec)
    assert isinstance(one, codec._ZlibDecompressor)
    assert type(one).__name__ == "_ZlibDecompressor"
    assert state(one) == (False, True, b"")
    assert one.decompress(b"") == b""
    assert state(one) == (False, True, b"")


def test_a_stream_at_once(codec: Codec) -> None:
    """Without a limit everything is returned; what follows the end is kept as ``unused_data``."""
    one = decompressor(codec)
    assert one.decompress(PACKED + b"what follows") == DATA
    assert state(one) == (True, False, b"what follows")
    assert told(one.decompress, b"") == ("EOFError", "End of stream already reached")
    assert told(one.decompress, b"more") == ("EOFError", "End of stream already reached")
    assert state(one) == (True, False, b"what follows")


@given(
    sizes=st.lists(st.integers(0, len(PACKED) // 3), max_size=8),
    limits=st.lists(st.sampled_from([-1, -5, 0, 1, 2, 3, 1000, 20_000, 10**6]), min_size=1, max_size=12),
)
def test_parts_and_limits_do_as_zlib(codec: Codec, sizes: list[int], limits: list[int]) -> None:
    """Whatever the input is cut into, and however the output is limited, nothing is lost, and all is as in ``zlib``."""
    theirs = zlib._ZlibDecompressor() if hasattr(zlib, "_ZlibDecompressor") else None
    one = decompressor(codec)
    rest, got, step = PACKED + b"tail", b"", 0
    while not one.eof:
        limit = limits[step % len(limits)] if step < 40 else -1
        part = b""
        if one.needs_input or limit == 0:
            size = sizes[step] if step < len(sizes) else len(rest)
            part, rest = rest[:size], rest[size:]
        out = one.decompress(part, limit)
        assert limit < 0 or len(out) <= limit
        if theirs is not None:
            assert out == theirs.decompress(part, limit)
            assert state(one) == state(theirs)
        got += out
        step += 1
    assert got == DATA
    assert one.unused_data + rest == b"tail"


def test_a_limit_keeps_the_rest_of_the_input(codec: Codec) -> None:
    """With a limit the rest of the input is kept: ``needs_input`` is false, and ``b""`` goes on with it."""
    one = decompressor(codec)
    got = one.decompress(PACKED, 10)
    assert got == DATA[:10] and state(one) == (False, False, b"")
    assert one.decompress(b"", max_length=0) == b""
    got += one.decompress(data=b"", max_length=5)
    assert got == DATA[:15] and not one.needs_input
    assert got + one.decompress(b"") == DATA
    assert one.eof


@pytest.mark.parametrize("wbits", [-15, 15, 31, 47])
def test_every_format_is_read(codec: Codec, wbits: int) -> None:
    """``wbits`` says the format: raw, zlib, gzip, or zlib or gzip as the header says."""
    made = zlib.compressobj(wbits=31 if wbits == 47 else wbits)
    packed = made.compress(DATA) + made.flush()
    assert decompressor(codec, wbits).decompress(packed) == DATA
    assert decompressor(codec, wbits=wbits, zdict=b"").decompress(packed) == DATA


@pytest.mark.parametrize("wbits", [15, -15])
def test_a_dictionary_is_used(codec: Codec, wbits: int) -> None:
    """Data compressed with a dictionary is decompressed with it; any buffer is one, and it is copied."""
    made = zlib.compressobj(wbits=wbits, zdict=DATA[:500])
    packed = made.compress(DATA) + made.flush()
    words = bytearray(DATA[:500])
    one = decompressor(codec, wbits, words)
    words[:] = bytes(500)
    assert one.decompress(packed) == DATA


def test_the_stream_is_ended_with_its_data_and_not_twice(codec: Codec, native: Native) -> None:
    """The library's memory is released when the data has ended, and not only with the object."""
    collect()
    kept = [decompressor(codec)]
    assert native.counted(lambda: kept[0].decompress(PACKED[:-1])).get("cs_inflate_end", 0) == 0
    assert native.counted(lambda: kept[0].decompress(PACKED[-1:] + b"rest")).get("cs_inflate_end", 0) == 1
    assert state(kept[0]) == (True, False, b"rest")

    def drop() -> None:
        kept.clear()
        collect()

    assert native.counted(drop).get("cs_inflate_end", 0) == 0


def test_a_missing_or_wrong_dictionary_is_an_error(codec: Codec) -> None:
    """It is ``error``, where CPython 3.14 raises `SystemError` without a reason; an empty dictionary is a wrong one."""
    made = zlib.compressobj(zdict=DATA[:500])
    packed = made.compress(DATA) + made.flush()
    for one in (decompressor(codec), decompressor(codec, zdict=b""), decompressor(codec, zdict=b"another")):
        assert type(failure(one.decompress, packed)) is codec.error
        assert not one.eof


def test_corrupt_data_is_an_error(codec: Codec) -> None:
    """Corrupt data is ``error`` with the text of ``zlib``; a truncated stream waits for its end."""
    one = decompressor(codec)
    error = failure(one.decompress, b"no zlib stream")
    assert type(error) is codec.error
    assert str(error) == "Error -3 while decompressing data: incorrect header check"
    waiting = decompressor(codec)
    assert DATA.startswith(waiting.decompress(PACKED[:-10]))
    assert state(waiting) == (False, True, b"")


def test_wrong_arguments_are_refused(codec: Codec) -> None:
    """Arguments are checked as those of ``decompressobj``; an object that refused one can still be used."""
    for first, wanted in (((99,), "ValueError"), ((2**40,), "OverflowError"), (("x",), "TypeError")):
        assert outcome(decompressor, codec, *first) == wanted
    assert told(decompressor, codec, 99) == ("ValueError", "Invalid initialization option")
    for words in ("text", None, 5):
        assert outcome(decompressor, codec, 15, words) == "TypeError"
    one: Any = decompressor(codec)
    wrong: tuple[tuple[tuple[Any, ...], str], ...] = (
        (("text",), "TypeError"),
        ((None,), "TypeError"),
        ((memoryview(PACKED)[::2],), "BufferError"),
        ((PACKED, 2**70), "OverflowError"),
        ((PACKED, "x"), "TypeError"),
        ((PACKED, 1.0), "TypeError"),
        ((), "TypeError"),
    )
    for bad, expected in wrong:
        assert outcome(one.decompress, *bad) == expected, bad
    assert one.decompress(PACKED) == DATA


def test_it_is_neither_copied_nor_pickled(codec: Codec) -> None:
    """A pickle of a stream would lose its state, so there is none."""
    assert outcome(pickle.dumps, decompressor(codec)) == "TypeError"


def test_its_attributes_are_read_only(codec: Codec) -> None:
    """Assigning to what a decompressor says of itself is `AttributeError`."""
    one = decompressor(codec)
    for name in ("eof", "needs_input", "unused_data"):
        assert outcome(setattr, one, name, 1) == "AttributeError"


def test_threads_take_turns(codec: Codec) -> None:
    """Several threads that use one decompressor get each byte once."""
    one = decompressor(codec)
    parts = []

    def work() -> None:
        while not one.eof:
            try:
                parts.append(one.decompress(b"", 100))
            except EOFError:
                return

    parts.append(one.decompress(PACKED, 100))
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(map(len, parts)) == len(DATA)
    assert sorted(b"".join(parts)) == sorted(DATA)


def test_gzip_and_zipfile_work_with_the_codec_in_the_place_of_zlib(implementation: Implementation) -> None:
    """The standard library's ``gzip`` and ``zipfile`` write and read with a binding that they take for ``zlib``."""
    assert run_fresh(implementation, DROP_IN).stdout.splitlines()[-1] == "done"


def test_an_empty_dictionary_counts_as_given(codec: Codec) -> None:
    """``zdict=b""`` is a dictionary, which is wrong where another is needed, as for ``decompressobj``."""
    made = zlib.compressobj(zdict=DATA[:500])
    packed = made.compress(DATA) + made.flush()
    wanted = told(codec.decompressobj(zdict=b"").decompress, packed)
    assert "while setting zdict" in wanted[1]
    assert told(decompressor(codec, zdict=b"").decompress, packed) == wanted
    assert "while decompressing data" in told(decompressor(codec).decompress, packed)[1]
