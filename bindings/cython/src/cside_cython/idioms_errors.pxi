# SPDX-License-Identifier: Apache-2.0
# Idioms, errors: a status that becomes an exception, and errno that becomes one. The conversion is in status.pxi.

from cpython.exc cimport PyErr_SetFromErrno


class StatusError(Exception):
    """A failure of the library for which Python has no exception of its own.

    It is a subclass of `Exception`. Its text is the library's message for the status.
    """


def status_raise(status, /):
    """Raise the exception of a negative status of the library; return None for any other.

    Raises `MemoryError` for ``CS_E_MEMORY`` (-4); `ValueError` for ``CS_E_ARGUMENT`` (-100) and
    ``CS_E_CLOSED`` (-103); `LookupError` for ``CS_E_NOT_FOUND`` (-102); `StatusError` for any
    other negative status; `OverflowError` if ``status`` does not fit ``int32_t``; `TypeError`
    if it has no ``__index__``.
    """
    check(cs_status_return(as_i32(status)))


def errno_raise(error, /):
    """Raise the `OSError` of a value of ``errno``; return None for 0.

    Raises `OSError` with ``error`` and ``os.strerror(error)`` as its arguments, of the subclass
    that Python has for this value, for instance `FileNotFoundError`; `OverflowError` if
    ``error`` does not fit ``int32_t``; `TypeError` if it has no ``__index__``.
    """
    if cs_errno_fail(as_i32(error)) != 0:
        PyErr_SetFromErrno(OSError)
