# SPDX-License-Identifier: Apache-2.0
"""Streaming decompression: ``decompressobj``, the object that it returns, and ``_ZlibDecompressor``."""

from __future__ import annotations

from _thread import allocate_lock
from ctypes import POINTER, c_int32, c_size_t, c_void_p, string_at

from cside_ctypes._codec_stream import (
    FLUSH_FINISH,
    FLUSH_SYNC,
    OUT_FIRST_NBYTES,
    UNLIMITED,
    Stream,
    add_memory_pressure,
    failure,
    inflate,
    inflate_end,
    inflate_init,
    run_stream,
)
from cside_ctypes._idioms_errors import E_BUFFER, E_MEMORY, E_STREAM, NEED_DICT, STREAM_END
from cside_ctypes._native import addressed, held, int32, reading, release, ssize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any, NoReturn

    from typing_extensions import Buffer

__all__ = ["Decompress", "_ZlibDecompressor", "decompressobj"]

_ENGINE_NBYTES = 40_000  # about as much as zlib allocates to decompress
_OUT_FIRST_MAX_NBYTES = 16 << 20  # zlib's limit for the first output buffer of a call with a limit

_set_dictionary = held("cs_inflate_set_dictionary", c_int32, POINTER(Stream), c_void_p, c_size_t)
_copy = held("cs_inflate_copy", c_int32, POINTER(Stream), POINTER(Stream))


