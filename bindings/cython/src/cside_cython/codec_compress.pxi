# SPDX-License-Identifier: Apache-2.0
# Codec, compression streams. The methods of a stream take its lock in turn, and wait for it with the GIL released.


@cython.final
cdef class Compress:
    """A stream that compresses, made by ``compressobj``; its class cannot be called."""

    cdef cs_stream stream
    cdef cython.pymutex lock

    def __cinit__(self, maker=None, /):
        if maker is not MAKER:
            raise TypeError(f"cannot create '{__name__}.Compress' instances")

    def __dealloc__(self):
        if self.stream.engine != NULL:
            cs_deflate_end(&self.stream)

    cdef object run(self, int32_t flush, const char *doing):
        """Deflate the input that next_in and avail_in give. The caller holds the lock."""
        cdef cs_stream *stream = &self.stream
        cdef cs_status status
        cdef Room room
        open_room(&room, stream, CS_OUT_FIRST_NBYTES, PY_SSIZE_T_MAX)
        try:
            while True:
                with nogil:
                    status = cs_deflate(stream, flush)
                if status == CS_STREAM_END:
                    break
                if status != CS_OK and status != CS_E_BUFFER:
                    engine_error(status, doing, stream.message)
                if stream.avail_out != 0:
                    break
                grow_room(&room, stream)
            if status == CS_STREAM_END and flush == CS_FLUSH_FINISH:
                status = cs_deflate_end(stream)
                if status != CS_OK:
                    engine_error(status, "while finishing compression", stream.message)
            return close_room(&room, stream)
        finally:
            drop_room(&room)

    def compress(self, data, /):
        """Compress ``data`` and return the part of the output that is ready, which may be empty.

        Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
        not C-contiguous; `error` if the stream is finished or there is no memory.
        """
        cdef Input source
        open_input(data, &source)
        try:
            with self.lock:
                self.stream.next_in = source.data
                self.stream.avail_in = source.nbytes
                return self.run(CS_FLUSH_NONE, "while compressing data")
        finally:
            close_input(&source)

    def flush(self, mode=4, /):
        """Return the output that is pending, and finish the stream unless ``mode`` says otherwise.

        ``mode`` is one of the constants ``Z_FINISH`` (the default), ``Z_SYNC_FLUSH``,
        ``Z_FULL_FLUSH``, ``Z_PARTIAL_FLUSH``, ``Z_BLOCK`` and ``Z_NO_FLUSH``, which returns
        nothing. After ``Z_FINISH`` the stream cannot be used any more.

        Raises `error` if the stream is finished, ``mode`` is none of these or there is no memory;
        `OverflowError` if ``mode`` does not fit an ``int`` of C; `TypeError` if it has no
        ``__index__``.
        """
        cdef int32_t flush = as_i32(mode)
        if flush == CS_FLUSH_NONE:
            return b""
        with self.lock:
            self.stream.next_in = NULL
            self.stream.avail_in = 0
            return self.run(flush, "while flushing")

    def copy(self):
        """Return an independent copy of the stream.

        Raises `ValueError` 'Inconsistent stream state' if the stream is finished; `MemoryError` if
        there is no memory.
        """
        cdef Compress other = Compress.__new__(Compress, MAKER)
        cdef cs_status status
        with self.lock:
            status = cs_deflate_copy(&other.stream, &self.stream)
            if status != CS_OK:
                copy_error(status, "compression", self.stream.message)
        return other

    def __copy__(self):
        """Return an independent copy of the stream, as ``copy`` does."""
        return self.copy()

    def __deepcopy__(self, memo, /):
        """Return an independent copy of the stream, as ``copy`` does; ``memo`` is not used."""
        return self.copy()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Compress' object")


def compressobj(level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=None):
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
    cdef int32_t c_level = as_i32(level), c_method = as_i32(method), c_wbits = as_i32(wbits)
    cdef int32_t c_mem_level = as_i32(memLevel), c_strategy = as_i32(strategy)
    cdef Input dictionary
    cdef Compress self
    cdef cs_status status
    dictionary.held = False
    if zdict is not None:
        open_input(zdict, &dictionary)
    try:
        self = Compress.__new__(Compress, MAKER)
        status = cs_deflate_init(&self.stream, c_level, c_method, c_wbits, c_mem_level, c_strategy)
        if status != CS_OK:
            init_error(status, "compression", self.stream.message)
        if zdict is not None:
            status = cs_deflate_set_dictionary(&self.stream, dictionary.data, dictionary.nbytes)
            if status == CS_E_STREAM:
                raise ValueError("Invalid dictionary")
            if status != CS_OK:
                raise ValueError("deflateSetDictionary()")
        return self
    finally:
        close_input(&dictionary)
