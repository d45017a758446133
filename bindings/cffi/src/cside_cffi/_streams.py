# SPDX-License-Identifier: Apache-2.0
"""Streams of ``codec``: a ``cs_stream`` in Python's memory whose fields are set before each call and read after it."""

from __future__ import annotations

from _thread import allocate_lock
from operator import index

from ._core import ffi, lib
from ._engine import NO_LIMIT, c_int, c_ssize, deflate_all, explain, inflate_all, lend
from ._mode import STEPS_TAKE_BYTES

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from _thread import LockType
    from typing import Any, Final, NoReturn, Self

    from typing_extensions import Buffer

_new = ffi.new
_gc = ffi.gc
_unpack = ffi.unpack
_release = ffi.release
_STREAM: Final = ffi.typeof("cs_stream *")
_E_BUFFER: Final[int] = lib.CS_E_BUFFER
_E_MEMORY: Final[int] = lib.CS_E_MEMORY
_E_STREAM: Final[int] = lib.CS_E_STREAM
_STREAM_END: Final[int] = lib.CS_STREAM_END
_NO_FLUSH: Final[int] = lib.CS_FLUSH_NONE
_SYNC: Final[int] = lib.CS_FLUSH_SYNC
_FINISH: Final[int] = lib.CS_FLUSH_FINISH
_FIRST_NBYTES: Final[int] = lib.CS_OUT_FIRST_NBYTES

_deflate_init = lib.cs_deflate_init
_deflate_set_dictionary = lib.cs_deflate_set_dictionary
_deflate_copy = lib.cs_deflate_copy
_deflate_end = lib.cs_deflate_end
_inflate_init = lib.cs_inflate_init
_inflate_set_dictionary = lib.cs_inflate_set_dictionary
_inflate_copy = lib.cs_inflate_copy
_inflate_end = lib.cs_inflate_end

# What the engine keeps per stream, about; PyPy's collector hears of it, since it cannot see it.
_DEFLATE_NBYTES: Final = 268 * 1024
_INFLATE_NBYTES: Final = 40 * 1024

_ALL: Final = 0
"""Stands for no limit of the output."""

_NO_DICT: Final = bytearray()
"""Stands for "none given", which an empty dictionary is not."""


class _Stream:
    """What both kinds of stream are: made by functions alone, and tied to their process."""

    __slots__ = ("_lock", "_stream")
    _lock: LockType
    _stream: Any

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        raise TypeError(f"cannot create '{cls.__module__}.{cls.__qualname__}' instances")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__qualname__}' object")


class Compress(_Stream):
    """What `compressobj` returns."""

    __slots__ = ()

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("type 'Compress' is not an acceptable base type")

    def compress(self, data: Buffer, /) -> bytes:
        """Take ``data``; what output there is by now."""
        view = data if STEPS_TAKE_BYTES and type(data) is bytes else lend(data)
        try:
            with self._lock:
                status, result = deflate_all(self._stream, view, _NO_FLUSH)
                if status == _E_STREAM:
                    raise explain(status, b"while compressing data", self._stream.message)
        finally:
            if view is not data:
                _release(view)
        return result

    def flush(self, mode: int = _FINISH, /) -> bytes:
        """What output there is; by default the stream ends."""
        if mode is not _FINISH:
            mode = c_int(mode)
        if mode == _NO_FLUSH:
            return b""
        with self._lock:
            stream = self._stream
            status, result = deflate_all(stream, _NOTHING, mode)
            if status == _STREAM_END and mode == _FINISH:
                _gc(stream, None)
                status = _deflate_end(stream)
                if status:
                    raise explain(status, b"while finishing compression")
            elif status and status != _E_BUFFER:
                raise explain(status, b"while flushing", stream.message)
        return result

    def copy(self) -> Compress:
        """An independent copy."""
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

    def __copy__(self) -> Compress:
        return self.copy()

    def __deepcopy__(self, memo: object, /) -> Compress:
        return self.copy()


