# SPDX-License-Identifier: Apache-2.0
# Idioms, threads: calls with and without the GIL, state of the process, state of each thread.


# ---- with and without the GIL -----------------------------------------------------------------------

def spin_held(iterations, /):
    """Compute with the GIL held."""
    return cs_spin(as_u64(iterations))


def spin_released(iterations, /):
    """Compute with the GIL released."""
    cdef uint64_t count = as_u64(iterations), result
    with nogil:
        result = cs_spin(count)
    return result


# ---- state of the process, and of each thread -------------------------------------------------------

def state_init(seed, /):
    """Start the generator of the process."""
    check(cs_state_init(as_i64(seed)))


def state_next():
    """The next number of the generator of the process."""
    cdef int64_t value = 0
    check(cs_state_next(&value))
    return value


def state_fini():
    """Stop the generator of the process."""
    check(cs_state_fini())


def tls_set(value, /):
    """Set the number of the calling thread."""
    cs_tls_set(as_i64(value))


def tls_get():
    """The number of the calling thread."""
    return cs_tls_get()
