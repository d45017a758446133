# SPDX-License-Identifier: Apache-2.0
"""Declarations of cside/trace.h."""

from libc.stdint cimport uint64_t

from .cside_status cimport cs_status


cdef extern from "cside/trace.h" nogil:
    enum:
        CS_TRACE_BUCKETS

    ctypedef struct cs_trace_record:
        uint64_t calls
        uint64_t errors
        uint64_t in_nbytes
        uint64_t out_nbytes
        uint64_t total_ns
        uint64_t histogram[40]  # CS_TRACE_BUCKETS; the C compiler uses the size that the header declares

    void cs_trace_enable(bint on)
    bint cs_trace_enabled()
    void cs_trace_reset()
    size_t cs_trace_count()
    const char *cs_trace_name(size_t index)
    cs_status cs_trace_read(size_t index, cs_trace_record *out_record)
