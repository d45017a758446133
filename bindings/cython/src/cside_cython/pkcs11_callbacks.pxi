# SPDX-License-Identifier: Apache-2.0
# PKCS #11, callbacks: a module calls functions of the application. Sessions notify; pkcs11_locks.pxi has the locks.

from cpython.exc cimport PyErr_SetObject, PyErr_WriteUnraisable
from cpython.ref cimport Py_INCREF
from libc.stdint cimport uintptr_t

cdef extern from "Python.h" nogil:
    bint Py_IsInitialized()


# ---- numbers for C ----------------------------------------------------------------------------------
# A module may call back when the session is closed already, or after C_Finalize. It therefore gets numbers, never
# pointers to objects. No number is used twice: that of something that has ended finds nothing.

cdef object GONE = object()  # what is found then
cdef uintptr_t last_number = 0


cdef uintptr_t keep_for_c(dict kept, object item) except 0:
    """Keep an object under a new number, and return the number."""
    global last_number
    cdef uintptr_t number
    with cython.critical_section(GONE):
        last_number += 1
        number = last_number
    with cython.critical_section(kept):
        kept[number] = item
    return number


cdef object find_for_c(dict kept, void *number):
    """The object with this number, or GONE."""
    with cython.critical_section(kept):
        return kept.get(<uintptr_t>number, GONE)


cdef int drop_for_c(dict kept, uintptr_t number) except -1:
    """Drop an object, so that C finds it no more."""
    with cython.critical_section(kept):
        kept.pop(number, None)
    return 0


# ---- exceptions of callbacks ------------------------------------------------------------------------

cdef CK_RV keep_exception(object error, object callback) noexcept:
    """The return value for the module. The exception is kept for the innermost call of this thread, which raises it."""
    cdef Call *call = <Call *>under_way
    if call != NULL and call.exception == NULL:
        Py_INCREF(error)
        call.exception = <PyObject *>error
    else:
        PyErr_SetObject(type(error), error)
        PyErr_WriteUnraisable(callback)
    try:
        if ERROR is not None and isinstance(error, ERROR):
            return as_ulong(error.rv)
    except BaseException:
        pass  # the caller made this PKCS11Error, with something that is no CK_RV
    return CKR_GENERAL_ERROR


# ---- notifications of a session ---------------------------------------------------------------------

@cython.final
@cython.internal
cdef class Listener:
    """The callable that a session notifies. Each session has its own Listener, even if several share a callable."""

    cdef object callback
    cdef CK_SLOT_ID slot
    cdef uintptr_t number


cdef dict LISTENERS = {}  # those of all modules, by their numbers


cdef CK_RV tell_listener(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *application) noexcept with gil:
    callback = None  # a reference, because the callback may close the session
    try:
        listener = find_for_c(LISTENERS, application)
        if listener is GONE:
            return CKR_OK
        callback = (<Listener>listener).callback
        returned = callback(session, event)
        return CKR_OK if returned is None else as_ulong(returned)
    except BaseException as error:
        return keep_exception(error, callback)


cdef CK_RV on_notification(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *application) noexcept nogil:
    """A CK_NOTIFY. Threads of a module may run longer than the interpreter."""
    return tell_listener(session, event, application) if Py_IsInitialized() else CKR_GENERAL_ERROR
