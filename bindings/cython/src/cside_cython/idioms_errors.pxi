# SPDX-License-Identifier: Apache-2.0
# Idioms, errors: a status that becomes an exception, and errno that becomes one. The conversion is in status.pxi.

from cpython.exc cimport PyErr_SetFromErrno


class StatusError(Exception):
    """A failure of the library for which Python has no exception; `status` is the status, `name` its name."""


def status_raise(status, /):
    """Raise the exception for a status; for a status of zero or more return None."""
    check(cs_status_return(as_i32(status)))


def errno_raise(error, /):
    """Raise OSError for an errno; for 0 return None."""
    if cs_errno_fail(as_i32(error)) != 0:
        PyErr_SetFromErrno(OSError)
