# SPDX-License-Identifier: Apache-2.0
# PKCS #11, calls: each thread has a chain of its calls into modules, so that what a callback raises reaches its caller.

from cpython.ref cimport Py_DECREF

cdef extern from *:
    """
    /* The innermost call of this thread into a module. A callback stores there the exception that it raises. */
    static _Thread_local void *cside_under_way = NULL;
    """
    void *under_way "cside_under_way"


cdef struct Call:
    PyObject *exception  # the first one that a callback raised; an owned reference
    Call *outer


cdef inline void enter(Call *call) noexcept:
    global under_way
    call.exception = NULL
    call.outer = <Call *>under_way
    under_way = call


cdef inline int leave(Call *call) except -1:
    """End a call, and raise the exception of a callback, whatever the module returned."""
    global under_way
    under_way = call.outer
    return 0 if call.exception == NULL else raise_kept(call.exception)


cdef int raise_kept(PyObject *exception) except -1:
    kept = <object>exception
    Py_DECREF(kept)
    raise kept, None, kept.__traceback__  # PyPy does not take the traceback from the exception
