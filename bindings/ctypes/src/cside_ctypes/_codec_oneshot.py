# SPDX-License-Identifier: Apache-2.0
"""Compression and decompression of a whole input in one call."""

from __future__ import annotations

from ctypes import POINTER, c_int32, c_int64, c_size_t, c_void_p

from cside_ctypes._codec_stream import (
    FLUSH_FINISH,
    OUT_FIRST_NBYTES,
    UNLIMITED,
    Progress,
    Stream,
    deflate,
    deflate_end,
    deflate_init,
    error,
    failure,
    inflate,
    inflate_end,
    inflate_init,
    run_stream,
)
from cside_ctypes._idioms_errors import E_ABORTED, E_BUFFER, E_MEMORY, E_STREAM, STREAM_END
from cside_ctypes._native import (
    SmallInt,
    addressed,
    finished,
    fresh,
    fresh_at,
    held,
    int32,
    int64,
    not_begun,
    reading,
    release,
    released,
    ssize,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

__all__ = ["compress", "compress_progress", "decompress", "fail_after"]

_METHOD_DEFLATED = 8
_MEM_LEVEL_DEFAULT = 8
_STRATEGY_DEFAULT = 0
_PROGRESS_NBYTES = 65536  # CS_PROGRESS_NBYTES

_compress_bound = held("cs_compress_bound", c_size_t, c_size_t)
_compress = released(
    "cs_compress",
    c_int32,
    c_void_p,
    c_size_t,
    c_void_p,
    c_size_t,
    SmallInt(c_int32),
    SmallInt(c_int32),
    POINTER(c_size_t),
)
_fail_after = held("cs_codec_fail_after", None, c_int64)


def _compress_failure(status: int, message: bytes | None = None, /) -> Exception:
    if status == E_STREAM:
        return error("Bad compression level")
    if status == E_MEMORY:
        return MemoryError("Out of memory while compressing data")
    return failure(status, b"while compressing data", message)


def compress(data: Buffer, /, level: int = -1, wbits: int = 15) -> bytes:
    """Compress ``data`` in one call and return the compressed stream.

    ``level`` is 0 (none) to 9 (smallest), or -1 for the default. ``wbits`` is 9 to 15 for the
    zlib format, -9 to -15 for a raw stream, 25 to 31 for gzip.

    Raises `error` 'Bad compression level' if ``level`` or ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
    C-contiguous; `MemoryError` if there is no memory.
    """
    pointer, nbytes, hold = reading(data)
    try:
        level, wbits = int32(level), int32(wbits)
        capacity = _compress_bound(nbytes)
        out, room = fresh(capacity)
        used = c_size_t()
        status = _compress(pointer, nbytes, out, capacity, level, wbits, used)
    finally:
        release(hold)
    if status < 0:
        raise _compress_failure(status)
    return finished(room, used.value)


def decompress(data: Buffer, /, wbits: int = 15, bufsize: int = OUT_FIRST_NBYTES) -> bytes:
    """Decompress one complete stream; what follows it in ``data`` is ignored.

    ``wbits`` is 8 to 15 for the zlib format (0: the size in its header), -8 to -15 for a raw
    stream, 24 to 31 for gzip, 40 to 47 for zlib or gzip as the header says. ``bufsize`` is the
    size of the first output buffer in bytes, where 0 means 1.

    Raises `error` if the data is corrupt or incomplete, a dictionary is needed, or ``wbits`` is
    not valid; `ValueError` 'bufsize must be non-negative' if it is negative; `OverflowError` if
    ``wbits`` does not fit an ``int`` of C or ``bufsize`` does not fit ``Py_ssize_t``;
    `TypeError` if one of them has no ``__index__`` or ``data`` does not support the buffer
    protocol; `BufferError` if ``data`` is not C-contiguous; `MemoryError` if there is no
    memory.
    """
    address, nbytes, hold = addressed(data)
    try:
        wbits, bufsize = int32(wbits), ssize(bufsize)
        if bufsize < 0:
            raise ValueError("bufsize must be non-negative")
        stream = Stream()
        status = inflate_init(stream, wbits)
        if status < 0:
            if status == E_MEMORY:
                raise MemoryError("Out of memory while decompressing data")
            raise failure(status, b"while preparing to decompress data", stream.message)
        try:
            stream.next_in = address
            stream.avail_in = nbytes
            status, out = run_stream(stream, inflate, FLUSH_FINISH, bufsize or 1, UNLIMITED)
            if status == STREAM_END:
                return out
            if status == E_MEMORY:
                raise MemoryError("Out of memory while decompressing data")
            # Where the status is no failure, the input ends before the stream does.
            raise failure(status or E_BUFFER, b"while decompressing data", stream.message)
        finally:
            inflate_end(stream)
    finally:
        release(hold)


def compress_progress(
    data: Buffer, callback: Callable[[int, int], object], /, level: int = -1, wbits: int = 15
) -> bytes:
    """Compress ``data`` and report progress to ``callback``; return the compressed stream.

    ``level`` and ``wbits`` are as for ``compress``. One stream of memory level 8 and one native
    call do the work. ``callback(total_in, total_out)`` gets the numbers of bytes taken and
    produced so far, after at most every 65,536 bytes and at the end. The GIL is taken for it.
    If it returns ``False`` itself, the compression stops. An exception that it raises is raised
    here, the same object.

    Raises `error` 'compression stopped by the callback' if it was stopped; `error` 'Bad
    compression level' if ``level`` or ``wbits`` is not valid; `OverflowError` if it does not
    fit an ``int`` of C; `TypeError` if it has no ``__index__``, ``data`` does not support the
    buffer protocol or ``callback`` is not callable; `BufferError` if ``data`` is not
    C-contiguous; `MemoryError` if there is no memory.
    """
    address, nbytes, hold = addressed(data)
    raised: BaseException | None = None
    stopped = missed = False
    seen_in = seen_out = 0

    def progress(_user: int | None, total_in: int, total_out: int) -> int:
        nonlocal missed, raised, seen_in, seen_out, stopped
        try:
            missed = total_in - seen_in > _PROGRESS_NBYTES or total_out - seen_out > _PROGRESS_NBYTES
            if missed:
                return 1
            seen_in, seen_out = total_in, total_out
            stopped = callback(total_in, total_out) is False
            return 1 if stopped else 0
        except BaseException as caught:  # ctypes would print it and continue
            raised = caught
            return 1

    try:
        if not callable(callback):
            raise TypeError(f"'{type(callback).__name__}' object is not callable")
        level, wbits = int32(level), int32(wbits)
        capacity = _compress_bound(nbytes)
        stream = Stream()
        stream.progress = Progress(progress)
        status = deflate_init(stream, level, _METHOD_DEFLATED, wbits, _MEM_LEVEL_DEFAULT, _STRATEGY_DEFAULT)
        if status < 0:
            raise _compress_failure(status, stream.message)
        try:
            stream.next_in = address
            stream.avail_in = nbytes
            stream.next_out, room = fresh_at(capacity)
            stream.avail_out = capacity
            status = deflate(stream, FLUSH_FINISH)
            if raised is not None:
                raise raised
            if stopped:
                raise error("compression stopped by the callback")
            # A signal that comes while C runs is raised when the next callback begins, and ctypes drops it: whatever
            # result C was given then, that callback has seen nothing.
            if missed or status == E_ABORTED or (status >= 0 and stream.total_out != seen_out):
                raise not_begun()
            if status != STREAM_END:
                raise _compress_failure(status, stream.message)
            return finished(room, capacity - stream.avail_out)
        finally:
            deflate_end(stream)
    finally:
        release(hold)
        raised = None  # its traceback refers to this frame: no cycle


def fail_after(allocations: int, /) -> None:
    """Make the library's later allocations on the calling thread fail. It is for tests.

    ``allocations`` is the number of allocations that succeed first; with -1 none fails any
    more.

    Raises `OverflowError` if ``allocations`` does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    _fail_after(int64(allocations))
