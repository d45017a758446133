# SPDX-License-Identifier: Apache-2.0
# Codec, one-shot calls: compress and decompress a whole buffer, and compress with a progress callback.

from cpython.exc cimport PyErr_Occurred
from libc.string cimport memset


cdef inline Py_ssize_t bound(size_t nbytes) noexcept:
    cdef size_t result = cs_compress_bound(nbytes)
    return <Py_ssize_t>result if result < <size_t>PY_SSIZE_T_MAX else PY_SSIZE_T_MAX


def compress(data, /, level=-1, wbits=15):
    """Compress ``data`` in one call and return the compressed stream.

    ``level`` is 0 (none) to 9 (smallest), or -1 for the default. ``wbits`` is 9 to 15 for the
    zlib format, -9 to -15 for a raw stream, 25 to 31 for gzip.

    Raises `error` 'Bad compression level' if ``level`` or ``wbits`` is not valid;
    `OverflowError` if it does not fit an ``int`` of C; `TypeError` if it has no ``__index__``
    or ``data`` does not support the buffer protocol; `BufferError` if ``data`` is not
    C-contiguous; `MemoryError` if there is no memory.
    """
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
    """Decompress one complete stream; what follows it in ``data`` is ignored.

    ``wbits`` is 8 to 15 for the zlib format (0: the size in its header), -8 to -15 for a raw
    stream, 24 to 31 for gzip, 40 to 47 for zlib or gzip as the header says. ``bufsize`` is the
    size of the first output buffer in bytes, where 0 means 1.

    Raises `error` if the data is corrupt or incomplete, a dictionary is needed, or ``wbits`` is
    not valid; `ValueError` 'bufsize must be non-negative' if it is negative; `OverflowError` if
    ``wbits`` does not fit an ``int`` of C or ``bufsize`` does not fit ``Py_ssize_t``;
    `TypeError` if one of them has no ``__index__`` or ``data`` does not support the buffer
    protocol; `BufferError` if ``data`` is not C-contiguous; `MemoryError` if there is no
    memory.
    """
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
    """Compress ``data`` and report progress to ``callback``; return the compressed stream.

    ``level`` and ``wbits`` are as for ``compress``. One stream of memory level 8 and one native
    call do the work. ``callback(total_in, total_out)`` gets the numbers of bytes taken and
    produced so far, after at most every 65,536 bytes and at the end. The GIL is taken for it.
    If it returns ``False`` itself, the compression stops. An exception that it raises is raised
    here, the same object.

    Raises `error` 'compression stopped by the callback' if it was stopped; `error` 'Bad
    compression level' if ``level`` or ``wbits`` is not valid; `OverflowError` if it does not
    fit an ``int`` of C; `TypeError` if it has no ``__index__``, ``data`` does not support the
    buffer protocol or ``callback`` is not callable; `BufferError` if ``data`` is not
    C-contiguous; `MemoryError` if there is no memory.
    """
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
