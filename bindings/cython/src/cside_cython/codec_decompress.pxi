# SPDX-License-Identifier: Apache-2.0
# Codec, decompression streams. The methods of a stream take its lock in turn, and wait for it with the GIL released.

from cpython.buffer cimport PyObject_CheckBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE


@cython.final
cdef class Decompress:
    """A stream that decompresses, made by ``decompressobj``; its class cannot be called."""

    cdef cs_stream stream
    cdef cython.pymutex lock
    cdef object zdict
    cdef bytes unused
    cdef bytes unconsumed
    cdef bint ended

    def __cinit__(self, maker=None, /):
        if maker is not MAKER:
            raise TypeError(f"cannot create '{__name__}.Decompress' instances")
        self.unused = b""
        self.unconsumed = b""

    def __dealloc__(self):
        if self.stream.engine != NULL:
            cs_inflate_end(&self.stream)

    @property
    @cython.critical_section
    def unused_data(self):
        """The input that followed the end of the compressed stream; empty before the end."""
        return self.unused

    @property
    @cython.critical_section
    def unconsumed_tail(self):
        """The input that the last call of ``decompress`` left because of ``max_length``."""
        return self.unconsumed

    @property
    @cython.critical_section
    def eof(self):
        """Whether the end of the compressed stream was reached."""
        return self.ended

    cdef int set_dictionary(self, Input *dictionary) except -1:
        cdef cs_status status = cs_inflate_set_dictionary(&self.stream, dictionary.data, dictionary.nbytes)
        if status != CS_OK:
            engine_error(status, "while setting zdict", self.stream.message)
        return 0

    @cython.critical_section
    cdef int keep_input(self, bint ended) except -1:
        """Keep the input that was not used."""
        cdef const char *rest = <const char *>self.stream.next_in
        cdef Py_ssize_t nbytes = <Py_ssize_t>self.stream.avail_in
        if ended and nbytes > 0:
            self.unused = self.unused + rest[:nbytes]
            nbytes = 0
        if nbytes > 0 or self.unconsumed:
            self.unconsumed = rest[:nbytes] if nbytes > 0 else b""
        if ended:
            self.ended = True
        return 0

    cdef object run(self, Input *source, Input *dictionary, int32_t flush, Py_ssize_t first, Py_ssize_t limit):
        """Inflate a source; if it is NULL, inflate the input that was kept. `dictionary` may be NULL.

        The caller holds the lock.
        """
        cdef cs_stream *stream = &self.stream
        cdef bytes tail
        cdef cs_status status
        cdef Room room
        if source != NULL:
            stream.next_in = source.data
            stream.avail_in = source.nbytes
        else:
            tail = self.unconsumed
            stream.next_in = <const uint8_t *>PyBytes_AS_STRING(tail)
            stream.avail_in = <size_t>PyBytes_GET_SIZE(tail)
        open_room(&room, stream, first, limit)
        try:
            while True:
                with nogil:
                    status = cs_inflate(stream, flush)
                if status == CS_STREAM_END:
                    break
                if status == CS_NEED_DICT and dictionary != NULL:
                    self.set_dictionary(dictionary)
                    continue
                if status != CS_OK and status != CS_E_BUFFER:
                    break
                if stream.avail_out != 0 or not grow_room(&room, stream):
                    break
            self.keep_input(status == CS_STREAM_END)
            if status == CS_STREAM_END:
                if source == NULL:
                    status = cs_inflate_end(stream)
                    if status != CS_OK:
                        engine_error(status, "while finishing decompression", stream.message)
            elif status != CS_OK and status != CS_E_BUFFER and (source != NULL or status != CS_E_STREAM):
                # It is no error to flush a stream that has ended.
                engine_error(status, "while decompressing data", stream.message)
            return close_room(&room, stream)
        finally:
            drop_room(&room)

    cdef object locked_run(self, Input *source, int32_t flush, Py_ssize_t first, Py_ssize_t limit):
        # Open the dictionary before taking the lock: a buffer that is written in Python may use this same stream.
        cdef Input dictionary
        if self.zdict is None:
            with self.lock:
                return self.run(source, NULL, flush, first, limit)
        open_input(self.zdict, &dictionary)
        try:
            with self.lock:
                return self.run(source, &dictionary, flush, first, limit)
        finally:
            close_input(&dictionary)

    def decompress(self, data, /, max_length=0):
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless that is 0.

        Input that did not fit is kept in ``unconsumed_tail``, to be passed to the next call.

        Raises `error` if the data is corrupt, a dictionary is missing or wrong, or there is no
        memory; `ValueError` 'max_length must be non-negative' if it is negative; `OverflowError` if
        it does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or ``data`` does not
        support the buffer protocol; `BufferError` if ``data`` is not C-contiguous.
        """
        cdef Input source
        cdef Py_ssize_t limit
        open_input(data, &source)
        try:
            limit = max_length
            if limit < 0:
                raise ValueError("max_length must be non-negative")
            return self.locked_run(&source, CS_FLUSH_SYNC, CS_OUT_FIRST_NBYTES, limit if limit != 0 else PY_SSIZE_T_MAX)
        finally:
            close_input(&source)

    def flush(self, length=16384, /):
        """Decompress what is left in ``unconsumed_tail`` and return the output.

        ``length`` is the size of the first output buffer, in bytes. A stream whose end is missing
        is no error.

        Raises `ValueError` 'length must be greater than zero' if it is not; `error` if the data is
        corrupt or there is no memory; `OverflowError` if ``length`` does not fit ``Py_ssize_t``;
        `TypeError` if it has no ``__index__``.
        """
        cdef Py_ssize_t first = length
        if first <= 0:
            raise ValueError("length must be greater than zero")
        return self.locked_run(NULL, CS_FLUSH_FINISH, first, PY_SSIZE_T_MAX)

    def copy(self):
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream was flushed after its end;
        `MemoryError` if there is no memory.
        """
        cdef Decompress other = Decompress.__new__(Decompress, MAKER)
        cdef cs_status status
        with self.lock:
            status = cs_inflate_copy(&other.stream, &self.stream)
            if status != CS_OK:
                copy_error(status, "decompression", self.stream.message)
            other.zdict = self.zdict
            other.unused = self.unused
            other.unconsumed = self.unconsumed
            other.ended = self.ended
        return other

    def __copy__(self):
        """Return an independent copy of the stream, as ``copy`` does."""
        return self.copy()

    def __deepcopy__(self, memo, /):
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""
        return self.copy()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Decompress' object")


