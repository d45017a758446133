# SPDX-License-Identifier: Apache-2.0
# The codec's stream objects. Their methods take turns by a lock, and wait for it with the GIL given up.

cdef object MAKER = object()  # known to this module alone: streams come from its functions


@cython.final
cdef class Compress:
    """A stream that compresses; compressobj() makes one."""

    cdef cs_stream stream
    cdef cython.pymutex lock

    def __cinit__(self, maker=None, /):
        if maker is not MAKER:
            raise TypeError(f"cannot create '{__name__}.Compress' instances")

    def __dealloc__(self):
        if self.stream.engine != NULL:
            cs_deflate_end(&self.stream)

    cdef object run(self, int32_t flush, const char *doing):
        """Deflate what next_in and avail_in say. With the lock held."""
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
        """Compress data, returning what output there is already."""
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
        """Return the output that is pending; the default mode finishes the stream."""
        cdef int32_t flush = as_i32(mode)
        if flush == CS_FLUSH_NONE:
            return b""
        with self.lock:
            self.stream.next_in = NULL
            self.stream.avail_in = 0
            return self.run(flush, "while flushing")

    def copy(self):
        """An independent copy of the stream."""
        cdef Compress other = Compress.__new__(Compress, MAKER)
        cdef cs_status status
        with self.lock:
            status = cs_deflate_copy(&other.stream, &self.stream)
            if status != CS_OK:
                copy_error(status, "compression", self.stream.message)
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo, /):
        return self.copy()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Compress' object")


cdef int copy_error(cs_status status, str what, const char *message) except -1:
    if status == CS_E_STREAM:
        raise ValueError("Inconsistent stream state")
    if status == CS_E_MEMORY:
        raise MemoryError(f"Can't allocate memory for {what} object")
    engine_error(status, f"while copying {what} object".encode(), message)


cdef int init_error(cs_status status, str what, const char *message) except -1:
    if status == CS_E_STREAM:
        raise ValueError("Invalid initialization option")
    if status == CS_E_MEMORY:
        raise MemoryError(f"Can't allocate memory for {what} object")
    engine_error(status, f"while creating {what} object".encode(), message)


def compressobj(level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=None):
    """A stream that compresses."""
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


@cython.final
cdef class Decompress:
    """A stream that decompresses; decompressobj() makes one."""

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
        """What followed the end of the stream."""
        return self.unused

    @property
    @cython.critical_section
    def unconsumed_tail(self):
        """Input left over because the output limit was reached."""
        return self.unconsumed

    @property
    @cython.critical_section
    def eof(self):
        """Whether the end of the stream was reached."""
        return self.ended

    cdef int set_dictionary(self, Input *dictionary) except -1:
        cdef cs_status status = cs_inflate_set_dictionary(&self.stream, dictionary.data, dictionary.nbytes)
        if status != CS_OK:
            engine_error(status, "while setting zdict", self.stream.message)
        return 0

    @cython.critical_section
    cdef int keep_input(self, bint ended) except -1:
        """Save the input that was not used."""
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
        """Inflate a source, or the input left over where that is NULL; `dictionary` is NULL where there is none.

        With the lock held.
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
                # To flush a stream that has ended is no error.
                engine_error(status, "while decompressing data", stream.message)
            return close_room(&room, stream)
        finally:
            drop_room(&room)

    cdef object locked_run(self, Input *source, int32_t flush, Py_ssize_t first, Py_ssize_t limit):
        # The dictionary is opened before the lock is taken: a buffer written in Python might use this very stream.
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
        """Decompress data, to at most max_length bytes if that is not 0."""
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
        """Decompress the input left over; length is the room that the output gets at first."""
        cdef Py_ssize_t first = length
        if first <= 0:
            raise ValueError("length must be greater than zero")
        return self.locked_run(NULL, CS_FLUSH_FINISH, first, PY_SSIZE_T_MAX)

    def copy(self):
        """An independent copy of the stream."""
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
        return self.copy()

    def __deepcopy__(self, memo, /):
        return self.copy()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Decompress' object")


cdef object NO_ZDICT = object()  # the standard library tells an empty dictionary from none


@cython.embedsignature(False)
def decompressobj(wbits=15, zdict=NO_ZDICT):
    """decompressobj(wbits=15, zdict=b'')
--

A stream that decompresses."""
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
