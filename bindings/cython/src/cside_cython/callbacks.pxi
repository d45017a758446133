# SPDX-License-Identifier: Apache-2.0
# Python callables behind C function pointers, and the handle that calls one.

from cpython.ref cimport Py_INCREF

cdef extern from "Python.h" nogil:
    ctypedef struct PyInterpreterState:
        pass
    ctypedef struct PyThreadState:
        PyInterpreterState *interp
    PyThreadState *PyThreadState_Get()
    PyThreadState *PyThreadState_New(PyInterpreterState *interp)
    void PyThreadState_Clear(PyThreadState *state)
    void PyThreadState_DeleteCurrent()
    void PyEval_RestoreThread(PyThreadState *state)
    PyThreadState *PyEval_SaveThread()

cdef extern from *:
    """
    #ifdef PYPY_VERSION
    #define CSIDE_ON_PYPY 1
    #else
    #define CSIDE_ON_PYPY 0
    #endif
    """
    enum:
        CSIDE_ON_PYPY


# ---- on a thread that Python has never seen ----------------------------------------------------------

cdef struct Foreign:
    PyObject *callback
    PyObject *exception  # what the callback raised; owned
    PyInterpreterState *interp
    PyThreadState *state  # of the foreign thread, from its first call to its last
    int64_t last  # the position of the last call
    bint no_memory


cdef int64_t call_kept(void *user, int32_t value) noexcept:
    """Call back, with the GIL held, and keep what is raised."""
    cdef Foreign *foreign = <Foreign *>user
    try:
        return as_i32((<object>foreign.callback)(value))
    except BaseException as error:
        Py_INCREF(error)
        foreign.exception = <PyObject *>error
        return CS_EACH_STOP


ctypedef int64_t (*foreign_fn)(void *user, int32_t value) noexcept nogil


cdef int64_t call_foreign(void *user, int32_t value) noexcept nogil:
    """A cs_each_fn that enters the caller's own interpreter, with one thread state for all the thread's calls."""
    cdef Foreign *foreign = <Foreign *>user
    cdef int64_t result
    if foreign.state == NULL:
        foreign.state = PyThreadState_New(foreign.interp)
        if foreign.state == NULL:
            foreign.no_memory = True
            return CS_EACH_STOP
    PyEval_RestoreThread(foreign.state)
    # By way of void *, for Cython knows of no other way to the GIL than its own `with gil`.
    result = (<foreign_fn><void *>call_kept)(user, value)
    if result == CS_EACH_STOP or value == foreign.last:
        PyThreadState_Clear(foreign.state)
        PyThreadState_DeleteCurrent()
        foreign.state = NULL
    else:
        PyEval_SaveThread()
    return result


cdef int64_t call_ensured(void *user, int32_t value) noexcept with gil:
    """The same for PyPy, which makes no thread states by hand."""
    return call_kept(user, value)


def thread_call(times, callback, /):
    """Sum of callback(0) to callback(times - 1), called from a thread that the library makes."""
    cdef uint32_t count = as_u32(times)
    cdef int64_t total = 0
    cdef cs_status status
    cdef Foreign foreign
    cdef cs_each_fn function = call_ensured if CSIDE_ON_PYPY else call_foreign
    need_callable(callback)
    foreign.callback = <PyObject *>callback
    foreign.exception = NULL
    foreign.interp = PyThreadState_Get().interp
    foreign.state = NULL
    foreign.last = <int64_t>count - 1
    foreign.no_memory = False
    with nogil:
        status = cs_thread_call(count, function, &foreign, &total)
    if foreign.exception != NULL:
        error = <object>foreign.exception
        Py_DECREF(error)
        raise error, None, error.__traceback__  # PyPy does not take the traceback from the exception
    if foreign.no_memory:
        raise MemoryError
    check(status)
    return total


# ---- opaque handle ----------------------------------------------------------------------------------

@cython.final
cdef class Counter:
    """An opaque handle, closed when it is finalised."""

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
        """Close; closing again does nothing."""
        if not self.closed:
            check(cs_counter_close(self.handle))
            self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __reduce__(self):
        raise TypeError("cannot pickle 'Counter' object")
