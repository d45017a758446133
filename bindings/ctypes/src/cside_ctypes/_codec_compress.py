# SPDX-License-Identifier: Apache-2.0
"""Streaming compression: ``compressobj`` and the object that it returns."""

from __future__ import annotations

from _thread import allocate_lock
from ctypes import POINTER, c_int32, c_size_t, c_void_p

from cside_ctypes._codec_stream import (
    FLUSH_FINISH,
    FLUSH_NONE,
    OUT_FIRST_NBYTES,
    UNLIMITED,
    Stream,
    add_memory_pressure,
    deflate,
    deflate_end,
    deflate_init,
    failure,
    run_stream,
)
from cside_ctypes._idioms_errors import E_BUFFER, E_MEMORY, E_STREAM, STREAM_END
from cside_ctypes._native import addressed, held, int32, reading, release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import NoReturn

    from typing_extensions import Buffer

__all__ = ["Compress", "compressobj"]

_ENGINE_NBYTES = 268_000  # about as much as zlib allocates to compress

_set_dictionary = held("cs_deflate_set_dictionary", c_int32, POINTER(Stream), c_void_p, c_size_t)
_copy = held("cs_deflate_copy", c_int32, POINTER(Stream), POINTER(Stream))


class Compress:
    """A stream that compresses, made by ``compressobj``; its class cannot be called."""

    __slots__ = ("_lock", "_stream")
    __module__ = "cside_ctypes.codec"

    _lock: LockType
    _stream: Stream

    def __new__(cls) -> Compress:
        raise TypeError(f"cannot create '{cls.__module__}.{cls.__qualname__}' instances")

    def compress(self, data: Buffer, /) -> bytes:
        """Compress ``data`` and return the part of the output that is ready, which may be empty.

        Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
        not C-contiguous; `error` if the stream is finished or there is no memory.
        """
        stream = self._stream
        address, nbytes, hold = addressed(data)
        try:
            with self._lock:
                stream.next_in = address
                stream.avail_in = nbytes
                status, out = run_stream(stream, deflate, FLUSH_NONE, OUT_FIRST_NBYTES, UNLIMITED)
                if status < 0 and status != E_BUFFER:
                    raise failure(status, b"while compressing data", stream.message)
                return out
        finally:
            release(hold)

    def flush(self, mode: int = FLUSH_FINISH, /) -> bytes:
        """Return the output that is pending, and finish the stream unless ``mode`` says otherwise.

        ``mode`` is one of the constants ``Z_FINISH`` (the default), ``Z_SYNC_FLUSH``,
        ``Z_FULL_FLUSH``, ``Z_PARTIAL_FLUSH``, ``Z_BLOCK`` and ``Z_NO_FLUSH``, which returns
        nothing. After ``Z_FINISH`` the stream cannot be used any more.

        Raises `error` if the stream is finished, ``mode`` is none of these or there is no memory;
        `OverflowError` if ``mode`` does not fit an ``int`` of C; `TypeError` if it has no
        ``__index__``.
        """
        mode = int32(mode)
        if mode == FLUSH_NONE:
            return b""
        stream = self._stream
        with self._lock:
            stream.avail_in = 0
            status, out = run_stream(stream, deflate, mode, OUT_FIRST_NBYTES, UNLIMITED)
            if status < 0 and status != E_BUFFER:
                raise failure(status, b"while flushing", stream.message)
            if status == STREAM_END and mode == FLUSH_FINISH:
                status = deflate_end(stream)
                if status < 0:
                    raise failure(status, b"while finishing compression", stream.message)
            return out

    def copy(self) -> Compress:
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream is finished; `MemoryError` if
        there is no memory.
        """
        twin = _new()
        with self._lock:
            status = _copy(twin._stream, self._stream)
        if status < 0:
            if status == E_STREAM:
                raise ValueError("Inconsistent stream state")
            if status == E_MEMORY:
                raise MemoryError("Can't allocate memory for compression object")
            raise failure(status, b"while copying compression object")
        return twin

    def __copy__(self) -> Compress:
        """Return an independent copy of the stream, as ``copy`` does."""
        return self.copy()

    def __deepcopy__(self, memo: object, /) -> Compress:
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__module__}.{type(self).__qualname__}' object")

    def __del__(self, end: Callable[[Stream], int] = deflate_end) -> None:
        # The default argument still exists when the interpreter shuts down and has cleared the module's globals.
        stream = getattr(self, "_stream", None)
        if stream is not None and stream.engine:
            end(stream)


def _new() -> Compress:
    self = object.__new__(Compress)
    self._lock = allocate_lock()
    self._stream = Stream()
    if add_memory_pressure is not None:
        add_memory_pressure(_ENGINE_NBYTES)
    return self


def compressobj(
    level: int = -1,
    method: int = 8,
    wbits: int = 15,
    memLevel: int = 8,
    strategy: int = 0,
    zdict: Buffer | None = None,
) -> Compress:
    """Return a stream that compresses data in parts.

    ``level`` and ``wbits`` are as for ``compress``, ``method`` is ``DEFLATED``, ``memLevel`` is
    1 (least memory) to 9, ``strategy`` is one of the constants. ``zdict`` is a dictionary of
    bytes that are expected in the data, or None.

    Raises `ValueError` 'Invalid initialization option' if an argument is not valid;
    `ValueError` 'Invalid dictionary' if the format has no dictionaries; `OverflowError` if an
    integer does not fit an ``int`` of C; `TypeError` if it has no ``__index__`` or ``zdict``
    does not support the buffer protocol; `BufferError` if ``zdict`` is not C-contiguous;
    `MemoryError` if there is no memory.
    """
    options = int32(level), int32(method), int32(wbits), int32(memLevel), int32(strategy)
    dictionary = None if zdict is None else reading(zdict)
    try:
        self = _new()
        status = deflate_init(self._stream, *options)
        if status < 0:
            if status == E_STREAM:
                raise ValueError("Invalid initialization option")
            if status == E_MEMORY:
                raise MemoryError("Can't allocate memory for compression object")
            raise failure(status, b"while creating compression object", self._stream.message)
        if dictionary is not None:
            status = _set_dictionary(self._stream, dictionary[0], dictionary[1])
            if status < 0:
                raise ValueError("Invalid dictionary" if status == E_STREAM else "deflateSetDictionary()")
        return self
    finally:
        if dictionary is not None:
            release(dictionary[2])
