# SPDX-License-Identifier: Apache-2.0
# Status: a negative cs_status becomes an exception.


cdef int check(cs_status status) except -1:
    if status >= 0:
        return 0
    message = cs_status_message(status).decode()
    if status == CS_E_MEMORY:
        raise MemoryError
    if status == CS_E_ARGUMENT or status == CS_E_CLOSED:
        raise ValueError(message)
    if status == CS_E_NOT_FOUND:
        raise LookupError(message)
    error = StatusError(message)
    error.status = status
    error.name = cs_status_name(status).decode()
    raise error
