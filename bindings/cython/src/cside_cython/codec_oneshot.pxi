# SPDX-License-Identifier: Apache-2.0
# Codec, one-shot calls: compress and decompress a whole buffer, and compress with a progress callback.

from cpython.exc cimport PyErr_Occurred
from libc.string cimport memset


cdef inline Py_ssize_t bound(size_t nbytes) noexcept:
    cdef size_t result = cs_compress_bound(nbytes)
    return <Py_ssize_t>result if result < <size_t>PY_SSIZE_T_MAX else PY_SSIZE_T_MAX


def compress(data, /, level=-1, wbits=15):
    """Compress all of data by one native call."""
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
    """Decompress all of data; bufsize is the size of the output buffer at first."""
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
    """Acquire the GIL and call the callback; a cs_progress_fn. If it raises, this returns 1 with the exception set."""
    return (<object>user)(total_in, total_out) is False


def compress_progress(data, callback, /, level=-1, wbits=15):
    """Compress data by one stream, and report the progress to a callback."""
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
