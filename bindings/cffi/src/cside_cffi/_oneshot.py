# SPDX-License-Identifier: Apache-2.0
"""What ``codec`` does in one go: checksums, ``compress``, ``decompress``, ``compress_progress``."""

from __future__ import annotations

from operator import index

from ._callbacks import called, slot, stopped
from ._core import ffi, lib
from ._engine import NO_LIMIT, c_int, c_ssize, error, explain, inflate_all, lend
from ._mode import STEPS_TAKE_BYTES, c_function
from ._mode import deflate as _deflate

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_unpack = ffi.unpack
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_CHARS: Final = ffi.typeof("char[]")
_SIZE: Final = ffi.typeof("size_t *")
_STREAM: Final = ffi.typeof("cs_stream *")
_CRC_START: Final = 0
_ADLER_START: Final = 1
_MASK: Final = 0xFFFFFFFF
_FIRST_NBYTES: Final[int] = lib.CS_OUT_FIRST_NBYTES
_DEFLATED: Final[int] = lib.CS_METHOD_DEFLATED
_MEM_LEVEL: Final[int] = lib.CS_MEM_LEVEL_DEFAULT
_STRATEGY: Final[int] = lib.CS_STRATEGY_DEFAULT
_FINISH: Final[int] = lib.CS_FLUSH_FINISH
_E_ABORTED: Final[int] = lib.CS_E_ABORTED
_E_MEMORY: Final[int] = lib.CS_E_MEMORY
_E_STREAM: Final[int] = lib.CS_E_STREAM
_STREAM_END: Final[int] = lib.CS_STREAM_END

# Out-parameters and ended streams at rest.
_sizes: Final = [_new(_SIZE)]
_streams: Final = [_new(_STREAM)]

_crc32: Callable[[int, Any, int], int] = lib.cs_crc32
_adler32: Callable[[int, Any, int], int] = lib.cs_adler32
_crc32_combine: Callable[[int, int, int], int] = lib.cs_crc32_combine
_adler32_combine: Callable[[int, int, int], int] = lib.cs_adler32_combine
_bound = lib.cs_compress_bound
_compress = lib.cs_compress
_deflate_init = lib.cs_deflate_init
_deflate_end = lib.cs_deflate_end
_inflate_init = lib.cs_inflate_init
_inflate_end = lib.cs_inflate_end
_fail_after = lib.cs_codec_fail_after


def crc32(data: Buffer, value: int = _CRC_START, /) -> int:
    """CRC-32 of ``data``, continued from ``value``."""
    if type(data) is bytes:
        if value is _CRC_START:
            return _crc32(0, data, len(data))
        return _crc32(index(value) & _MASK, data, len(data))
    view = lend(data)
    try:
        return _crc32(index(value) & _MASK, view, len(view))
    finally:
        _release(view)


def adler32(data: Buffer, value: int = _ADLER_START, /) -> int:
    """Adler-32 of ``data``, continued from ``value``."""
    if type(data) is bytes:
        if value is _ADLER_START:
            return _adler32(1, data, len(data))
        return _adler32(index(value) & _MASK, data, len(data))
    view = lend(data)
    try:
        return _adler32(index(value) & _MASK, view, len(view))
    finally:
        _release(view)


def crc32_combine(first: int, second: int, second_nbytes: int, /) -> int:
    """CRC-32 of A + B from those of both and ``len(B)``."""
    return _crc32_combine(index(first) & _MASK, index(second) & _MASK, index(second_nbytes))


def adler32_combine(first: int, second: int, second_nbytes: int, /) -> int:
    """Adler-32 likewise."""
    return _adler32_combine(index(first) & _MASK, index(second) & _MASK, index(second_nbytes))


def compress(data: Buffer, /, level: int = -1, wbits: int = 15) -> bytes:
    """Compress in one go."""
    view = data if type(data) is bytes else lend(data)
    try:
        size = _sizes.pop()
    except IndexError:
        size = _new(_SIZE)
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


def _compress_failure(status: int, message: Any = ffi.NULL) -> Exception:
    if status == _E_MEMORY:
        return MemoryError("Out of memory while compressing data")
    if status == _E_STREAM:
        return error("Bad compression level")
    return explain(status, b"while compressing data", message)


def decompress(data: Buffer, /, wbits: int = 15, bufsize: int = _FIRST_NBYTES) -> bytes:
    """Decompress in one go; ``bufsize`` is the room to start with."""
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
            status, result = inflate_all(stream, view, _FINISH, room or 1, NO_LIMIT, None)
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
    return called(key)(total_in, total_out) is False


_progress: Final = c_function("on_progress", _on_progress, 1, stopped)


def compress_progress(
    data: Buffer, callback: Callable[[int, int], object], /, level: int = -1, wbits: int = 15
) -> bytes:
    """As `compress`, with ``callback(total_in, total_out)`` on the way, whose ``False`` stops it."""
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


def fail_after(allocations: SupportsIndex, /) -> None:
    """Let some of this thread's native allocations succeed, then none."""
    _fail_after(index(allocations))
