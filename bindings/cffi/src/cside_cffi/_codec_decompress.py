# SPDX-License-Identifier: Apache-2.0
"""Streaming decompression: `decompressobj` and its object, and `_ZlibDecompressor`, which keeps its input.

Each object has a ``cs_stream`` whose fields are set before each step.
"""

from _operator import index
from _thread import allocate_lock

from ._codec_stream import NO_LIMIT, STEPS_TAKE_BYTES, Stream, c_int, c_ssize, explain, inflate_all, lend
from ._core import ffi, lib

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

    from typing_extensions import Buffer

_new = ffi.new
_gc = ffi.gc
_unpack = ffi.unpack
_release = ffi.release
_STREAM = ffi.typeof("cs_stream *")
_E_BUFFER: int = lib.CS_E_BUFFER
_E_MEMORY: int = lib.CS_E_MEMORY
_E_STREAM: int = lib.CS_E_STREAM
_STREAM_END: int = lib.CS_STREAM_END
_SYNC: int = lib.CS_FLUSH_SYNC
_FINISH: int = lib.CS_FLUSH_FINISH
_FIRST_NBYTES: int = lib.CS_OUT_FIRST_NBYTES

_inflate_init = lib.cs_inflate_init
_inflate_set_dictionary = lib.cs_inflate_set_dictionary
_inflate_copy = lib.cs_inflate_copy
_inflate_end = lib.cs_inflate_end

_INFLATE_NBYTES = 40 * 1024
"""About what the engine allocates per stream. PyPy's collector is told, since it cannot see that memory."""

_ALL = 0
"""The default of ``max_length``: no limit of the output."""

_UNLIMITED = -1
"""The default of ``max_length`` of `_ZlibDecompressor`."""

_NO_DICT = bytearray()
"""The default of ``zdict``. An empty dictionary given by the caller is another object."""


def _started(window_bits: int) -> "Any":
    """Return a new ``cs_stream`` that is ready to decompress."""
    stream = _new(_STREAM)
    status: int = _inflate_init(stream, window_bits)
    if status == _E_STREAM:
        raise ValueError("Invalid initialization option")
    if status == _E_MEMORY:
        raise MemoryError("Can't allocate memory for decompression object")
    if status:
        raise explain(status, b"while creating decompression object", stream.message)
    return stream


def _set_dictionary(stream: "Any", dictionary: "Buffer") -> None:
    view = lend(dictionary)
    try:
        status: int = _inflate_set_dictionary(stream, view, len(view))
    finally:
        _release(view)
    if status:
        raise explain(status, b"while setting zdict", stream.message)


class Decompress(Stream):
    """A stream that decompresses, made by ``decompressobj``; its class cannot be called."""

    __slots__ = ("_dictionary", "_eof", "_unconsumed_tail", "_unused_data")
    _dictionary: "Buffer"
    _eof: bool
    _unconsumed_tail: bytes
    _unused_data: bytes

    def __init_subclass__(cls) -> "NoReturn":
        raise TypeError("type 'Decompress' is not an acceptable base type")

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

    def _set_dictionary(self) -> None:
        _set_dictionary(self._stream, self._dictionary)

    def _run(self, data: "Buffer", view: "Any", flush: int, room: int, limit: int) -> tuple[int, bytes]:
        """Decompress, and keep the input that was not used. The caller holds the lock."""
        stream = self._stream
        need = None if self._dictionary is _NO_DICT else self._set_dictionary
        status, result = inflate_all(stream, view, 0, flush, room, limit, need)
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

    def decompress(self, data: "Buffer", /, max_length: int = _ALL) -> bytes:
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless that is 0.

        Input that did not fit is kept in ``unconsumed_tail``, to be passed to the next call.

        Raises `error` if the data is corrupt, a dictionary is missing or wrong, or there is no
        memory; `ValueError` 'max_length must be non-negative' if it is negative; `OverflowError` if
        it does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or ``data`` does not
        support the buffer protocol; `BufferError` if ``data`` is not C-contiguous.
        """
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
        """Decompress what is left in ``unconsumed_tail`` and return the output.

        ``length`` is the size of the first output buffer, in bytes. A stream whose end is missing
        is no error.

        Raises `ValueError` 'length must be greater than zero' if it is not; `error` if the data is
        corrupt or there is no memory; `OverflowError` if ``length`` does not fit ``Py_ssize_t``;
        `TypeError` if it has no ``__index__``.
        """
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

    def copy(self) -> "Decompress":
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream was flushed after its end;
        `MemoryError` if there is no memory.
        """
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

    def __copy__(self) -> "Decompress":
        """Return an independent copy of the stream, as ``copy`` does."""
        return self.copy()

    def __deepcopy__(self, memo: object, /) -> "Decompress":
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""
        return self.copy()


def _decompress(stream: "Any", dictionary: "Buffer") -> Decompress:
    """Make the Python object of an initialised ``cs_stream``."""
    self = object.__new__(Decompress)
    self._stream = _gc(stream, _inflate_end, _INFLATE_NBYTES)
    self._lock = allocate_lock()
    self._dictionary = dictionary
    self._eof = False
    self._unconsumed_tail = self._unused_data = b""
    return self