class Decompress(_Stream):
    """What `decompressobj` returns."""

    __slots__ = ("_dictionary", "_eof", "_unconsumed_tail", "_unused_data")
    _dictionary: Buffer
    _eof: bool
    _unconsumed_tail: bytes
    _unused_data: bytes

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("type 'Decompress' is not an acceptable base type")

    @property
    def unused_data(self) -> bytes:
        """What came after the end of the stream."""
        return self._unused_data

    @property
    def unconsumed_tail(self) -> bytes:
        """What ``max_length`` left of the input."""
        return self._unconsumed_tail

    @property
    def eof(self) -> bool:
        """Whether the stream is complete."""
        return self._eof

    def _set_dictionary(self) -> None:
        view = lend(self._dictionary)
        try:
            status: int = _inflate_set_dictionary(self._stream, view, len(view))
        finally:
            _release(view)
        if status:
            raise explain(status, b"while setting zdict", self._stream.message)

    def _run(self, data: Buffer, view: Any, flush: int, room: int, limit: int) -> tuple[int, bytes]:
        """Decompress, and keep what was not used of ``data``; with the lock taken."""
        stream = self._stream
        need = None if self._dictionary is _NO_DICT else self._set_dictionary
        status, result = inflate_all(stream, view, flush, room, limit, need)
        left: int = stream.avail_in
        if left:
            begin = len(view) - left
            tail: bytes = data[begin:] if type(data) is bytes else _unpack(view + begin, left)
            if status == _STREAM_END:
                self._unused_data += tail
                self._unconsumed_tail = b""
            else:
                self._unconsumed_tail = tail
        elif self._unconsumed_tail:
            self._unconsumed_tail = b""
        return status, result

    def decompress(self, data: Buffer, /, max_length: int = _ALL) -> bytes:
        """Take ``data``; at most ``max_length`` bytes of output, or all."""
        view = data if STEPS_TAKE_BYTES and type(data) is bytes else lend(data)
        try:
            limit = NO_LIMIT if max_length is _ALL else c_ssize(max_length) or NO_LIMIT
            if limit < 0:
                raise ValueError("max_length must be non-negative")
            room = _FIRST_NBYTES if limit > _FIRST_NBYTES else limit
            with self._lock:
                status, result = self._run(data, view, _SYNC, room, limit)
                if status == _STREAM_END:
                    self._eof = True
                elif status and status != _E_BUFFER:
                    raise explain(status, b"while decompressing data", self._stream.message)
        finally:
            if view is not data:
                _release(view)
        return result

    def flush(self, length: int = _FIRST_NBYTES, /) -> bytes:
        """All that is left; ``length`` is the room to start with."""
        room = length if length is _FIRST_NBYTES else c_ssize(length)
        if room <= 0:
            raise ValueError("length must be greater than zero")
        with self._lock:
            data = self._unconsumed_tail
            view = data if STEPS_TAKE_BYTES else lend(data)
            status, result = self._run(data, view, _FINISH, room, NO_LIMIT)
            if status == _STREAM_END:
                self._eof = True
                _gc(self._stream, None)
                status = _inflate_end(self._stream)
                if status:
                    raise explain(status, b"while finishing decompression")
            elif status and status != _E_BUFFER and not self._eof:
                raise explain(status, b"while decompressing data", self._stream.message)
        return result

    def copy(self) -> Decompress:
        """An independent copy."""
        stream = _new(_STREAM)
        with self._lock:
            status: int = _inflate_copy(stream, self._stream)
            if status == _E_STREAM:
                raise ValueError("Inconsistent stream state")
            if status == _E_MEMORY:
                raise MemoryError("Can't allocate memory for decompression object")
            if status:
                raise explain(status, b"while copying decompression object", self._stream.message)
            other = _decompress(stream, self._dictionary)
            other._eof = self._eof
            other._unconsumed_tail = self._unconsumed_tail
            other._unused_data = self._unused_data
        return other

    def __copy__(self) -> Decompress:
        return self.copy()

    def __deepcopy__(self, memo: object, /) -> Decompress:
        return self.copy()


_NOTHING: Final = b"" if STEPS_TAKE_BYTES else lend(b"")


def _compress(stream: Any) -> Compress:
    """A stream object around an initialised ``cs_stream``."""
    self = object.__new__(Compress)
    self._stream = _gc(stream, _deflate_end, _DEFLATE_NBYTES)
    self._lock = allocate_lock()
    return self


def _decompress(stream: Any, dictionary: Buffer) -> Decompress:
    """Likewise."""
    self = object.__new__(Decompress)
    self._stream = _gc(stream, _inflate_end, _INFLATE_NBYTES)
    self._lock = allocate_lock()
    self._dictionary = dictionary
    self._eof = False
    self._unconsumed_tail = self._unused_data = b""
    return self


def compressobj(
    level: int = -1,
    method: int = 8,
    wbits: int = 15,
    memLevel: int = 8,
    strategy: int = 0,
    zdict: Buffer | None = None,
) -> Compress:
    """A stream that compresses."""
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


def decompressobj(wbits: int = 15, zdict: Buffer = _NO_DICT) -> Decompress:
    """A stream that decompresses."""
    try:
        number = index(wbits)
        if zdict is not _NO_DICT:
            memoryview(zdict).release()
    except TypeError:
        c_int(wbits)
        raise TypeError("zdict argument must support the buffer protocol") from None
    stream = _new(_STREAM)
    status: int = _inflate_init(stream, number)
    if status == _E_STREAM:
        raise ValueError("Invalid initialization option")
    if status == _E_MEMORY:
        raise MemoryError("Can't allocate memory for decompression object")
    if status:
        raise explain(status, b"while creating decompression object", stream.message)
    self = _decompress(stream, zdict)
    if number < 0 and zdict is not _NO_DICT:
        self._set_dictionary()
    return self
