# SPDX-License-Identifier: Apache-2.0
# Statuses become exceptions.

from cpython.exc cimport PyErr_SetNone, PyErr_SetObject


class StatusError(Exception):
    """A failure of the native library without an exception of its own among Python's; `status` and `name` say which."""


cdef int fail(cs_status status) noexcept:
    """Set the exception that a negative status stands for.

    It sets rather than raises, so that a traceback, which costs 100 ns for each function in it, names the caller alone.
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
