# SPDX-License-Identifier: Apache-2.0
# Checksums and one-shot calls of the codec, and the room that its output goes into.

from cpython.exc cimport PyErr_Occurred

DEFLATED = CS_METHOD_DEFLATED
DEF_BUF_SIZE = CS_OUT_FIRST_NBYTES
DEF_MEM_LEVEL = CS_MEM_LEVEL_DEFAULT
MAX_WBITS = CS_WINDOW_BITS_MAX
ZLIB_RUNTIME_VERSION = cs_engine_version().decode()
ZLIB_VERSION = cs_engine_header_version().decode()
Z_BEST_COMPRESSION = CS_LEVEL_BEST
Z_BEST_SPEED = CS_LEVEL_FASTEST
Z_BLOCK = CS_FLUSH_BLOCK
Z_DEFAULT_COMPRESSION = CS_LEVEL_DEFAULT
Z_DEFAULT_STRATEGY = CS_STRATEGY_DEFAULT
Z_FILTERED = CS_STRATEGY_FILTERED
Z_FINISH = CS_FLUSH_FINISH
Z_FIXED = CS_STRATEGY_FIXED
Z_FULL_FLUSH = CS_FLUSH_FULL
Z_HUFFMAN_ONLY = CS_STRATEGY_HUFFMAN_ONLY
Z_NO_COMPRESSION = CS_LEVEL_NONE
Z_NO_FLUSH = CS_FLUSH_NONE
Z_PARTIAL_FLUSH = CS_FLUSH_PARTIAL
Z_RLE = CS_STRATEGY_RLE
Z_SYNC_FLUSH = CS_FLUSH_SYNC
Z_TREES = CS_FLUSH_TREES


class error(Exception):
    """A failure of the engine."""


cdef int engine_error(cs_status status, const char *doing, const char *message) except -1:
    """Raise `error` with the text that users of zlib know."""
    cdef char text[320]
    cs_codec_error_text(status, doing, message, text, sizeof(text))
    raise error(text[:strlen(text)].decode("utf-8", "replace"))


# ---- output -----------------------------------------------------------------------------------------
# A bytes object under construction, which no one else has seen, that the library writes straight into.

cdef struct Room:
    PyObject *out  # owned
    Py_ssize_t nbytes
    Py_ssize_t limit


cdef int open_room(Room *room, cs_stream *stream, Py_ssize_t first, Py_ssize_t limit) except -1:
    room.nbytes = first if first < limit else limit
    room.limit = limit
    room.out = NULL
    room.out = allocate(room.nbytes)
    stream.next_out = <uint8_t *>bytes_data(room.out)
    stream.avail_out = <size_t>room.nbytes
    return 0


cdef int grow_room(Room *room, cs_stream *stream) except -1:
    """Add as much room as there is; 0 when the limit is reached."""
    cdef Py_ssize_t used = room.nbytes
    cdef Py_ssize_t more = room.limit - used
    if more == 0:
        return 0
    if more > used:
        more = used
    enlarge(&room.out, used + more)
    room.nbytes = used + more
    stream.next_out = <uint8_t *>bytes_data(room.out) + used
    stream.avail_out = <size_t>more
    return 1


cdef object close_room(Room *room, cs_stream *stream):
    """The bytes written. The room is the caller's to drop until then."""
    cdef Py_ssize_t used = room.nbytes - <Py_ssize_t>stream.avail_out
    if used != room.nbytes:
        resize_bytes(&room.out, used)
    result = <object>room.out
    drop_room(room)
    return result


cdef inline void drop_room(Room *room) noexcept:
    cdef PyObject *out = room.out
    room.out = NULL
    Py_XDECREF(out)


# ---- checksums but for crc32 ------------------------------------------------------------------------

def adler32(data, value=1, /):
    """Compute an Adler-32 checksum of data, continuing from a value."""
    return checksum(cs_adler32, data, value)


def crc32_combine(first, second, second_nbytes, /):
    """CRC-32 of A + B from both and the length of B."""
    return PyLong_FromUnsignedLong(
        cs_crc32_combine(modulo_2_32(first), modulo_2_32(second), as_u64(second_nbytes))
    )


def adler32_combine(first, second, second_nbytes, /):
    """Adler-32 of A + B from both and the length of B."""
    return PyLong_FromUnsignedLong(
        cs_adler32_combine(modulo_2_32(first), modulo_2_32(second), as_u64(second_nbytes))
    )


# ---- one-shot ---------------------------------------------------------------------------------------

cdef inline Py_ssize_t bound(size_t nbytes) noexcept:
    cdef size_t result = cs_compress_bound(nbytes)
    return <Py_ssize_t>result if result < <size_t>PY_SSIZE_T_MAX else PY_SSIZE_T_MAX