class _Inflating:
    """What both kinds of streams have in common."""

    __slots__ = ("_eof", "_lock", "_stream", "_unused_data", "_zdict")

    _eof: bool
    _lock: LockType
    _stream: Stream
    _unused_data: bytes
    _zdict: Any
    """The dictionary that the caller gave, or None."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__module__}.{type(self).__qualname__}' object")

    def __del__(self, end: Callable[[Stream], int] = inflate_end) -> None:
        # The default argument still exists when the interpreter shuts down and has cleared the module's globals.
        stream = getattr(self, "_stream", None)
        if stream is not None and stream.engine:
            end(stream)

    def _set_up(self, zdict: Any) -> None:
        """Set all fields. There is no engine yet."""
        self._lock = allocate_lock()
        self._stream = Stream()
        self._unused_data = b""
        self._eof = False
        self._zdict = zdict
        if add_memory_pressure is not None:
            add_memory_pressure(_ENGINE_NBYTES)

    def _begin(self, wbits: int) -> None:
        """Make the engine."""
        status = inflate_init(self._stream, wbits)
        if status < 0:
            if status == E_STREAM:
                raise ValueError("Invalid initialization option")
            if status == E_MEMORY:
                raise MemoryError("Can't allocate memory for decompression object")
            raise failure(status, b"while creating decompression object", self._stream.message)
        if self._zdict is not None and wbits < 0:
            self._set_dictionary()  # a raw stream never asks for its dictionary

    def _inflate_with_dictionary(self, stream: Stream, flush: int) -> int:
        status = inflate(stream, flush)
        if status == NEED_DICT:
            self._set_dictionary()
            status = inflate(stream, flush)
        return status

    def _set_dictionary(self) -> None:
        pointer, nbytes, hold = reading(self._zdict)
        try:
            status = _set_dictionary(self._stream, pointer, nbytes)
        finally:
            release(hold)
        if status < 0:
            raise failure(status, b"while setting zdict", self._stream.message)


def _end_of(data: Buffer, address: int | None, nbytes: int, left: int) -> bytes:
    """The last `left` bytes, one or more, of a buffer of `nbytes`, which has an address if it is not bytes itself."""
    return data[nbytes - left :] if type(data) is bytes else string_at((address or 0) + nbytes - left, left)


class Decompress(_Inflating):
    """A stream that decompresses, made by ``decompressobj``; its class cannot be called."""

    __slots__ = ("_unconsumed_tail",)
    __module__ = "cside_ctypes.codec"

    _unconsumed_tail: bytes

    def __new__(cls) -> Decompress:
        raise TypeError(f"cannot create '{cls.__module__}.{cls.__qualname__}' instances")

    @property
    def unused_data(self) -> bytes:
        """The input that followed the end of the compressed stream; empty before the end."""
        return self._unused_data

    @property
    def unconsumed_tail(self) -> bytes:
        """The input that the last call of ``decompress`` left because of ``max_length``."""
        return self._unconsumed_tail

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed stream was reached."""
        return self._eof

    def decompress(self, data: Buffer, /, max_length: int = 0) -> bytes:
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless that is 0.

        Input that did not fit is kept in ``unconsumed_tail``, to be passed to the next call.

        Raises `error` if the data is corrupt, a dictionary is missing or wrong, or there is no
        memory; `ValueError` 'max_length must be non-negative' if it is negative; `OverflowError` if
        it does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or ``data`` does not
        support the buffer protocol; `BufferError` if ``data`` is not C-contiguous.
        """
        address, nbytes, hold = addressed(data)
        try:
            if max_length != 0 or type(max_length) is not int:
                max_length = ssize(max_length)
                if max_length < 0:
                    raise ValueError("max_length must be non-negative")
            with self._lock:
                return self._inflate(data, address, nbytes, FLUSH_SYNC, OUT_FIRST_NBYTES, max_length or UNLIMITED)
        finally:
            release(hold)

    def flush(self, length: int = OUT_FIRST_NBYTES, /) -> bytes:
        """Decompress what is left in ``unconsumed_tail`` and return the output.

        ``length`` is the size of the first output buffer, in bytes. A stream whose end is missing
        is no error.

        Raises `ValueError` 'length must be greater than zero' if it is not; `error` if the data is
        corrupt or there is no memory; `OverflowError` if ``length`` does not fit ``Py_ssize_t``;
        `TypeError` if it has no ``__index__``.
        """
        length = ssize(length)
        if length <= 0:
            raise ValueError("length must be greater than zero")
        with self._lock:
            data = self._unconsumed_tail
            address, nbytes, hold = addressed(data)
            try:
                return self._inflate(data, address, nbytes, FLUSH_FINISH, length, UNLIMITED)
            finally:
                release(hold)

    def copy(self) -> Decompress:
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream was flushed after its end;
        `MemoryError` if there is no memory.
        """
        twin = _new(self._zdict)
        with self._lock:
            status = _copy(twin._stream, self._stream)
            twin._unused_data = self._unused_data
            twin._unconsumed_tail = self._unconsumed_tail
            twin._eof = self._eof
        if status < 0:
            if status == E_STREAM:
                raise ValueError("Inconsistent stream state")
            if status == E_MEMORY:
                raise MemoryError("Can't allocate memory for decompression object")
            raise failure(status, b"while copying decompression object")
        return twin

    def __copy__(self) -> Decompress:
        """Return an independent copy of the stream, as ``copy`` does."""
        return self.copy()

    def __deepcopy__(self, memo: object, /) -> Decompress:
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""
        return self.copy()

    def _inflate(self, data: Buffer, address: int | None, nbytes: int, flush: int, first: int, limit: int) -> bytes:
        """Run the stream on `data`. The caller holds the buffer, which is at `address`, and has taken the lock."""
        stream = self._stream
        stream.next_in = address
        stream.avail_in = nbytes
        step = inflate if self._zdict is None else self._inflate_with_dictionary
        status, out = run_stream(stream, step, flush, first, limit)
        left = stream.avail_in
        if left:
            rest = _end_of(data, address, nbytes, left)
            if status == STREAM_END:
                self._unused_data += rest
                rest = b""
            self._unconsumed_tail = rest
        elif self._unconsumed_tail:
            self._unconsumed_tail = b""
        if status == STREAM_END:
            self._eof = True
            if flush == FLUSH_FINISH:
                status = inflate_end(stream)
                if status < 0:
                    raise failure(status, b"while finishing decompression", stream.message)
        elif status == E_STREAM and flush == FLUSH_FINISH:
            pass  # flushing a finished stream is no error; corrupt input is one, as in CPython's zlib from 3.14 on
        elif status == NEED_DICT or (status < 0 and status != E_BUFFER):
            raise failure(status, b"while decompressing data", stream.message)
        return out


class _NoDictionary(bytes):
    """The type of the default of ``zdict``: not an empty dictionary, but printed as one, like zlib's default."""


_NO_DICTIONARY = _NoDictionary()


def _new(zdict: Any) -> Decompress:
    self = object.__new__(Decompress)
    self._set_up(zdict)
    self._unconsumed_tail = b""
    return self


def decompressobj(wbits: int = 15, zdict: Buffer = _NO_DICTIONARY) -> Decompress:
    """Return a stream that decompresses data in parts.

    ``wbits`` is as for ``decompress``. ``zdict`` is the dictionary that the data was compressed
    with.

    Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
    C-contiguous, for a raw stream now and else when it is used; `MemoryError` if there is no
    memory for the stream; `error` if there is none for the dictionary of a raw stream.
    """
    wbits = int32(wbits)
    dictionary: Any = None
    if zdict is not _NO_DICTIONARY:
        try:
            memoryview(zdict)
        except BufferError:
            pass  # the type has buffers; the dictionary is read when the stream asks for it
        except TypeError:
            raise TypeError("zdict argument must support the buffer protocol") from None
        dictionary = zdict
    self = _new(dictionary)
    self._begin(wbits)
    return self


