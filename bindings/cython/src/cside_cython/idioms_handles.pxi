# SPDX-License-Identifier: Apache-2.0
# Idioms, handles: an opaque handle, owned by an object that closes it.


@cython.final
cdef class Counter:
    """Counter(start=0, /)
--

    A counter inside the library that starts at ``start``, which Python holds by a handle.

    ``Counter`` is a class. Its objects are context managers that close the counter. A counter
    that is still open is closed when the object is finalized.

    Raises `MemoryError` if 65,536 counters are open; `OverflowError` if ``start`` does not fit
    ``int64_t``; `TypeError` if it has no ``__index__``.
    """

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
        """Add ``n`` to the counter, modulo 2**64, and return the new total.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `OverflowError` if
        ``n`` does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
        """
        cdef int64_t total = 0
        check(cs_counter_add(self.handle, as_i64(n), &total))
        return total

    def each(self, times, callback, /):
        """Call ``callback`` with the counter's total, ``times`` times, and sum its results.

        The total is passed modulo 2**31. While this method runs, the counter cannot be closed. An
        exception that the callback raises is raised here, the same object; no further call is made.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `ValueError` if
        ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a
        result does not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times``
        or a result has no ``__index__``.
        """
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
        """Close the counter; closing it again does nothing.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """
        if not self.closed:
            check(cs_counter_close(self.handle))
            self.closed = True

    def __enter__(self):
        """Return the counter itself."""
        return self

    def __exit__(self, *exc):
        """Close the counter, as ``close`` does; an exception of the block is passed on.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """
        self.close()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Counter' object")
