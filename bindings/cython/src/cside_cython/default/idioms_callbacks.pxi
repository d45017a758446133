# SPDX-License-Identifier: Apache-2.0
# Idioms, callbacks: C calls a Python callable on the calling thread.

cdef extern from "cside/idioms.h":
    # Declared a second time, with the status that says that the callback raised: the exception is set then.
    cs_status cs_each_call_raising "cs_each_call"(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum) except? CS_E_ABORTED


cdef int64_t call(void *user, int32_t value) except CS_EACH_STOP:
    cdef int32_t result = PyNumber_Index((<object>user)(value))
    return result


def each_call(times, callback, /):
    """Call ``callback`` with 0, 1, ... ``times`` - 1 from C and return the sum of its results.

    An exception that the callback raises is raised here, the same object; no further call is
    made.

    Raises `ValueError` if ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not
    fit ``uint32_t`` or a result does not fit ``int32_t``; `TypeError` if ``callback`` is not
    callable, or ``times`` or a result has no ``__index__``.
    """
    cdef uint32_t count = PyNumber_Index(times)
    cdef int64_t total = 0
    if not callable(callback):
        raise TypeError(f"'{type(callback).__name__}' object is not callable")
    check(cs_each_call_raising(count, <cs_each_fn>call, <void *>callback, &total))
    return total
