# SPDX-License-Identifier: Apache-2.0
# Idioms, handles: an opaque handle, owned by an object that closes it.


@cython.final
cdef class Counter:
    """A counter of the library, which is closed by close(), by `with`, or when this object is finalised."""

    cdef cs_counter handle
    cdef bint closed

    def __cinit__(self, start=0, /):
        self.closed = True
        check(cs_counter_open(as_i64(start), &self.handle))
        self.closed = False

    def __dealloc__(self):
        if not self.closed:
            cs_counter_close(self.handle)

    def add(self, n, /):
        """Add and return the new total."""
        cdef int64_t total = 0
        check(cs_counter_add(self.handle, as_i64(n), &total))
        return total

    def each(self, times, callback, /):
        """Sum of callback(total) over that many calls."""
        cdef uint32_t count = as_u32(times)
        cdef int64_t total = 0
        cdef cs_status status
        need_callable(callback)
        status = cs_counter_each(self.handle, count, <cs_each_fn>call_each, <void *>callback, &total)
        if status == CS_E_ABORTED:
            pending()
        check(status)
        return total

    @cython.critical_section
    def close(self):
        """Close the counter; closing it again does nothing."""
        if not self.closed:
            check(cs_counter_close(self.handle))
            self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Counter' object")
