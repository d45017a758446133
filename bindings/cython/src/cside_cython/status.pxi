# SPDX-License-Identifier: Apache-2.0
# Status: a negative cs_status becomes an exception.

from cpython.exc cimport PyErr_SetNone, PyErr_SetObject


cdef int fail(cs_status status) except -2:
    """Set the exception for a negative status, and return -1 for check() to pass on.

    The exception is set and not raised, because Cython adds each function that raises to the traceback, which takes
    100 ns per function. The traceback then names only the caller. If the exception cannot be made, what was raised
    instead is passed on as -2.
    """
    text = text_or_none(cs_status_message(status))
    if status == CS_E_MEMORY:
        PyErr_SetNone(MemoryError)
    elif status == CS_E_ARGUMENT or status == CS_E_CLOSED:
        PyErr_SetObject(ValueError, text)
    elif status == CS_E_NOT_FOUND:
        PyErr_SetObject(LookupError, text)
    else:
        failure = StatusError(text)
        failure.status = status
        failure.name = text_or_none(cs_status_name(status))
        PyErr_SetObject(StatusError, failure)
    return -1


cdef inline int check(cs_status status) except -1:
    return fail(status) if status < 0 else 0


cdef int pending() except -1:
    """Raise the exception that is set already."""
    return -1