cdef object NO_ZDICT = object()  # the default; the standard library distinguishes an empty dictionary from none


@cython.embedsignature(False)
def decompressobj(wbits=15, zdict=NO_ZDICT):
    """decompressobj(wbits=15, zdict=b'')
--

    Return a stream that decompresses data in parts.

    ``wbits`` is as for ``decompress``. ``zdict`` is the dictionary that the data was compressed
    with.

    Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
    C-contiguous, for a raw stream now and else when it is used; `MemoryError` if there is no
    memory for the stream; `error` if there is none for the dictionary of a raw stream.
    """
    cdef int32_t c_wbits = as_i32(wbits)
    cdef Input dictionary
    cdef Decompress self
    cdef cs_status status
    if zdict is not NO_ZDICT and not PyObject_CheckBuffer(zdict):
        raise TypeError("zdict argument must support the buffer protocol")
    self = Decompress.__new__(Decompress, MAKER)
    if zdict is not NO_ZDICT:
        self.zdict = zdict
    status = cs_inflate_init(&self.stream, c_wbits)
    if status != CS_OK:
        init_error(status, "decompression", self.stream.message)
    if c_wbits < 0 and self.zdict is not None:
        open_input(zdict, &dictionary)
        try:
            self.set_dictionary(&dictionary)
        finally:
            close_input(&dictionary)
    return self


cdef enum:
    FIRST_MAX_NBYTES = 16 << 20  # of the first output buffer of a call with a limit, as in CPython


# ---- the stream that gzip and zipfile use ------------------------------------------------------------

