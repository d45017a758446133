# SPDX-License-Identifier: Apache-2.0
# Idioms, callbacks: calls through function pointers. Python calls those of the library, and the library calls Python.

from cpython.ref cimport Py_DECREF, Py_INCREF

cdef extern from "Python.h":
    PyObject *PyObject_CallOneArg(PyObject *function, object argument)


cdef extern from "Python.h" nogil:
    ctypedef struct PyInterpreterState:
        pass
    ctypedef struct PyThreadState:
        pass
    PyThreadState *PyThreadState_Get()
    PyInterpreterState *PyThreadState_GetInterpreter(PyThreadState *state)
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


# ---- a table of the library's functions -------------------------------------------------------------

cdef const cs_ops *OPS = cs_ops_get()


def ops_add(a, b, /):
    """Return the sum of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    return OPS.add(as_i32(a), as_i32(b))


def ops_multiply(a, b, /):
    """Return the product of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    return OPS.multiply(as_i32(a), as_i32(b))


# ---- callback on the calling thread, which holds the GIL --------------------------------------------

cdef int64_t call_each(void *user, int32_t value) except CS_EACH_STOP:
    """Call the callable that `user` points to; a cs_each_fn.

    If it raises, this returns CS_EACH_STOP with the exception set: the value by which Cython signals an exception is
    the value that tells the library to stop. The callable is called through the C API and not by Cython's own call,
    so that a traceback does not list this function: that entry costs time and, on PyPy, memory.
    """
    cdef PyObject *result = PyObject_CallOneArg(<PyObject *>user, value)
    if result == NULL:
        return CS_EACH_STOP
    returned = <object>result
    Py_DECREF(returned)
    return as_i32(returned)


def each_call(times, callback, /):
    """Call ``callback`` with 0, 1, ... ``times`` - 1 from C and return the sum of its results.

    An exception that the callback raises is raised here, the same object; no further call is
    made.

    Raises `ValueError` if ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not
    fit ``uint32_t`` or a result does not fit ``int32_t``; `TypeError` if ``callback`` is not
    callable, or ``times`` or a result has no ``__index__``.
    """
    cdef uint32_t count = as_u32(times)
    cdef int64_t total = 0
    cdef cs_status status
    need_callable(callback)
    status = cs_each_call(count, <cs_each_fn>call_each, <void *>callback, &total)
    if status == CS_E_ABORTED:
        pending()
    check(status)
    return total


# ---- callback on a thread that the library made -----------------------------------------------------

cdef struct Foreign:
    PyObject *callback
    PyObject *exception  # what the callback raised; an owned reference
    PyInterpreterState *interp
    PyThreadState *state  # of the foreign thread, from its first call to its last
    int64_t last  # the position of the last call
    bint no_memory


cdef int64_t call_kept(void *user, int32_t value) noexcept:
    """Call the callback with the GIL held, and keep the exception that it raises."""
    cdef Foreign *foreign = <Foreign *>user
    try:
        return as_i32((<object>foreign.callback)(value))
    except BaseException as error:
        Py_INCREF(error)
        foreign.exception = <PyObject *>error
        return CS_EACH_STOP


ctypedef int64_t (*foreign_fn)(void *user, int32_t value) noexcept nogil


cdef int64_t call_foreign(void *user, int32_t value) noexcept nogil:
    """Call the callback in the interpreter of the caller, with one thread state for all calls; a cs_each_fn."""
    cdef Foreign *foreign = <Foreign *>user
    cdef int64_t result
    if foreign.state == NULL:
        foreign.state = PyThreadState_New(foreign.interp)
        if foreign.state == NULL:
            foreign.no_memory = True
            return CS_EACH_STOP
    PyEval_RestoreThread(foreign.state)
    # The cast through void * is needed because Cython does not know that PyEval_RestoreThread() acquires the GIL.
    result = (<foreign_fn><void *>call_kept)(user, value)
    if result == CS_EACH_STOP or value == foreign.last:
        PyThreadState_Clear(foreign.state)
        PyThreadState_DeleteCurrent()
        foreign.state = NULL
    else:
        PyEval_SaveThread()
    return result


cdef int64_t call_ensured(void *user, int32_t value) noexcept with gil:
    """Call the callback on PyPy, whose thread states cannot be made by hand; a cs_each_fn."""
    return call_kept(user, value)


def thread_call(times, callback, /):
    """Do what ``each_call`` does, on a thread that the library creates and joins.

    The GIL is released meanwhile and taken for each call of ``callback``. An exception that the
    callback raises is raised here, the same object; no further call is made.

    Raises `StatusError` ``CS_E_THREAD`` if no thread can be created; `ValueError` if ``times``
    is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a result does
    not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times`` or a result
    has no ``__index__``.
    """
    cdef uint32_t count = as_u32(times)
    cdef int64_t total = 0
    cdef cs_status status
    cdef Foreign foreign
    cdef cs_each_fn function = call_ensured if CSIDE_ON_PYPY else call_foreign
    need_callable(callback)
    foreign.callback = <PyObject *>callback
    foreign.exception = NULL
    foreign.interp = PyThreadState_GetInterpreter(PyThreadState_Get())
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
