# SPDX-License-Identifier: Apache-2.0
# Codec, compression streams. The methods of a stream take its lock in turn, and wait for it with the GIL released.


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
        """Compress data, and return the output that is complete so far."""
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
        """Return the rest of the output; with the default mode, also finish the stream."""
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


def compressobj(level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=None):
    """Make a stream that compresses."""
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