class _ZlibDecompressor(_Inflating):
    """Return a stream that decompresses data in parts and keeps the input that it has not used.

    ``_ZlibDecompressor`` is a class. CPython 3.12 and later have it for ``gzip`` and
    ``zipfile``. ``wbits`` and ``zdict`` are as for ``decompressobj``.

    Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
    C-contiguous; `MemoryError` if there is no memory for the stream; `error` if there is none
    for the dictionary of a raw stream.
    """

    __slots__ = ("_needs_input", "_rest", "_start")
    __module__ = "cside_ctypes.codec"

    _needs_input: bool
    _rest: bytes
    """Bytes that end with the input that is not used yet, or nothing."""
    _start: int
    """The position in ``_rest`` at which that input starts. So reading it in small parts never copies it."""

    def __new__(cls, wbits: int = 15, zdict: Buffer = _NO_DICTIONARY) -> _ZlibDecompressor:
        wbits = int32(wbits)
        words: bytes | None = None
        if zdict is not _NO_DICTIONARY:
            try:
                view = memoryview(zdict)
            except TypeError:
                raise TypeError("zdict argument must support the buffer protocol") from None
            with view:
                if not view.c_contiguous:
                    raise BufferError("zdict is not C-contiguous")
                words = bytes(view)
        self = object.__new__(cls)
        self._set_up(words)
        self._needs_input = True
        self._rest = b""
        self._start = 0
        self._begin(wbits)
        return self

    @property
    def unused_data(self) -> bytes:
        """The input that followed the end of the compressed stream; empty before the end."""
        return self._unused_data

    @property
    def needs_input(self) -> bool:
        """Whether all input was used, so that ``decompress`` should get more; false after the end."""
        return self._needs_input

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed stream was reached."""
        return self._eof

    def decompress(self, data: Buffer, max_length: int = -1) -> bytes:
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless it is negative.

        Input that was not used is kept, and the next call goes on with it; that call may give no
        more data than ``b""``, and ``needs_input`` says when it has to.

        Raises `EOFError` 'End of stream already reached' after the end; `error` if the data is
        corrupt, a dictionary is missing or wrong, or there is no memory; `OverflowError` if
        ``max_length`` does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or
        ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
        C-contiguous.
        """
        address, nbytes, hold = addressed(data)
        try:
            if type(max_length) is not int or max_length > UNLIMITED or max_length < 0:
                max_length = ssize(max_length)
                if max_length < 0:
                    max_length = UNLIMITED
            with self._lock:
                if self._eof:
                    raise EOFError("End of stream already reached")
                if not self._rest:
                    return self._inflate(data, address, nbytes, 0, max_length)
                if nbytes:
                    more: bytes = data if type(data) is bytes else string_at(address, nbytes)
                    self._rest = self._rest[self._start :] + more
                    self._start = 0
                return self._go_on(max_length)
        finally:
            release(hold)

    def _go_on(self, limit: int) -> bytes:
        rest = self._rest
        address, nbytes, hold = addressed(rest)
        try:
            return self._inflate(rest, address, nbytes, self._start, limit)
        finally:
            release(hold)

    def _inflate(self, data: Buffer, address: int | None, nbytes: int, start: int, limit: int) -> bytes:
        """Run the stream on `data` from `start` on. The caller holds the buffer and has taken the lock."""
        stream = self._stream
        stream.next_in = (address or 0) + start
        stream.avail_in = nbytes - start
        self._rest = b""  # an error drops the input
        if limit == UNLIMITED:
            first = OUT_FIRST_NBYTES
        else:
            first = limit if limit < _OUT_FIRST_MAX_NBYTES else _OUT_FIRST_MAX_NBYTES
        step = inflate if self._zdict is None else self._inflate_with_dictionary
        status, out = run_stream(stream, step, FLUSH_SYNC, first, limit)
        if status == NEED_DICT or (status < 0 and status != E_BUFFER):
            raise failure(status, b"while decompressing data", stream.message)
        left = stream.avail_in
        if status == STREAM_END:
            self._eof = True
            self._needs_input = False
            if left:
                self._unused_data = _end_of(data, address, nbytes, left)
            status = inflate_end(stream)
            if status < 0:
                raise failure(status, b"while finishing decompression", stream.message)
        elif left:
            self._needs_input = False
            if type(data) is bytes:
                self._rest = data
                self._start = nbytes - left
            else:
                self._rest = _end_of(data, address, nbytes, left)
                self._start = 0
        else:
            self._needs_input = True
        return out
