# SPDX-License-Identifier: Apache-2.0
"""Streaming compression: `compressobj` and its object, a ``cs_stream`` whose fields are set before each step."""

from _operator import index
from _thread import allocate_lock

from ._codec_stream import STEPS_TAKE_BYTES, Stream, blocks, c_int, explain, lend
from ._codec_stream import deflate as _deflate
from ._core import ffi, lib

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import Any, NoReturn

    from typing_extensions import Buffer

_new = ffi.new
_gc = ffi.gc
_unpack = ffi.unpack
_buffer = ffi.buffer
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_CHARS = ffi.typeof("char[]")
_STREAM = ffi.typeof("cs_stream *")
_E_BUFFER: int = lib.CS_E_BUFFER
_E_MEMORY: int = lib.CS_E_MEMORY
_E_STREAM: int = lib.CS_E_STREAM
_STREAM_END: int = lib.CS_STREAM_END
_NO_FLUSH: int = lib.CS_FLUSH_NONE
_FINISH: int = lib.CS_FLUSH_FINISH
_FIRST_NBYTES: int = lib.CS_OUT_FIRST_NBYTES

_deflate_init = lib.cs_deflate_init
_deflate_set_dictionary = lib.cs_deflate_set_dictionary
_deflate_copy = lib.cs_deflate_copy
_deflate_end = lib.cs_deflate_end

_DEFLATE_NBYTES = 268 * 1024
"""About what the engine allocates per stream. PyPy's collector is told, since it cannot see that memory."""

_NOTHING = b"" if STEPS_TAKE_BYTES else lend(b"")


def _deflate_all(stream: "Any", view: "Any", flush: int) -> tuple[int, bytes]:
    """Compress until a step leaves some output room unused. Returns the last status and the output."""
    try:
        out = blocks.pop()
    except IndexError:
        out = _allocate(_CHARS, _FIRST_NBYTES)
    end = len(view)
    status: int = _deflate(stream, view, 0, end, out, _FIRST_NBYTES, flush)
    left: int = stream.avail_out
    if left or status:
        result: bytes = _unpack(out, _FIRST_NBYTES - left)
    else:
        parts = [_buffer(out)]
        total = _FIRST_NBYTES
        while not (left or status):
            piece = _allocate(_CHARS, total)
            status = _deflate(stream, view, end - stream.avail_in, end, piece, total, flush)
            left = stream.avail_out
            parts.append(_buffer(piece, total - left))
            total += total
        result = b"".join(parts)
    blocks.append(out)
    return status, result


class Compress(Stream):
    """A stream that compresses, made by ``compressobj``; its class cannot be called."""

    __slots__ = ()

    def __init_subclass__(cls) -> "NoReturn":
        raise TypeError("type 'Compress' is not an acceptable base type")

    def compress(self, data: "Buffer", /) -> bytes:
        """Compress ``data`` and return the part of the output that is ready, which may be empty.

        Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
        not C-contiguous; `error` if the stream is finished or there is no memory.
        """
        view = data if STEPS_TAKE_BYTES and type(data) is bytes else lend(data)
        try:
            with self._lock:
                status, result = _deflate_all(self._stream, view, _NO_FLUSH)
                if status == _E_STREAM:
                    raise explain(status, b"while compressing data", self._stream.message)
        finally:
            if view is not data:
                _release(view)
        return result

    def flush(self, mode: int = _FINISH, /) -> bytes:
        """Return the output that is pending, and finish the stream unless ``mode`` says otherwise.

        ``mode`` is one of the constants ``Z_FINISH`` (the default), ``Z_SYNC_FLUSH``,
        ``Z_FULL_FLUSH``, ``Z_PARTIAL_FLUSH``, ``Z_BLOCK`` and ``Z_NO_FLUSH``, which returns
        nothing. After ``Z_FINISH`` the stream cannot be used any more.

        Raises `error` if the stream is finished, ``mode`` is none of these or there is no memory;
        `OverflowError` if ``mode`` does not fit an ``int`` of C; `TypeError` if it has no
        ``__index__``.
        """
        if mode is not _FINISH:
            mode = c_int(mode)
        if mode == _NO_FLUSH:
            return b""
        with self._lock:
            stream = self._stream
            status, result = _deflate_all(stream, _NOTHING, mode)
            if status == _STREAM_END and mode == _FINISH:
                _gc(stream, None)
                status = _deflate_end(stream)
                if status:
                    raise explain(status, b"while finishing compression")
            elif status and status != _E_BUFFER:
                raise explain(status, b"while flushing", stream.message)
        return result

    def copy(self) -> "Compress":
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream is finished; `MemoryError` if
        there is no memory.
        """
        stream = _new(_STREAM)
        with self._lock:
            status: int = _deflate_copy(stream, self._stream)
        if status == _E_STREAM:
            raise ValueError("Inconsistent stream state")
        if status == _E_MEMORY:
            raise MemoryError("Can't allocate memory for compression object")
        if status:
            raise explain(status, b"while copying compression object", self._stream.message)
        return _compress(stream)

    def __copy__(self) -> "Compress":
        """Return an independent copy of the stream, as ``copy`` does."""
        return self.copy()

    def __deepcopy__(self, memo: object, /) -> "Compress":
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""
        return self.copy()


def _compress(stream: "Any") -> Compress:
    """Make the Python object of an initialised ``cs_stream``."""
    self = object.__new__(Compress)
    self._stream = _gc(stream, _deflate_end, _DEFLATE_NBYTES)
    self._lock = allocate_lock()
    return self


def compressobj(
    level: int = -1,
    method: int = 8,
    wbits: int = 15,
    memLevel: int = 8,
    strategy: int = 0,
    zdict: "Buffer | None" = None,
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
    stream = _new(_STREAM)
    view = None
    try:
        try:
            numbers = index(level), index(method), index(wbits), index(memLevel), index(strategy)
            if zdict is not None:
                view = lend(zdict)
        except (TypeError, BufferError):
            for number in level, method, wbits, memLevel, strategy:
                c_int(number)
            raise
        status: int = _deflate_init(stream, *numbers)
        if status == _E_MEMORY:
            raise MemoryError("Can't allocate memory for compression object")
        if status == _E_STREAM:
            raise ValueError("Invalid initialization option")
        if status:
            raise explain(status, b"while creating compression object", stream.message)
        self = _compress(stream)
        if view is not None and _deflate_set_dictionary(stream, view, len(view)):
            raise ValueError("Invalid dictionary")
    finally:
        if view is not None:
            _release(view)
    return self
