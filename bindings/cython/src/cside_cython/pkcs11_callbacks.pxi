# SPDX-License-Identifier: Apache-2.0
# PKCS #11, callbacks: a module calls functions of the application. Sessions notify; pkcs11_locks.pxi has the locks.

from cpython.exc cimport PyErr_SetObject, PyErr_WriteUnraisable
from cpython.ref cimport Py_INCREF

cdef extern from "Python.h" nogil:
    bint Py_IsInitialized()


cdef CK_RV keep_exception(object error, object callback) noexcept:
    """The return value for the module. The exception is kept for the innermost call of this thread, which raises it."""
    cdef Call *call = <Call *>under_way
    if call != NULL and call.exception == NULL:
        Py_INCREF(error)
        call.exception = <PyObject *>error
    else:
        PyErr_SetObject(type(error), error)
        PyErr_WriteUnraisable(callback)
    if ERROR is not None and isinstance(error, ERROR):
        try:
            return as_ulong(error.rv)
        except BaseException:
            pass
    return CKR_GENERAL_ERROR


# ---- notifications of a session ---------------------------------------------------------------------

@cython.final
@cython.internal
cdef class Listener:
    """The callable that a session notifies. Each session has its own Listener, even if several share a callable."""

    cdef object callback
    cdef CK_SLOT_ID slot


cdef CK_RV tell_listener(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *application) noexcept with gil:
    callback = (<Listener>application).callback  # a reference, because the callback may close the session
    try:
        returned = callback(session, event)
        return CKR_OK if returned is None else as_ulong(returned)
    except BaseException as error:
        return keep_exception(error, callback)


cdef CK_RV on_notification(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *application) noexcept nogil:
    """A CK_NOTIFY. Threads of a module may run longer than the interpreter."""
    return tell_listener(session, event, application) if Py_IsInitialized() else CKR_GENERAL_ERROR
