# SPDX-License-Identifier: Apache-2.0
# Idioms, threads: calls with and without the GIL, state of the process, state of each thread.


# ---- with and without the GIL -----------------------------------------------------------------------

def spin_held(iterations, /):
    """Compute ``iterations`` steps of xorshift64 while the GIL is held; return the final state.

    Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``gil-held``.
    """
    return cs_spin(as_u64(iterations))


def spin_released(iterations, /):
    """Compute ``iterations`` steps of xorshift64 with the GIL released; return the final state.

    Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``gil-released``.
    """
    cdef uint64_t count = as_u64(iterations), result
    with nogil:
        result = cs_spin(count)
    return result


# ---- state of the process, and of each thread -------------------------------------------------------

def state_init(seed, /):
    """Start the number generator of the process at ``seed``.

    Raises `StatusError` ``CS_E_STATE`` if it is already running; `OverflowError` if ``seed``
    does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
    """
    check(cs_state_init(as_i64(seed)))


def state_next():
    """Return the next number of the generator: its seed, seed + 1, ..., modulo 2**64.

    Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
    """
    cdef int64_t value = 0
    check(cs_state_next(&value))
    return value


def state_fini():
    """Stop the number generator of the process, which may be started again.

    Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
    """
    check(cs_state_fini())


def tls_set(value, /):
    """Set the number that the library keeps for the calling thread.

    Raises `OverflowError` if ``value`` does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    cs_tls_set(as_i64(value))


def tls_get():
    """Return the number that the library keeps for the calling thread; 0 in a new thread."""
    return cs_tls_get()