def decompressobj(wbits: int = 15, zdict: "Buffer" = _NO_DICT) -> Decompress:
    """Return a stream that decompresses data in parts.

    ``wbits`` is as for ``decompress``. ``zdict`` is the dictionary that the data was compressed
    with.

    Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
    C-contiguous, for a raw stream now and else when it is used; `MemoryError` if there is no
    memory for the stream; `error` if there is none for the dictionary of a raw stream.
    """
    try:
        number = index(wbits)
        if zdict is not _NO_DICT:
            memoryview(zdict).release()
    except TypeError:
        c_int(wbits)
        raise TypeError("zdict argument must support the buffer protocol") from None
    stream = _started(number)
    self = _decompress(stream, zdict)
    if number < 0 and zdict is not _NO_DICT:
        self._set_dictionary()
    return self


def _as_bytes(source: "Any", begin: int = 0) -> bytes:
    """Return ``source[begin:]``, where ``source`` is ``bytes`` or what `lend` returned."""
    if type(source) is bytes:
        return source[begin:]
    copied: bytes = _unpack(source + begin, len(source) - begin)
    return copied


class _ZlibDecompressor(Stream):
    """Return a stream that decompresses data in parts and keeps the input that it has not used.

    ``_ZlibDecompressor`` is a class. CPython 3.12 and later have it for ``gzip`` and
    ``zipfile``. ``wbits`` and ``zdict`` are as for ``decompressobj``.

    Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
    C-contiguous; `MemoryError` if there is no memory for the stream; `error` if there is none
    for the dictionary of a raw stream.
    """

    __slots__ = ("_begin", "_dictionary", "_eof", "_kept", "_needs_input", "_unused_data")
    _dictionary: bytes | None
    _kept: bytes
    _begin: int
    _eof: bool
    _needs_input: bool
    _unused_data: bytes

    def __new__(cls, wbits: int = 15, zdict: "Buffer" = _NO_DICT) -> "Self":
        try:
            number = index(wbits)
            view = zdict if type(zdict) is bytes else lend(zdict)
        except TypeError:
            c_int(wbits)
            raise TypeError("zdict argument must support the buffer protocol") from None
        dictionary = None if zdict is _NO_DICT else _as_bytes(view)
        if view is not zdict:
            _release(view)
        stream = _started(number)
        self = object.__new__(cls)
        self._stream = _gc(stream, _inflate_end, _INFLATE_NBYTES)
        self._lock = allocate_lock()
        self._dictionary = dictionary
        self._kept = self._unused_data = b""
        self._begin = 0
        self._eof = False
        self._needs_input = True
        if number < 0 and dictionary is not None:
            _set_dictionary(stream, dictionary)
        return self

    def __init_subclass__(cls) -> "NoReturn":
        raise TypeError("type '_ZlibDecompressor' is not an acceptable base type")

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

    def _set_dictionary(self) -> None:
        if self._dictionary is not None:
            _set_dictionary(self._stream, self._dictionary)

    def decompress(self, data: "Buffer", max_length: int = _UNLIMITED) -> bytes:
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless it is negative.

        Input that was not used is kept, and the next call goes on with it; that call may give no
        more data than ``b""``, and ``needs_input`` says when it has to.

        Raises `EOFError` 'End of stream already reached' after the end; `error` if the data is
        corrupt, a dictionary is missing or wrong, or there is no memory; `OverflowError` if
        ``max_length`` does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or
        ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
        C-contiguous.
        """
        view = data if type(data) is bytes else lend(data)
        try:
            limit = NO_LIMIT if max_length is _UNLIMITED else c_ssize(max_length)
            if limit < 0:
                limit = NO_LIMIT
            with self._lock:
                if self._eof:
                    raise EOFError("End of stream already reached")
                kept = self._kept
                if not kept:
                    return self._run(view, 0, limit)
                if len(view):
                    return self._run(kept[self._begin :] + _as_bytes(view), 0, limit)
                return self._run(kept, self._begin, limit)
        finally:
            if view is not data:
                _release(view)

    def _run(self, source: "Any", begin: int, limit: int) -> bytes:
        """Decompress ``source[begin:]``, and keep the input that was not used. The caller holds the lock.

        ``source`` is ``bytes`` or a pointer to memory of the caller. ``bytes`` are kept as they are, with the position
        of the first byte that was not used, so that no call copies them.
        """
        self._kept = b""
        stream = self._stream
        view = source if STEPS_TAKE_BYTES or type(source) is not bytes else lend(source)
        need = self._set_dictionary if self._dictionary is not None else None
        room = _FIRST_NBYTES if limit > _FIRST_NBYTES else limit
        status, result = inflate_all(stream, view, begin, _SYNC, room, limit, need)
        left: int = stream.avail_in
        if status == _STREAM_END:
            self._eof = True
            self._needs_input = False
            if left:
                self._unused_data = _as_bytes(view, len(view) - left)
            _release(stream)  # frees the engine: no call uses it after the end
        elif status and status != _E_BUFFER:
            raise explain(status, b"while decompressing data", stream.message)
        elif left:
            self._needs_input = False
            self._begin = len(view) - left
            if type(source) is bytes:
                self._kept = source
            else:
                self._kept = _as_bytes(view, self._begin)
                self._begin = 0
        else:
            self._needs_input = True
        return result
