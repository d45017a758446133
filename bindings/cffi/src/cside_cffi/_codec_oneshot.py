# SPDX-License-Identifier: Apache-2.0
"""One-shot calls: `compress`, `decompress`, `compress_progress`; and `fail_after`, which lets allocations fail."""

from _operator import index

from ._codec_stream import NO_LIMIT, STEPS_TAKE_BYTES, c_int, c_ssize, error, explain, inflate_all, lend
from ._codec_stream import deflate as _deflate
from ._core import ffi, lib
from ._idioms_callbacks import c_function, slot, slots, stopped

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_unpack = ffi.unpack
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_CHARS = ffi.typeof("char[]")
_STREAM = ffi.typeof("cs_stream *")
_FIRST_NBYTES: int = lib.CS_OUT_FIRST_NBYTES
_DEFLATED: int = lib.CS_METHOD_DEFLATED
_MEM_LEVEL: int = lib.CS_MEM_LEVEL_DEFAULT
_STRATEGY: int = lib.CS_STRATEGY_DEFAULT
_FINISH: int = lib.CS_FLUSH_FINISH
_E_ABORTED: int = lib.CS_E_ABORTED
_E_MEMORY: int = lib.CS_E_MEMORY
_E_STREAM: int = lib.CS_E_STREAM
_STREAM_END: int = lib.CS_STREAM_END

# Out-parameters, and streams that have ended; no call is using them, and the first call makes the first ones.
_sizes: "list[Any]" = []
_streams: "list[Any]" = []

_bound = lib.cs_compress_bound
_compress = lib.cs_compress
_deflate_init = lib.cs_deflate_init
_deflate_end = lib.cs_deflate_end
_inflate_init = lib.cs_inflate_init
_inflate_end = lib.cs_inflate_end
_fail_after = lib.cs_codec_fail_after


def compress(data: "Buffer", /, level: int = -1, wbits: int = 15) -> bytes:
    """Compress ``data`` in one call and return the compressed stream.

    ``level`` is 0 (none) to 9 (smallest), or -1 for the default. ``wbits`` is 9 to 15 for the
    zlib format, -9 to -15 for a raw stream, 25 to 31 for gzip.

    Raises `error` 'Bad compression level' if ``level`` or ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
    C-contiguous; `MemoryError` if there is no memory.
    """
    view = data if type(data) is bytes else lend(data)
    try:
        size = _sizes.pop()
    except IndexError:
        size = _new("size_t *")
    try:
        nbytes = len(view)
        room = _bound(nbytes)
        out = _allocate(_CHARS, room)
        try:
            status: int = _compress(view, nbytes, out, room, index(level), index(wbits), size)
        except TypeError:
            c_int(level)
            raise
    finally:
        if view is not data:
            _release(view)
    nbytes = size[0]
    _sizes.append(size)
    if status:
        raise _compress_failure(status)
    compressed: bytes = _unpack(out, nbytes)
    return compressed


def _compress_failure(status: int, message: "Any" = ffi.NULL) -> Exception:
    if status == _E_MEMORY:
        return MemoryError("Out of memory while compressing data")
    if status == _E_STREAM:
        return error("Bad compression level")
    return explain(status, b"while compressing data", message)


def decompress(data: "Buffer", /, wbits: int = 15, bufsize: int = _FIRST_NBYTES) -> bytes:
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
    view = data if STEPS_TAKE_BYTES and type(data) is bytes else lend(data)
    try:
        try:
            number = index(wbits)
            room = bufsize if bufsize is _FIRST_NBYTES else c_ssize(bufsize)
        except (TypeError, OverflowError):
            c_int(wbits)
            raise
        if room < 0:
            raise ValueError("bufsize must be non-negative")
        try:
            stream = _streams.pop()
        except IndexError:
            stream = _new(_STREAM)
        status: int = _inflate_init(stream, number)
        if status == _E_MEMORY:
            raise MemoryError("Out of memory while decompressing data")
        if status:
            raise explain(status, b"while preparing to decompress data", stream.message)
        try:
            status, result = inflate_all(stream, view, 0, _FINISH, room or 1, NO_LIMIT, None)
            if status == _E_MEMORY:
                raise MemoryError("Out of memory while decompressing data")
            if status != _STREAM_END:
                raise explain(status, b"while decompressing data", stream.message)
        finally:
            status = _inflate_end(stream)
    finally:
        if view is not data:
            _release(view)
    if status:
        raise explain(status, b"while finishing decompression")
    _streams.append(stream)
    return result


def _on_progress(key: int, total_in: int, total_out: int) -> int:
    call = slots[key]
    try:
        return call.function(total_in, total_out) is False
    except BaseException as error:
        call.error = error
    return 1


_progress = c_function("on_progress", _on_progress, 1, stopped)


def compress_progress(
    data: "Buffer", callback: "Callable[[int, int], object]", /, level: int = -1, wbits: int = 15
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
    view = data if STEPS_TAKE_BYTES and type(data) is bytes else lend(data)
    try:
        if not callable(callback):
            raise TypeError(f"the callback must be callable, not {type(callback).__name__}")
        stream = _new(_STREAM)
        call = slot()
        stream.progress = _progress
        stream.progress_user = call.user
        try:
            try:
                status: int = _deflate_init(stream, index(level), _DEFLATED, index(wbits), _MEM_LEVEL, _STRATEGY)
            except TypeError:
                c_int(level)
                raise
            if status:
                raise _compress_failure(status, stream.message)
            try:
                nbytes = len(view)
                room = _bound(nbytes)
                out = _allocate(_CHARS, room)
                call.function = callback
                status = _deflate(stream, view, 0, nbytes, out, room, _FINISH)
                if status == _E_ABORTED:
                    call.reraise()
                    raise error("compression stopped by the callback")
                if status != _STREAM_END:
                    raise _compress_failure(status, stream.message)
                compressed: bytes = _unpack(out, stream.total_out)
            finally:
                _deflate_end(stream)
        finally:
            call.rest()
    finally:
        if view is not data:
            _release(view)
    return compressed


def fail_after(allocations: "SupportsIndex", /) -> None:
    """Make the library's later allocations on the calling thread fail. It is for tests.

    ``allocations`` is the number of allocations that succeed first; with -1 none fails any
    more.

    Raises `OverflowError` if ``allocations`` does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    _fail_after(index(allocations))
