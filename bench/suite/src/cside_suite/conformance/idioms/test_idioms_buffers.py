# SPDX-License-Identifier: Apache-2.0
"""Buffers as input and output: every kind of object with the buffer protocol, and the buffers that are refused."""

import array
import ctypes
import mmap
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.collect import collect
from cside_suite.conformance.outcome import failure, outcome, status, told
from cside_suite.conformance.signatures import positions
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone

CPYTHON = sys.implementation.name == "cpython"


def mapped(data: bytes, access: int = mmap.ACCESS_WRITE) -> mmap.mmap:
    """Return an anonymous mapping that contains ``data``."""
    area = mmap.mmap(-1, len(data))
    area[:] = data
    return area


READABLE: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview of bytes": memoryview,
    "memoryview of bytearray": lambda data: memoryview(bytearray(data)),
    "read-only memoryview": lambda data: memoryview(bytearray(data)).toreadonly(),
    "slice of a memoryview": lambda data: memoryview(b"xyz" + data + b"z")[3:-1],
    "array of bytes": lambda data: array.array("B", data),
    "array of doubles": lambda data: array.array("d", data),
    "array of int32": lambda data: array.array("i", data),
    "mmap": mapped,
    "array of C chars": lambda data: (ctypes.c_char * len(data)).from_buffer_copy(data),
    "memoryview of 16-bit items": lambda data: memoryview(data).cast("H"),
    "two dimensions": lambda data: memoryview(data).cast("B", [len(data) // 8, 8]),
    "three dimensions of doubles": lambda data: memoryview(data).cast("d", [len(data) // 16, 2, 1]),
}
"""Kinds of contiguous buffers, each made from bytes whose number is a multiple of 16."""

WRITABLE = {name: make for name, make in READABLE.items() if not memoryview(make(bytes(16))).readonly}

EMPTY: dict[str, Any] = {
    "bytes": b"",
    "bytearray": bytearray(),
    "memoryview": memoryview(b""),
    "array": array.array("d"),
    "slice at the end": memoryview(b"abc")[3:],
}


def strided() -> Iterator[memoryview]:
    """Yield views that are not contiguous."""
    base = bytearray(range(16))
    yield memoryview(base)[::2]
    yield memoryview(base)[::-1]
    yield memoryview(bytes(base))[1::3]
    yield memoryview(base).cast("I")[::2]


@pytest.mark.parametrize("kind", READABLE)
def test_bytes_sum_reads_any_contiguous_buffer(idioms: Idioms, kind: str) -> None:
    """A contiguous buffer of any item format and shape is read as bytes."""
    data = bytes(range(7, 7 + 48))
    assert idioms.bytes_sum(READABLE[kind](data)) == sum(data)


@pytest.mark.parametrize("kind", READABLE)
def test_codec_reads_any_contiguous_buffer(codec: Codec, kind: str) -> None:
    """The functions and streams of the codec read any contiguous buffer too."""
    data = bytes(range(96))
    make = READABLE[kind]
    assert codec.crc32(make(data)) == codec.crc32(data)
    assert codec.adler32(make(data)) == codec.adler32(data)
    packed = codec.compress(make(data))
    assert codec.decompress(packed) == data
    padded = packed + bytes(-len(packed) % 16)
    assert codec.decompress(make(padded)) == data
    stream = codec.compressobj(zdict=make(data))
    packed = stream.compress(make(data)) + stream.flush()
    assert codec.decompressobj(zdict=make(data)).decompress(make(packed + bytes(-len(packed) % 16))) == data


@pytest.mark.parametrize("kind", READABLE)
def test_runs_expand_and_attrs_read_any_contiguous_buffer(idioms: Idioms, kind: str) -> None:
    """Functions that take a buffer in a structure, or expand it, read any contiguous buffer too."""
    data = bytes([1, 65, 2, 66] * 4)
    assert idioms.runs_expand(READABLE[kind](data)) == b"ABB" * 4
    assert idioms.attrs_digest([(5, READABLE[kind](data))]) == idioms.attrs_digest([(5, data)])
    with_zero_dimensions = memoryview(data[:4]).cast("I", ())
    assert idioms.bytes_sum(with_zero_dimensions) == sum(data[:4])


@pytest.mark.parametrize("kind", EMPTY)
def test_empty_buffers_are_buffers(idioms: Idioms, codec: Codec, kind: str) -> None:
    """An empty buffer is a valid input and a valid output."""
    empty = EMPTY[kind]
    assert idioms.bytes_sum(empty) == 0
    assert idioms.runs_expand(empty) == b""
    assert codec.crc32(empty) == 0
    assert codec.adler32(empty) == 1
    assert codec.decompress(codec.compress(empty)) == b""
    if not memoryview(empty).readonly:
        idioms.buffer_fill(empty, 1)
        assert bytes(empty) == b""


@pytest.mark.parametrize("kind", WRITABLE)
def test_buffer_fill_writes_in_place(idioms: Idioms, kind: str) -> None:
    """Every byte of the caller's own memory is set."""
    out = WRITABLE[kind](bytes(32))
    assert outcome(idioms.buffer_fill, out, 0xA5) == "returned None"
    assert bytes(memoryview(out).cast("B")) == b"\xa5" * 32


def test_buffer_fill_stays_inside_a_slice(idioms: Idioms) -> None:
    """A slice of a view is filled, and the bytes beside it are not changed."""
    base = bytearray(9)
    idioms.buffer_fill(memoryview(base)[3:6], 255)
    assert base == b"\0\0\0\xff\xff\xff\0\0\0"


def test_buffer_fill_refuses_what_is_read_only(idioms: Idioms) -> None:
    """A read-only buffer is `BufferError` and is not written."""
    constant = bytes(8)
    views = [constant, memoryview(constant), memoryview(bytearray(8)).toreadonly(), memoryview(constant)[2:]]
    assert [outcome(idioms.buffer_fill, view, 1) for view in views] == ["BufferError"] * len(views)
    assert constant == bytes(8)


def test_strided_views_are_refused(idioms: Idioms, codec: Codec) -> None:
    """A buffer that is not contiguous is `BufferError` in every function."""
    calls: list[tuple[str, Callable[[Any], object]]] = [
        (f"{name}[{position}]", call) for name, position, _, call in positions(idioms, "buffer", "out")
    ]
    calls += [
        ("crc32", codec.crc32),
        ("adler32", codec.adler32),
        ("compress", codec.compress),
        ("decompress", codec.decompress),
        ("Compress.compress", codec.compressobj().compress),
        ("Decompress.decompress", codec.decompressobj().decompress),
        ("attrs_digest", lambda view: idioms.attrs_digest([(1, view)])),
        ("compressobj(zdict)", lambda view: codec.compressobj(zdict=view)),
        ("compress_progress", lambda view: codec.compress_progress(view, lambda a, b: None)),
    ]
    wrong: list[tuple[object, ...]] = []
    for name, call in calls:
        for view in strided():
            wrong += [(name, got) for got in (outcome(call, view),) if got != "BufferError"]
    assert wrong == []


def test_objects_without_the_buffer_protocol_are_refused(idioms: Idioms) -> None:
    """Text, numbers, sequences and None do not have the buffer protocol and are `TypeError`."""
    wrong: list[tuple[object, ...]] = []
    for name, position, _, call in positions(idioms, "buffer", "out"):
        for bad in ("text", None, 5, 1.5, [1, 2], (1, 2), object(), bytes):
            wrong += [(name, position, bad, got) for got in (outcome(call, bad),) if got != "TypeError"]
    for bad in ("text", None, 5, [1], object()):
        wrong += [
            ("attrs_digest", bad, got) for got in (outcome(idioms.attrs_digest, [(1, bad)]),) if got != "TypeError"
        ]
    assert wrong == []


def test_codec_refuses_other_objects_with_the_message_of_zlib(codec: Codec) -> None:
    """The message for an object without the buffer protocol is that of ``zlib``."""
    calls: list[Callable[[Any], object]] = [
        codec.crc32,
        codec.adler32,
        codec.compress,
        codec.decompress,
        codec.compressobj().compress,
        codec.decompressobj().decompress,
    ]
    for call in calls:
        for bad, name in (("text", "str"), (None, "NoneType"), (5, "int")):
            assert told(call, bad) == ("TypeError", f"a bytes-like object is required, not '{name}'")


def test_released_views_are_refused(idioms: Idioms, codec: Codec) -> None:
    """A view that was released is `ValueError`."""
    wrong: list[tuple[object, ...]] = []
    accepted = {"ValueError"} if CPYTHON else {"ValueError", "BufferError"}  # PyPy's C API raises this
    view = memoryview(bytearray(8))
    view.release()
    calls: list[tuple[str, Callable[[Any], object]]] = [("crc32", codec.crc32), ("compress", codec.compress)]
    calls += [(name, call) for name, _, _, call in positions(idioms, "buffer", "out")]
    for name, call in calls:
        wrong += [(name, got) for got in (outcome(call, view),) if got not in accepted]
    assert wrong == []


def test_buffers_are_released(idioms: Idioms, codec: Codec) -> None:
    """After a call, successful or not, its buffers are released and can be resized."""

    def stop(total_in: int, total_out: int) -> object:
        raise KeyError

    stream: Any = codec.decompressobj()
    done = codec.compressobj()
    done.flush()
    calls: list[tuple[str, Callable[[Any], object]]] = [
        ("bytes_sum", idioms.bytes_sum),
        ("buffer_fill", lambda data: idioms.buffer_fill(data, 1)),
        ("buffer_fill, bad value", lambda data: idioms.buffer_fill(data, 256)),
        ("buffer_fill, wrong type", lambda data: idioms.buffer_fill(data, "x")),  # type: ignore[arg-type]
        ("buffer_fill, no value", lambda data: idioms.buffer_fill(data)),  # type: ignore[call-arg]
        ("runs_expand", lambda data: idioms.runs_expand(memoryview(data)[:4])),
        ("runs_expand, odd", lambda data: idioms.runs_expand(memoryview(data)[:3])),
        ("attrs_digest", lambda data: idioms.attrs_digest([(1, data), (2, data)])),
        ("attrs_digest, then wrong", lambda data: idioms.attrs_digest([(1, data), (2, "x")])),  # type: ignore[list-item]
        ("crc32", codec.crc32),
        ("crc32, bad value", lambda data: codec.crc32(data, "x")),  # type: ignore[arg-type]
        ("compress", codec.compress),
        ("compress, bad level", lambda data: codec.compress(data, 99)),
        ("compress, wrong level", lambda data: codec.compress(data, level="x")),  # type: ignore[arg-type]
        ("decompress, corrupt", codec.decompress),
        ("decompress, bad size", lambda data: codec.decompress(data, bufsize=-1)),
        ("compressobj", lambda data: codec.compressobj(zdict=data)),
        ("compressobj, bad", lambda data: codec.compressobj(99, zdict=data)),
        ("decompressobj, bad", lambda data: codec.decompressobj(99, zdict=data)),
        ("Compress.compress", lambda data: codec.compressobj().compress(data)),
        ("Compress.compress, finished", done.compress),
        ("Decompress.decompress, corrupt", lambda data: codec.decompressobj().decompress(data)),
        ("Decompress.decompress, bad size", lambda data: stream.decompress(data, -1)),
        ("compress_progress", lambda data: codec.compress_progress(data, lambda a, b: None)),
        ("compress_progress, raising", lambda data: codec.compress_progress(data, stop)),
        ("compress_progress, not callable", lambda data: codec.compress_progress(data, 5)),  # type: ignore[arg-type]
    ]
    wrong: list[str] = []
    for name, call in calls:
        data = bytearray(b"\1A" * 50)
        outcome(call, data)
        if outcome(data.clear) == "BufferError":
            if not CPYTHON:
                collect()  # PyPy releases a view when it is collected, also those of this test
            wrong += [name] if outcome(data.clear) == "BufferError" else []
    assert wrong == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes can have the buffer protocol since Python 3.12 only")
def test_python_classes_may_have_the_buffer_protocol(idioms: Idioms, codec: Codec) -> None:
    """An object with ``__buffer__`` is a buffer, and its ``__release_buffer__`` is called each time."""

    class Lender:
        def __init__(self) -> None:
            self.lent = self.returned = 0

        def __buffer__(self, flags: int, /) -> memoryview:
            self.lent += 1
            return memoryview(b"\1A\1B")

        def __release_buffer__(self, view: memoryview, /) -> None:
            self.returned += 1

    lender = Lender()
    assert idioms.bytes_sum(lender) == 1 + 65 + 1 + 66
    assert codec.crc32(lender) == codec.crc32(b"\1A\1B")
    assert codec.decompress(codec.compress(lender)) == b"\1A\1B"
    collect()
    assert lender.lent == lender.returned >= 3


@pytest.mark.needs("callbacks")
def test_a_callback_cannot_resize_the_input(codec: Codec) -> None:
    """Resizing the input in a callback, while the library reads it, is `BufferError` on CPython."""
    data = bytearray(b"resize me " * 40_000)
    want = bytes(data)
    seen: list[str] = []

    def resize(total_in: int, total_out: int) -> None:
        seen.append(outcome(data.extend, b"x" * 1_000_000))

    packed = codec.compress_progress(data, resize)
    assert seen
    if CPYTHON:
        assert set(seen) == {"BufferError"}
        assert codec.decompress(packed) == want
        data.clear()


def test_another_thread_cannot_resize_the_input(codec: Codec) -> None:
    """Another thread cannot resize the input during a long call that released the GIL."""
    size = 4_000_000
    data = bytearray(size)
    stop = threading.Event()
    refused = 0

    def resize() -> None:
        nonlocal refused
        while not stop.is_set():
            try:
                data.append(1)
                data.pop()
            except BufferError:
                refused += 1

    other = threading.Thread(target=resize)
    other.start()
    try:
        for _ in range(10):
            outcome(codec.crc32, data)
            codec.compressobj(1).compress(data)
    finally:
        stop.set()
        other.join()
    data.clear()
    if CPYTHON:
        assert refused


def test_bytes_sum_wraps_at_32_bits(idioms: Idioms) -> None:
    """The sum is modulo 2**32."""
    size = 17 * 2**20
    assert idioms.bytes_sum(b"\xff" * size) == 255 * size % 2**32


@given(data=st.binary(max_size=5000))
def test_bytes_sum_is_the_sum(idioms: Idioms, data: bytes) -> None:
    """The sum of any bytes is that of Python's ``sum``."""
    assert idioms.bytes_sum(data) == sum(data)


@pytest.mark.parametrize("index", [0, 1, 255, 256, 257, 65_536, 1_048_576])
def test_blob_get_returns_exactly_the_blob(idioms: Idioms, index: int) -> None:
    """The result has exactly the size that the library reports."""
    blob = idioms.blob_get(index)
    assert type(blob) is bytes and len(blob) == index
    assert blob[:600] == bytes((i * 7 + index) % 256 for i in range(min(index, 600)))
    assert blob[-3:] == bytes((i * 7 + index) % 256 for i in range(max(0, index - 3), index))


def test_blob_get_past_the_end_is_refused(idioms: Idioms) -> None:
    """A number beyond the last blob is `LookupError`."""
    for index in (1_048_577, 2**32 - 1):
        assert outcome(idioms.blob_get, index) == "LookupError"


@given(pairs=st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=60))
def test_runs_expand_is_the_expansion(idioms: Idioms, pairs: list[tuple[int, int]]) -> None:
    """An output of unknown size is returned in full, however large it is."""
    data = bytes(number for pair in pairs for number in pair)
    assert idioms.runs_expand(data) == b"".join(bytes([byte]) * count for count, byte in pairs)


@pytest.mark.parametrize("size", [255, 256, 257, 511, 512, 513, 1024, 1025])
def test_runs_expand_around_its_room(idioms: Idioms, size: int) -> None:
    """Outputs that just fill the buffer, or just do not fit, are returned in full."""
    data = b"\1a" * size
    assert idioms.runs_expand(data) == b"a" * size


def test_runs_expand_refuses_odd_input(idioms: Idioms) -> None:
    """Input with half a pair is `StatusError` ``CS_E_DATA``."""
    for data in (b"\1", b"\1a\2"):
        assert status(idioms, failure(idioms.runs_expand, data)) == (-3, "CS_E_DATA")


def blob(index: int) -> bytes:
    """Return the bytes of a blob."""
    return bytes((i * 7 + index) % 256 for i in range(index))


def test_a_call_within_a_call_has_memory_of_its_own(idioms: Idioms) -> None:
    """An ``__index__`` that calls the same function again does not change what the outer call returns."""

    class Nested:
        def __init__(self, value: int, call: Callable[[], object]) -> None:
            self.value, self.call = value, call

        def __index__(self) -> int:
            self.call()
            return self.value

    inner = Nested(41, lambda: idioms.blob_get(5000))
    assert idioms.blob_get(Nested(40, lambda: idioms.blob_get(inner))) == blob(40)
    types: Any = [Nested(kind, lambda: idioms.attrs_get([9, 10, 11])) for kind in (3, 64, 5)]
    assert idioms.attrs_get(types) == [(3, b"\3" * 3), (64, b""), (5, b"\5" * 5)]
    plain = [(kind, bytes([kind]) * 20) for kind in range(5)]
    nested: Any = [(Nested(kind, lambda: idioms.attrs_digest([(77, b"inner")])), value) for kind, value in plain]
    assert idioms.attrs_digest(nested) == idioms.attrs_digest(plain)


def test_threads_share_no_memory(idioms: Idioms) -> None:
    """Threads that call the same functions at the same time get their own results."""
    wrong: list[object] = []
    start = threading.Barrier(4)

    def work(number: int) -> None:
        sizes = range(number * 50, number * 50 + 40)
        kinds = list(range(number, 60, 4))
        attrs = [(kind, bytes([kind]) * (kind % 64)) for kind in kinds]
        digest = idioms.attrs_digest(attrs)
        start.wait()
        for _ in range(25):
            for size in sizes:
                if idioms.blob_get(size) != blob(size):
                    wrong.append(("blob_get", size))
                if idioms.runs_expand(bytes([size % 200 + 1, number]) * 9) != bytes([number]) * (size % 200 + 1) * 9:
                    wrong.append(("runs_expand", size))
            if idioms.attrs_get(kinds) != attrs or idioms.attrs_digest(attrs) != digest:
                wrong.append(("attrs", number))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []
