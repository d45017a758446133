# SPDX-License-Identifier: Apache-2.0
# Codec, output: a bytes object that the library writes to and that grows as needed, before Python sees it.

cdef struct Room:
    PyObject *out  # an owned reference
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


cdef int enlarge(PyObject **obj, Py_ssize_t nbytes) except -1:
    if nbytes <= PY_SSIZE_T_MAX - HEADER_NBYTES:
        try:
            return resize_bytes(obj, nbytes)
        except (MemoryError, SystemError):
            pass
    raise MemoryError("Unable to allocate output buffer.")


cdef int grow_room(Room *room, cs_stream *stream) except -1:
    """Double the output, at most to its limit; return 0 if it is at the limit already."""
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
    """The bytes that were written. If this raises, the caller still has to call drop_room()."""
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
