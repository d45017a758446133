# SPDX-License-Identifier: Apache-2.0
"""Declarations of cside/status.h."""

from libc.stdint cimport int32_t


cdef extern from "cside/status.h" nogil:
    ctypedef int32_t cs_status

    enum:
        CS_NEED_DICT
        CS_STREAM_END
        CS_OK
        CS_E_STREAM
        CS_E_MEMORY
        CS_E_BUFFER
        CS_E_ARGUMENT
        CS_E_TOO_SMALL
        CS_E_NOT_FOUND
        CS_E_CLOSED
        CS_E_STATE
        CS_E_ABORTED

    const char *cs_status_name(cs_status status)
    const char *cs_status_message(cs_status status)