@cython.final
cdef class _ZlibDecompressor:
    """_ZlibDecompressor(wbits=15, zdict=b'')
--

    Return a stream that decompresses data in parts and keeps the input that it has not used.

    ``_ZlibDecompressor`` is a class. CPython 3.12 and later have it for ``gzip`` and
    ``zipfile``. ``wbits`` and ``zdict`` are as for ``decompressobj``.

    Raises `ValueError` 'Invalid initialization option' if ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``zdict`` does not support the buffer protocol; `BufferError` if ``zdict`` is not
    C-contiguous; `MemoryError` if there is no memory for the stream; `error` if there is none
    for the dictionary of a raw stream.
    """

    cdef cs_stream stream
    cdef cython.pymutex lock
    cdef bytes zdict  # a copy, or None
    cdef bytes unused
    cdef bytes kept  # input that is not used yet, from the position `kept_from` on
    cdef Py_ssize_t kept_from
    cdef bint ended
    cdef bint hungry

    def __cinit__(self, wbits=15, zdict=NO_ZDICT):
        cdef int32_t c_wbits = as_i32(wbits)
        cdef Input dictionary
        cdef cs_status status
        if zdict is not NO_ZDICT and not PyObject_CheckBuffer(zdict):
            raise TypeError("zdict argument must support the buffer protocol")
        if zdict is not NO_ZDICT:
            open_input(zdict, &dictionary)
            try:
                self.zdict = (<const char *>dictionary.data)[:dictionary.nbytes]
            finally:
                close_input(&dictionary)
        self.unused = b""
        self.kept = b""
        self.hungry = True
        status = cs_inflate_init(&self.stream, c_wbits)
        if status != CS_OK:
            init_error(status, "decompression", self.stream.message)
        if c_wbits < 0 and self.zdict is not None:
            self.set_dictionary()

    def __dealloc__(self):
        if self.stream.engine != NULL:
            cs_inflate_end(&self.stream)

    @property
    @cython.critical_section
    def unused_data(self):
        """The input that followed the end of the compressed stream; empty before the end."""
        return self.unused

    @property
    @cython.critical_section
    def eof(self):
        """Whether the end of the compressed stream was reached."""
        return self.ended

    @property
    @cython.critical_section
    def needs_input(self):
        """Whether all input was used, so that ``decompress`` should get more; false after the end."""
        return self.hungry

    cdef int set_dictionary(self) except -1:
        cdef bytes words = self.zdict
        cdef cs_status status = cs_inflate_set_dictionary(
            &self.stream, <const uint8_t *>PyBytes_AS_STRING(words), <size_t>PyBytes_GET_SIZE(words))
        if status != CS_OK:
            engine_error(status, "while setting zdict", self.stream.message)
        return 0

    @cython.critical_section
    cdef int keep(self, bytes kept, Py_ssize_t kept_from) noexcept:
        self.kept = kept
        self.kept_from = kept_from
        self.hungry = kept_from == len(kept)
        return 0

    @cython.critical_section
    cdef int end(self, bytes unused) noexcept:
        self.kept = b""
        self.kept_from = 0
        self.unused = unused
        self.ended = True
        self.hungry = False
        return 0

    cdef object run(self, Input *source, Py_ssize_t limit):
        """Inflate what was kept, and a source. The caller holds the lock."""
        cdef cs_stream *stream = &self.stream
        cdef bytes kept = self.kept
        cdef bint whole = False  # whether this call came to its end
        cdef Py_ssize_t first = CS_OUT_FIRST_NBYTES if limit == PY_SSIZE_T_MAX else FIRST_MAX_NBYTES
        cdef cs_status status
        cdef Room room
        if self.ended:
            raise EOFError("End of stream already reached")
        if self.kept_from == len(kept):
            kept = None
            stream.next_in = source.data
            stream.avail_in = source.nbytes
        else:
            if source.nbytes != 0:
                kept = kept[self.kept_from:] + <bytes>(<const char *>source.data)[:source.nbytes]
                self.keep(kept, 0)
            stream.next_in = <const uint8_t *>PyBytes_AS_STRING(kept) + self.kept_from
            stream.avail_in = <size_t>(PyBytes_GET_SIZE(kept) - self.kept_from)
        room.out = NULL
        try:
            open_room(&room, stream, first, limit)
            while True:
                with nogil:
                    status = cs_inflate(stream, CS_FLUSH_SYNC)
                if status == CS_STREAM_END:
                    break
                if status == CS_NEED_DICT and self.zdict is not None:
                    self.set_dictionary()
                    continue
                if status != CS_OK and status != CS_E_BUFFER:
                    engine_error(status, "while decompressing data", stream.message)
                if stream.avail_out != 0 or not grow_room(&room, stream):
                    break
            if status == CS_STREAM_END:
                self.end((<const char *>stream.next_in)[:stream.avail_in])
                status = cs_inflate_end(stream)
                if status != CS_OK:
                    engine_error(status, "while finishing decompression", stream.message)
            elif stream.avail_in == 0:
                self.keep(b"", 0)
            elif kept is not None:
                self.keep(kept, PyBytes_GET_SIZE(kept) - <Py_ssize_t>stream.avail_in)
            else:
                self.keep((<const char *>stream.next_in)[:stream.avail_in], 0)
            result = close_room(&room, stream)
            whole = True
            return result
        finally:
            if not whole:  # as the standard library does, forget the input
                self.kept = b""
                self.kept_from = 0
            drop_room(&room)

    def decompress(self, data, max_length=-1):
        """Decompress ``data`` and return the output, at most ``max_length`` bytes unless it is negative.

        Input that was not used is kept, and the next call goes on with it; that call may give no
        more data than ``b""``, and ``needs_input`` says when it has to.

        Raises `EOFError` 'End of stream already reached' after the end; `error` if the data is
        corrupt, a dictionary is missing or wrong, or there is no memory; `OverflowError` if
        ``max_length`` does not fit ``Py_ssize_t``; `TypeError` if it has no ``__index__`` or
        ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
        C-contiguous.
        """
        cdef Input source
        cdef Py_ssize_t limit
        open_input(data, &source)
        try:
            limit = max_length
            if limit < 0:
                limit = PY_SSIZE_T_MAX
            with self.lock:
                return self.run(&source, limit)
        finally:
            close_input(&source)

    def __reduce__(self):
        raise TypeError("cannot pickle '_ZlibDecompressor' object")