cdef int compress_error(cs_status status, const char *message) except -1:
    if status == CS_E_STREAM:
        raise error("Bad compression level")
    if status == CS_E_MEMORY:
        raise MemoryError("Out of memory while compressing data")
    engine_error(status, "while compressing data", message)


def compress(data, /, level=-1, wbits=15):
    """Compress data in one go."""
    cdef Input source
    cdef int32_t c_level, c_wbits
    cdef Py_ssize_t room
    cdef size_t written = 0
    cdef uint8_t *target
    cdef cs_status status
    cdef PyObject *out = NULL
    open_input(data, &source)
    try:
        c_level = as_i32(level)
        c_wbits = as_i32(wbits)
        room = bound(source.nbytes)
        out = allocate(room)
        target = <uint8_t *>bytes_data(out)
        with nogil:
            status = cs_compress(source.data, source.nbytes, target, <size_t>room, c_level, c_wbits, &written)
        if status != CS_OK:
            compress_error(status, NULL)
        resize_bytes(&out, <Py_ssize_t>written)
        return <object>out
    finally:
        Py_XDECREF(out)
        close_input(&source)


cdef object inflate_all(cs_stream *stream, Py_ssize_t first):
    cdef Room room
    cdef cs_status status
    open_room(&room, stream, first, PY_SSIZE_T_MAX)
    try:
        while True:
            with nogil:
                status = cs_inflate(stream, CS_FLUSH_FINISH)
            if status == CS_STREAM_END:
                return close_room(&room, stream)
            if status == CS_E_MEMORY:
                raise MemoryError("Out of memory while decompressing data")
            if stream.avail_out != 0 or (status != CS_OK and status != CS_E_BUFFER):
                engine_error(status, "while decompressing data", stream.message)
            grow_room(&room, stream)
    finally:
        drop_room(&room)


def decompress(data, /, wbits=15, bufsize=16384):
    """Decompress data in one go; bufsize is the room that the output gets at first."""
    cdef Input source
    cdef int32_t c_wbits
    cdef Py_ssize_t first
    cdef cs_status status
    cdef cs_stream stream
    open_input(data, &source)
    try:
        c_wbits = as_i32(wbits)
        first = bufsize
        if first < 0:
            raise ValueError("bufsize must be non-negative")
        memset(&stream, 0, sizeof(stream))
        stream.next_in = source.data
        stream.avail_in = source.nbytes
        status = cs_inflate_init(&stream, c_wbits)
        if status == CS_E_MEMORY:
            raise MemoryError("Out of memory while decompressing data")
        if status != CS_OK:
            engine_error(status, "while preparing to decompress data", stream.message)
        try:
            return inflate_all(&stream, first if first != 0 else 1)
        finally:
            cs_inflate_end(&stream)
    finally:
        close_input(&source)


# ---- progress ---------------------------------------------------------------------------------------

cdef int32_t report(void *user, uint64_t total_in, uint64_t total_out) except 1 with gil:
    """A cs_progress_fn for a thread that gave up the GIL. An exception makes it return 1 and stays set meanwhile."""
    return (<object>user)(total_in, total_out) is False


def compress_progress(data, callback, /, level=-1, wbits=15):
    """Compress data by one stream, telling a callback how far it came."""
    cdef Input source
    cdef int32_t c_level, c_wbits
    cdef cs_status status
    cdef cs_stream stream
    cdef Room room
    cdef Py_ssize_t nbytes
    open_input(data, &source)
    room.out = NULL
    memset(&stream, 0, sizeof(stream))
    try:
        need_callable(callback)
        c_level = as_i32(level)
        c_wbits = as_i32(wbits)
        nbytes = bound(source.nbytes)
        stream.progress = <cs_progress_fn>report
        stream.progress_user = <void *>callback
        status = cs_deflate_init(&stream, c_level, CS_METHOD_DEFLATED, c_wbits, CS_MEM_LEVEL_DEFAULT, CS_STRATEGY_DEFAULT)
        if status != CS_OK:
            compress_error(status, stream.message)
        open_room(&room, &stream, nbytes, nbytes)
        stream.next_in = source.data
        stream.avail_in = source.nbytes
        with nogil:
            status = cs_deflate(&stream, CS_FLUSH_FINISH)
        if status == CS_STREAM_END:
            return close_room(&room, &stream)
        if status == CS_E_ABORTED:
            if PyErr_Occurred():
                pending()
            raise error("compression stopped by the callback")
        compress_error(status, stream.message)
    finally:
        if stream.engine != NULL:
            cs_deflate_end(&stream)
        drop_room(&room)
        close_input(&source)


def fail_after(allocations, /):
    """Let some of this thread's native allocations succeed, then none; -1 for no limit."""
    cs_codec_fail_after(as_i64(allocations))
